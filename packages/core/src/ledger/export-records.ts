/** The tables as records again: everything of a tenant that may leave the device, in the order of the memory file. */
import type { MemoryRecord } from '../records/record.ts'
import { storedAssertions } from './rows.ts'
import type { LedgerState } from './state.ts'

/** Order: tenant keys, erasures, schemas, episodes, extractions, assertions, decisions; within a kind by its own key, never by row number. */
export function exportRecords(state: LedgerState, tenant: number): MemoryRecord[] {
  const bodies = (sql: string): MemoryRecord[] =>
    state.db.all<[string]>(sql, [tenant]).map(([body]) => JSON.parse(body) as MemoryRecord)
  const keys = state.db
    .all<[string, string, string]>('select id, clock, secret from tenant_key where tenant = ? order by clock, id, secret', [
      tenant,
    ])
    .map(([id, clock, secret]): MemoryRecord => ({ kind: 'tenantKey', id, clock, secret }))
  const assertions = storedAssertions(
    state,
    'a.tenant = ? order by s.subject, s.attribute, a.valid_from, a.id, a.clock, a.value',
    [tenant],
  )
  return [
    ...keys,
    ...bodies('select body from erasure where tenant = ? order by clock, id, body'),
    ...bodies('select body from schema_version where tenant = ? order by version, clock, id, body'),
    ...bodies(
      'select x.body from episode x join episode_id e on e.nr = x.ref where e.tenant = ? order by x.at_ms, x.clock, e.id, x.body',
    ),
    ...bodies('select body from extraction where tenant = ? order by clock, id, body'),
    ...assertions.map(assertion => assertion.record),
    ...bodies('select body from decision where tenant = ? order by clock, id, body'),
  ]
}
