/** Decisions: all are kept, also those whose target has not arrived. The latest (clock, id) that is not undone counts. */
import type { DecisionRecord } from '../records/decision.ts'
import { canonicalJson } from '../records/json.ts'
import { coveredByEverything, insertNew } from './apply-shared.ts'
import type { LedgerState } from './state.ts'
import { standAgain } from './standing.ts'

export function applyDecision(state: LedgerState, tenant: number, record: DecisionRecord): boolean {
  if (coveredByEverything(state, tenant, record.clock)) return false
  const added = insertNew(
    state,
    'insert or ignore into decision (tenant, target, clock, id, verdict, body) values (?, ?, ?, ?, ?, ?)',
    [tenant, record.target, record.clock, record.id, record.verdict, canonicalJson(record)],
  )
  if (!added) return false
  if (record.verdict === 'undo') standTargetsAgain(state, tenant, record.target)
  else standAgain(state, tenant, record.target)
  return true
}

/** After an undo came or went: every assertion that the decision with this id is about. */
export function standTargetsAgain(state: LedgerState, tenant: number, decision: string): void {
  const targets = state.db.all<[string]>(
    "select distinct target from decision where tenant = ? and id = ? and verdict <> 'undo'",
    [tenant, decision],
  )
  for (const [target] of targets) standAgain(state, tenant, target)
}
