/** Episodes: union by id, minus erased. Of several contents under one id the earliest recorded is shown; all are kept. */
import type { EpisodeRecord } from '../records/episode.ts'
import type { Redaction } from '../records/erasure.ts'
import { canonicalJson } from '../records/json.ts'
import { forgetAnswers } from './answers.ts'
import { coveredByEverything, coveredByScope, insertNew } from './apply-shared.ts'
import { removeRow } from './assertion-rows.ts'
import { tagText, type LedgerState } from './state.ts'
import { standAgain } from './standing.ts'

/** What a blacked out UTF-16 unit becomes; the length stays, so that other offsets hold. */
const BLACK = '\u2588'

export function applyEpisode(state: LedgerState, tenant: number, record: EpisodeRecord): boolean {
  const ref = state.episodeRef(tenant, record.id)
  if (ref.erased) return false
  const { session, clock } = record
  if (
    coveredByEverything(state, tenant, clock) ||
    (session !== undefined && coveredByScope(state, tenant, 'session', tagText.session(session), clock))
  ) {
    eraseEpisode(state, tenant, ref.nr)
    return true
  }
  if (!insertVariant(state, tenant, ref.nr, { ...record, text: redact(record.text, ranges(state, ref.nr)) })) return false
  pickShown(state, ref.nr)
  return true
}

/** The episode goes with everything that rests on it alone. Its id stays, marked: it never returns. */
export function eraseEpisode(state: LedgerState, tenant: number, ref: number): void {
  const { db } = state
  const [erased, id] = db.first<[number, string]>('select erased, id from episode_id where nr = ?', [ref]) ?? [1, '']
  if (erased === 1) return
  forgetAnswers(state, tenant, id)
  db.run('update episode_id set erased = 1 where nr = ?', [ref])
  db.run('delete from episode where ref = ?', [ref])
  db.run('delete from redaction where ref = ?', [ref])
  db.run('delete from extraction where tenant = ? and ref = ?', [tenant, ref])
  const orphans = db.all<[number, string]>(
    `select a.nr, a.id from assertion a where a.nr in (select assertion from evidence where ref = ?1)
       and not exists (select 1 from evidence v where v.assertion = a.nr and v.ref <> ?1)`,
    [ref],
  )
  db.run('delete from evidence where ref = ?', [ref])
  for (const [nr] of orphans) removeRow(state, nr)
  for (const orphan of new Set(orphans.map(row => row[1]))) standAgain(state, tenant, orphan)
}

/** Blacks out a range of an episode, now and whenever it arrives. */
export function redactEpisode(state: LedgerState, tenant: number, range: Redaction): void {
  const ref = state.episodeRef(tenant, range.episode)
  if (ref.erased) return
  redactRef(state, ref.nr, range.start, range.end)
}

export function redactRef(state: LedgerState, ref: number, start: number, end: number): void {
  const { db } = state
  if (!insertNew(state, 'insert or ignore into redaction (ref, start, stop) values (?, ?, ?)', [ref, start, end])) return
  const rows = db.all<[number, number, string]>('select nr, tenant, body from episode where ref = ?', [ref])
  for (const [nr, tenant, body] of rows) {
    const record = JSON.parse(body) as EpisodeRecord
    const text = redact(record.text, [{ start, end }])
    if (text === record.text) continue
    // Two variants may differ in nothing but what is now black.
    db.run('delete from episode where nr = ?', [nr])
    insertVariant(state, tenant, ref, { ...record, text })
  }
  pickShown(state, ref)
}

/** Replaces the UTF-16 units of the ranges; a surrogate pair that a range cuts goes whole. */
function redact(text: string, redactions: readonly { readonly start: number; readonly end: number }[]): string {
  let result = text
  for (const range of redactions) {
    let start = Math.min(range.start, result.length)
    let end = Math.min(range.end, result.length)
    if (start >= end) continue
    if (isLow(result, start)) start--
    if (isLow(result, end)) end++
    result = result.slice(0, start) + BLACK.repeat(end - start) + result.slice(end)
  }
  return result
}

function isLow(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  return unit >= 0xdc00 && unit <= 0xdfff && index > 0
}

function ranges(state: LedgerState, ref: number): { start: number; end: number }[] {
  return state.db
    .all<[number, number]>('select start, stop from redaction where ref = ?', [ref])
    .map(([start, end]) => ({ start, end }))
}

function insertVariant(state: LedgerState, tenant: number, ref: number, record: EpisodeRecord): boolean {
  const body = canonicalJson(record)
  const { db } = state
  if (db.first('select 1 from episode where ref = ? and body = ?', [ref, body])) return false
  db.run('insert into episode (tenant, ref, shown, at_ms, clock, session, body) values (?, ?, 0, ?, ?, ?, ?)', [
    tenant,
    ref,
    Date.parse(record.at),
    record.clock,
    record.session ?? null,
    body,
  ])
  return true
}

function pickShown(state: LedgerState, ref: number): void {
  state.db.run(
    'update episode set shown = (nr = (select nr from episode where ref = ?1 order by clock, body limit 1)) where ref = ?1',
    [ref],
  )
}
