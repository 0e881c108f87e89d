/** Answers kept under idempotency keys: one that names what was forgotten goes too; the key stays, so that the call is not done again. */
import { canonicalJson, type JsonValue } from '../records/json.ts'
import type { OperationRecord } from '../records/operation.ts'
import { coveredByEverything } from './apply-shared.ts'
import type { LedgerState } from './state.ts'

/** What stands in place of an answer that was forgotten. */
export const FORGOTTEN_ANSWER = '{"erased":true}'

/** The answer as it is stored, canonical JSON. */
export function keptAnswer(state: LedgerState, tenant: number, record: OperationRecord): string {
  const erased =
    coveredByEverything(state, tenant, record.clock) || textsIn(record.result).some(text => isErasedId(state, tenant, text))
  return erased ? FORGOTTEN_ANSWER : canonicalJson(record.result)
}

/** Forgets every answer that names this id. */
export function forgetAnswers(state: LedgerState, tenant: number, id: string): void {
  state.db.run('update operation set result = ?1 where tenant = ?2 and instr(result, ?3) > 0', [
    FORGOTTEN_ANSWER,
    tenant,
    JSON.stringify(id),
  ])
}

function isErasedId(state: LedgerState, tenant: number, id: string): boolean {
  return (
    state.db.first(
      'select 1 from erased_assertion where tenant = ?1 and id = ?2 union all select 1 from episode_id where tenant = ?1 and id = ?2 and erased = 1',
      [tenant, id],
    ) !== undefined
  )
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null
    ? Object.values(value as object).flatMap(each => textsIn(each as JsonValue))
    : []
}
