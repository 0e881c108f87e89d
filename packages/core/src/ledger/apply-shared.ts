/** Small questions that several merge rules ask. */
import type { SqlParams } from '../sql/database.ts'
import type { LedgerState } from './state.ts'

/** Inserts unless the row is there. True when it was new. */
export function insertNew(state: LedgerState, sql: string, params: SqlParams): boolean {
  state.db.run(sql, params)
  return (state.db.first<[number]>('select changes()') as [number])[0] > 0
}

/** True where an erasure of the whole tenant covers what was recorded at `clock`. */
export function coveredByEverything(state: LedgerState, tenant: number, clock: string): boolean {
  return state.scopes(tenant).some(scope => scope.what === 'everything' && clock <= scope.clock)
}

/** True where a scope on one of these texts covers what was recorded at `clock`. */
export function coveredByScope(
  state: LedgerState,
  tenant: number,
  what: 'slot' | 'subject' | 'session',
  text: string,
  clock: string,
): boolean {
  const scopes = state.scopes(tenant).filter(scope => scope.what === what && clock <= scope.clock)
  if (scopes.length === 0) return false
  const tags = state.tags(tenant, text)
  return scopes.some(scope => tags.some(({ key, tag }) => key === scope.key && tag === scope.tag))
}
