/**
 * The one door: `applyRecords` brings records into the tables. It never refuses, is idempotent and order-free: any order,
 * any duplication, the same state. One merge rule a kind, each in its own file:
 *
 * | kind | rule |
 * |---|---|
 * | episode | union by id, minus erased (apply-episode.ts) |
 * | assertion | union by (id, content), evidence unioned, dead once sourced and no source is left (apply-assertion.ts) |
 * | decision | the latest (clock, id) not undone; an undo is absorbing (apply-decision.ts) |
 * | erasure, tenantKey | absorbing (apply-erasure.ts) |
 * | schema | the greatest (version, clock, id) (apply-schema.ts) |
 * | extraction, operation | union (here) |
 *
 * The caller holds a transaction.
 */
import { canonicalJson } from '../records/json.ts'
import type { TenantRecord } from '../records/record.ts'
import { applyAssertion } from './apply-assertion.ts'
import { applyDecision } from './apply-decision.ts'
import { applyEpisode } from './apply-episode.ts'
import { applyErasure, applyTenantKey } from './apply-erasure.ts'
import { applySchema } from './apply-schema.ts'
import { keptAnswer } from './answers.ts'
import { coveredByEverything, insertNew } from './apply-shared.ts'
import type { LedgerState } from './state.ts'

export interface ApplyReport {
  /** Records that changed something. */
  added: number
  /** Records that changed nothing: there already, or erased. */
  identical: number
  readonly tenants: Set<string>
}

export function applyRecords(state: LedgerState, items: readonly TenantRecord[]): ApplyReport {
  const report: ApplyReport = { added: 0, identical: 0, tenants: new Set() }
  for (const item of items) {
    report.tenants.add(item.tenant)
    if (applyOne(state, state.tenant(item.tenant), item.record)) report.added++
    else report.identical++
  }
  return report
}

function applyOne(state: LedgerState, tenant: number, record: TenantRecord['record']): boolean {
  switch (record.kind) {
    case 'episode':
      return applyEpisode(state, tenant, record)
    case 'assertion':
      return applyAssertion(state, tenant, record)
    case 'decision':
      return applyDecision(state, tenant, record)
    case 'schema':
      return applySchema(state, tenant, record)
    case 'erasure':
      return applyErasure(state, tenant, record)
    case 'tenantKey':
      return applyTenantKey(state, tenant, record)
    case 'extraction': {
      const ref = state.episodeRef(tenant, record.episode)
      if (ref.erased || coveredByEverything(state, tenant, record.clock)) return false
      return insertNew(
        state,
        'insert or ignore into extraction (tenant, ref, version, clock, id, body) values (?, ?, ?, ?, ?, ?)',
        [tenant, ref.nr, record.version, record.clock, record.id, canonicalJson(record)],
      )
    }
    case 'operation':
      // Two replicas may have answered under one key: the earlier answer is the one that was given first.
      return insertNew(
        state,
        `insert into operation (tenant, key, clock, id, digest, result) values (?, ?, ?, ?, ?, ?)
         on conflict (tenant, key) do update set clock = excluded.clock, id = excluded.id, digest = excluded.digest, result = excluded.result
         where (excluded.clock, excluded.id) < (clock, id)`,
        [tenant, record.key, record.clock, record.id, record.digest, keptAnswer(state, tenant, record)],
      )
  }
}
