/**
 * One tenant's part of a commit under way. Records are applied as they are made, so that later steps of one commit see
 * the earlier ones; the queue undoes them all if the commit does not become durable.
 */
import { applyRecords } from '../ledger/apply.ts'
import type { LedgerState } from '../ledger/state.ts'
import type { Actor } from '../memory.ts'
import type { AnyRecord, TenantRecord } from '../records/record.ts'
import { checkSize } from '../records/record.ts'
import { normalizeName } from '../records/name.ts'
import { canonicalJson } from '../records/json.ts'
import type { AttributeDefinition, Schema } from '../schema/define-schema.ts'
import type { SchemaAttribute } from '../records/schema.ts'
import type { HybridClock } from '../time/hybrid-clock.ts'

/** What every operation of a memory shares. */
export interface Surroundings {
  readonly state: LedgerState
  readonly clock: HybridClock
  readonly schema: Schema
  /** Where bare dates of callers begin, IANA. */
  readonly timeZone: string
  /** A new UUIDv7. */
  newId(): string
  /** Tenants whose schema record was compared with the code's since opening. */
  readonly schemaChecked: Set<string>
}

export class Writer {
  readonly around: Surroundings
  readonly tenantName: string
  readonly tenant: number
  readonly actor: Actor
  readonly items: TenantRecord[] = []

  constructor(around: Surroundings, tenantName: string, actor: Actor) {
    this.around = around
    this.tenantName = tenantName
    this.tenant = around.state.tenant(tenantName)
    this.actor = actor
  }

  get state(): LedgerState {
    return this.around.state
  }

  tick(): string {
    return this.around.clock.tick()
  }

  write(record: AnyRecord, field = 'input'): void {
    if (record.kind !== 'operation') checkSize(record, field)
    if (record.kind === 'assertion' || record.kind === 'episode') this.#recordSchema()
    this.#add(record)
  }

  #add(record: AnyRecord): void {
    const item = { tenant: this.tenantName, record }
    applyRecords(this.around.state, [item])
    this.items.push(item)
  }

  /** The schema travels with what was written under it: once per tenant and opening it is compared, and recorded where it is newer. */
  #recordSchema(): void {
    const { schema, schemaChecked, state, clock, newId } = this.around
    if (schemaChecked.has(this.tenantName)) return
    schemaChecked.add(this.tenantName)
    const attributes = schemaAttributes(schema)
    // A program that declares nothing (the command line) has no say in how others' attributes are projected.
    if (attributes.length === 0 && schema.unknownAttributes === 'accept') return
    const known = state.projection(this.tenant).record
    if (known !== undefined && known.version > schema.version) return
    const data = { version: schema.version, unknownAttributes: schema.unknownAttributes, attributes }
    if (known !== undefined) {
      const { version, unknownAttributes, attributes: recorded } = known
      if (canonicalJson({ version, unknownAttributes, attributes: recorded }) === canonicalJson(data)) return
    }
    this.#add({ kind: 'schema', id: newId(), clock: clock.tick(), ...data })
  }
}

function schemaAttributes(schema: Schema): SchemaAttribute[] {
  return Object.entries<AttributeDefinition>(schema.attributes)
    .map(([name, attribute]) => ({
      name: normalizeName(name),
      many: attribute.many ?? false,
      type: attribute.type ?? 'fact',
      onEqualSecond: attribute.onEqualSecond ?? ('reject' as const),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
