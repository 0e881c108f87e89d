/**
 * Which assertions stand: of the variants of one id the earliest recorded, if birth and decisions say accepted.
 *
 * Status is birth plus decisions: the latest of confirm, reject and promote that is not undone; without one, as born.
 * `confirmed` is the clock of the latest confirmation by the user that is not undone.
 */
import type { DecisionRecord } from '../records/decision.ts'
import { reproject } from './project.ts'
import type { LedgerState } from './state.ts'

export interface Verdict {
  /** Undefined where no decision counts: the assertion is as it was born. */
  readonly accepted: boolean | undefined
  readonly confirmed: string | null
}

export interface DecisionRow {
  readonly record: DecisionRecord
  readonly undone: boolean
}

/**
 * The decisions on an assertion, ascending by (clock, id), undos among them resolved.
 * @param bound only those whose clock is less than this (see `clockBound`)
 */
export function decisionsOn(state: LedgerState, tenant: number, target: string, bound?: string): DecisionRow[] {
  return state.db
    .all<[string, number]>(
      `select body, exists (select 1 from decision u where u.tenant = d.tenant and u.target = d.id and u.verdict = 'undo' and u.clock < ?3)
       from decision d where d.tenant = ?1 and d.target = ?2 and d.verdict <> 'undo' and d.clock < ?3 order by d.clock, d.id, d.body`,
      [tenant, target, bound ?? 'z'],
    )
    .map(([body, undone]) => ({ record: JSON.parse(body) as DecisionRecord, undone: undone === 1 }))
}

export function verdictOf(decisions: readonly DecisionRow[]): Verdict {
  let accepted: boolean | undefined
  let confirmed: string | null = null
  for (const { record, undone } of decisions) {
    if (undone) continue
    if (record.verdict === 'reject') accepted = false
    else if (record.verdict === 'confirm' || record.verdict === 'promote') accepted = true
    if (record.verdict === 'confirm' && record.by === 'user') confirmed = record.clock
  }
  return { accepted, confirmed }
}

/** Works out again which variant of an id stands, and brings the facts up to date. */
export function standAgain(state: LedgerState, tenant: number, id: string): void {
  const { db } = state
  const rows = db.all<[number, number, number, number | null, number, number, string | null]>(
    'select nr, slot, valid_from, valid_until, born, standing, confirmed from assertion where tenant = ? and id = ? order by clock, nr',
    [tenant, id],
  )
  if (rows.length === 0) return
  const winner = leastVariant(state, tenant, id)
  const verdict = verdictOf(decisionsOn(state, tenant, id))
  const wanted = rows.map(([nr, slot, from, until, born, standing, confirmed]) => {
    const stands = nr === winner && (verdict.accepted ?? born === 1) ? 1 : 0
    return {
      nr,
      slot,
      from,
      until,
      stands,
      changed: stands !== standing || verdict.confirmed !== confirmed,
      weight: stands === 1 || standing === 1,
    }
  })
  // One after the other, the leaving first: a window is right only for a single change.
  for (const row of wanted.toSorted((a, b) => a.stands - b.stands)) {
    if (!row.changed) continue
    db.run('update assertion set standing = ?, confirmed = ? where nr = ?', [row.stands, verdict.confirmed, row.nr])
    if (row.weight) reproject(state, row.slot, row.from, row.until)
  }
}

/** Of several contents under one id the earliest recorded, then the least by content, so that every device picks the same. */
export function leastVariant(state: LedgerState, tenant: number, id: string): number | undefined {
  const rows = state.db.all<[number]>('select nr from assertion where tenant = ? and id = ? limit 2', [tenant, id])
  if (rows.length < 2) return rows[0]?.[0]
  return state.db.first<[number]>(
    `select a.nr from assertion a join slot s on s.nr = a.slot where a.tenant = ? and a.id = ?
     order by a.clock, s.subject, s.attribute, a.valid_from, coalesce(a.valid_until, 1e15), a.statement, a.value is null, a.value, a.trust, a.actor,
       a.said_ms, a.said_offset, a.dated, a.born, a.reason, a.confidence, a.memory_type, a.schema_version, a.retention limit 1`,
    [tenant, id],
  )?.[0]
}
