/** From a set of records to the facts of every slot, by DESIGN 2, 3 and 8: nothing incremental, nothing remembered. */
import type { AssertionRecord } from '../../src/records/assertion.ts'
import type { DecisionRecord } from '../../src/records/decision.ts'
import type { TenantRecord } from '../../src/records/record.ts'
import type { SchemaRecord } from '../../src/records/schema.ts'
import { isoSecond, oracleRuns, type Stated } from './rule-oracle.ts'
import { canonical, survivors } from './survivors-oracle.ts'

export interface OracleFact {
  readonly tenant: string
  readonly subject: string
  readonly attribute: string
  readonly id: string
  /** Canonical JSON. */
  readonly value: string
  readonly validFrom: string
  readonly validTo: string | null
  readonly supersedes: string | null
}

/** DESIGN 3, from low to high. */
const TRUST = ['assistant', 'imported', 'document', 'tool', 'event', 'user']

export function oracleFacts(items: readonly TenantRecord[]): OracleFact[] {
  return [...new Set(items.map(item => item.tenant))].flatMap(tenant => {
    const records = items.filter(item => item.tenant === tenant).map(item => item.record)
    const { assertions, decisions } = survivors(records)
    const schema = winner(records.filter((record): record is SchemaRecord => record.kind === 'schema'))
    const standing = winners(assertions.map(({ record }) => record)).flatMap(record => stated(record, decisions))
    const slots = new Map(
      standing.map(({ record: { subject, attribute } }) => [canonical([subject, attribute]), { subject, attribute }]),
    )
    return [...slots.values()].flatMap(({ subject, attribute }) => {
      const rules = schema?.attributes.find(({ name }) => name === attribute)
      const here = standing.filter(({ record }) => record.subject === subject && record.attribute === attribute)
      const groups = rules?.many === true ? oneGroupAValue(here) : [here]
      return groups.flatMap(group => {
        const runs = oracleRuns(
          group.map(({ statement }) => statement),
          rules?.onEqualSecond === 'latest',
        )
        return runs.map(run => ({
          tenant,
          subject,
          attribute,
          id: run.id,
          value: run.value,
          validFrom: isoSecond(run.from),
          validTo: run.to === null ? null : isoSecond(run.to),
          supersedes: runs.find(other => other.to === run.from)?.id ?? null,
        }))
      })
    })
  })
}

interface Standing {
  readonly record: AssertionRecord
  readonly statement: Stated
}

/** Per id the earliest recorded of the variants that live. */
function winners(living: readonly AssertionRecord[]): AssertionRecord[] {
  const byId = new Map<string, AssertionRecord>()
  for (const record of living) {
    const other = byId.get(record.id)
    if (other === undefined || record.clock < other.clock) byId.set(record.id, record)
  }
  return [...byId.values()]
}

/** Birth plus decisions; nothing where the assertion is not accepted. */
function stated(record: AssertionRecord, all: readonly DecisionRecord[]): Standing[] {
  const undone = new Set(all.filter(({ verdict }) => verdict === 'undo').map(({ target }) => target))
  const effective = all
    .filter(decision => decision.target === record.id && decision.verdict !== 'undo' && !undone.has(decision.id))
    .toSorted((a, b) => (a.clock === b.clock ? (a.id < b.id ? -1 : 1) : a.clock < b.clock ? -1 : 1))
  const last = effective.findLast(({ verdict }) => verdict === 'confirm' || verdict === 'promote' || verdict === 'reject')
  const accepted = last === undefined ? record.born === 'accepted' : last.verdict !== 'reject'
  if (!accepted) return []
  const statement: Stated = {
    id: record.id,
    from: Date.parse(record.validFrom) / 1000,
    until: record.validUntil === null ? null : Date.parse(record.validUntil) / 1000,
    value: record.statement === 'value' ? canonical(record.value) : null,
    trust: TRUST.indexOf(record.trust),
    confirmed: effective.findLast(({ verdict, by }) => verdict === 'confirm' && by === 'user')?.clock ?? null,
    saidMs: Date.parse(record.saidAt),
    saidOffset: record.saidOffset,
    clock: record.clock,
  }
  return [{ record, statement }]
}

/** Each value of a many-valued attribute is a slot; a retraction without a value is in all of them. */
function oneGroupAValue(here: readonly Standing[]): Standing[][] {
  const about = ({ value }: AssertionRecord): string | undefined => (value === undefined ? undefined : canonical(value))
  const values = new Set(here.map(({ record }) => about(record)).filter(value => value !== undefined))
  return [...values].map(value => here.filter(({ record }) => about(record) === undefined || about(record) === value))
}

function winner(schemas: readonly SchemaRecord[]): SchemaRecord | undefined {
  return schemas
    .toSorted((a, b) => a.version - b.version || (a.clock < b.clock ? -1 : a.clock > b.clock ? 1 : a.id < b.id ? -1 : 1))
    .at(-1)
}
