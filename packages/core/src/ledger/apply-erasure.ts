/** Erasures: absorbing, for ever. Ids, ranges and tags are remembered, so that what arrives late is met by them. */
import type { ErasureRecord } from '../records/erasure.ts'
import { canonicalJson } from '../records/json.ts'
import type { TenantKeyRecord } from '../records/tenant-key.ts'
import { FORGOTTEN_ANSWER } from './answers.ts'
import { eraseAssertion, eraseRow } from './apply-assertion.ts'
import { standTargetsAgain } from './apply-decision.ts'
import { eraseEpisode, redactEpisode } from './apply-episode.ts'
import { insertNew } from './apply-shared.ts'
import { tagText, type LedgerState, type ScopeRow } from './state.ts'
import { standAgain } from './standing.ts'

export function applyErasure(state: LedgerState, tenant: number, record: ErasureRecord): boolean {
  const { db } = state
  const added = insertNew(state, 'insert or ignore into erasure (tenant, id, clock, body) values (?, ?, ?, ?)', [
    tenant,
    record.id,
    record.clock,
    canonicalJson(record),
  ])
  if (!added) return false
  for (const id of record.assertions) eraseAssertion(state, tenant, id)
  for (const id of record.episodes) eraseEpisode(state, tenant, state.episodeRef(tenant, id).nr)
  for (const range of record.redactions) redactEpisode(state, tenant, range)
  for (const { tag } of record.touched) db.run('insert or ignore into erased_slot (tenant, tag) values (?, ?)', [tenant, tag])
  for (const { what, tag, key } of record.scopes) rememberScope(state, tenant, { what, tag, key, clock: record.clock })
  if (record.everything) {
    rememberScope(state, tenant, { what: 'everything', tag: '', key: '', clock: record.clock })
    eraseEverything(state, tenant, record.clock)
  }
  if (record.scopes.length > 0) sweep(state, tenant)
  return true
}

/** A key may arrive after the erasures that were tagged with it. */
export function applyTenantKey(state: LedgerState, tenant: number, record: TenantKeyRecord): boolean {
  const added = insertNew(state, 'insert or ignore into tenant_key (tenant, id, clock, secret) values (?, ?, ?, ?)', [
    tenant,
    record.id,
    record.clock,
    record.secret,
  ])
  if (added && state.scopes(tenant).some(scope => scope.key === record.id)) sweep(state, tenant)
  return added
}

function rememberScope(state: LedgerState, tenant: number, scope: ScopeRow): void {
  state.db.run(
    `insert into erasure_scope (tenant, what, tag, key, clock) values (?, ?, ?, ?, ?)
     on conflict (tenant, what, tag, key) do update set clock = max(clock, excluded.clock)`,
    [tenant, scope.what, scope.tag, scope.key, scope.clock],
  )
  state.forgetScopes(tenant)
}

/** Meets what is there with every tagged scope. A tag cannot be turned back into a name, so every name is tagged and compared. */
function sweep(state: LedgerState, tenant: number): void {
  const { db } = state
  const scopes = state.scopes(tenant)
  const until = (what: ScopeRow['what'], text: string): string | undefined => {
    const ofKind = scopes.filter(scope => scope.what === what)
    if (ofKind.length === 0) return undefined
    const tags = state.tags(tenant, text)
    const clocks = ofKind
      .filter(scope => tags.some(({ key, tag }) => key === scope.key && tag === scope.tag))
      .map(scope => scope.clock)
    return clocks.toSorted().at(-1)
  }
  for (const [session] of db.all<[string]>('select distinct session from episode where tenant = ? and session is not null', [
    tenant,
  ])) {
    const clock = until('session', tagText.session(session))
    if (clock === undefined) continue
    for (const [ref] of db.all<[number]>('select distinct ref from episode where tenant = ? and session = ? and clock <= ?', [
      tenant,
      session,
      clock,
    ]))
      eraseEpisode(state, tenant, ref)
  }
  for (const [slot, subject, attribute] of db.all<[number, string, string]>(
    'select nr, subject, attribute from slot where tenant = ?',
    [tenant],
  )) {
    for (const clock of [until('slot', tagText.slot(subject, attribute)), until('subject', tagText.subject(subject))]) {
      if (clock === undefined) continue
      eraseRows(
        state,
        tenant,
        db.all<[number, string]>('select nr, id from assertion where slot = ? and clock <= ?', [slot, clock]),
      )
    }
  }
}

function eraseEverything(state: LedgerState, tenant: number, clock: string): void {
  const { db } = state
  // Assertions first: their quotes in episodes that were recorded later are blacked out, whatever the order of arrival.
  eraseRows(
    state,
    tenant,
    db.all<[number, string]>('select nr, id from assertion where tenant = ? and clock <= ?', [tenant, clock]),
  )
  for (const [ref] of db.all<[number]>(
    'select distinct x.ref from episode_id e join episode x on x.ref = e.nr where e.tenant = ? and x.clock <= ?',
    [tenant, clock],
  ))
    eraseEpisode(state, tenant, ref)
  db.run('delete from extraction where tenant = ? and clock <= ?', [tenant, clock])
  db.run('update operation set result = ? where tenant = ? and clock <= ?', [FORGOTTEN_ANSWER, tenant, clock])
  const decisions = db.all<[string, string]>('select target, verdict from decision where tenant = ? and clock <= ?', [
    tenant,
    clock,
  ])
  db.run('delete from decision where tenant = ? and clock <= ?', [tenant, clock])
  for (const [target, verdict] of decisions) {
    if (verdict === 'undo') standTargetsAgain(state, tenant, target)
    else standAgain(state, tenant, target)
  }
}

function eraseRows(state: LedgerState, tenant: number, rows: readonly (readonly [nr: number, id: string])[]): void {
  for (const [nr] of rows) eraseRow(state, nr)
  for (const id of new Set(rows.map(row => row[1]))) standAgain(state, tenant, id)
}
