/** Schemas: the greatest (version, clock, id) counts. Where it changes cardinality or policy, the facts of the attribute are built anew. */
import { canonicalJson } from '../records/json.ts'
import type { SchemaRecord } from '../records/schema.ts'
import { slotFor } from './apply-assertion.ts'
import { insertNew } from './apply-shared.ts'
import { dropSlotIfEmpty } from './assertion-rows.ts'
import { reprojectAll } from './project.ts'
import type { LedgerState } from './state.ts'

export function applySchema(state: LedgerState, tenant: number, record: SchemaRecord): boolean {
  const before = state.projection(tenant).attributes
  const added = insertNew(
    state,
    'insert or ignore into schema_version (tenant, version, clock, id, body) values (?, ?, ?, ?, ?)',
    [tenant, record.version, record.clock, record.id, canonicalJson(record)],
  )
  if (!added) return false
  state.forgetProjection(tenant)
  const after = state.projection(tenant).attributes
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(name), after.get(name)]
    const regroup = (was?.many ?? false) !== (is?.many ?? false)
    if (regroup || (was?.onEqualSecond === 'latest') !== (is?.onEqualSecond === 'latest'))
      rebuildAttribute(state, tenant, name, regroup)
  }
  return true
}

function rebuildAttribute(state: LedgerState, tenant: number, attribute: string, regroup: boolean): void {
  const { db } = state
  const slots = (): [number, string][] =>
    db.all<[number, string]>('select nr, subject from slot where tenant = ? and attribute = ?', [tenant, attribute])
  if (regroup) {
    for (const [slot, subject] of slots()) {
      db.run('delete from fact where slot = ?', [slot])
      for (const [nr, value] of db.all<[number, string | null]>('select nr, value from assertion where slot = ?', [slot])) {
        const target = slotFor(state, tenant, subject, attribute, value)
        if (target !== slot) db.run('update assertion set slot = ? where nr = ?', [target, nr])
      }
      dropSlotIfEmpty(state, slot)
    }
  }
  for (const [slot] of slots()) reprojectAll(state, slot)
}
