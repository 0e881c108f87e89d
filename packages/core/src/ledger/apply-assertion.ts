/** Assertions: union by (id, content); evidence unioned, minus erased episodes; dead once sourced and no source is left. */
import { TRUST_ORDER, type AssertionRecord } from '../records/assertion.ts'
import { canonicalJson } from '../records/json.ts'
import { parseSecond } from '../time/instant.ts'
import { redactRef } from './apply-episode.ts'
import { forgetAnswers } from './answers.ts'
import { coveredByEverything, coveredByScope } from './apply-shared.ts'
import { removeRow, WHOLE } from './assertion-rows.ts'
import { tagText, type LedgerState } from './state.ts'
import { standAgain } from './standing.ts'

/** The end of a redaction of a whole text whose length is not known yet. */
const END_OF_TEXT = 0x7fffffff

export function applyAssertion(state: LedgerState, tenant: number, record: AssertionRecord): boolean {
  const { db } = state
  const erased =
    db.first('select 1 from erased_assertion where tenant = ? and id = ?', [tenant, record.id]) !== undefined ||
    coveredByEverything(state, tenant, record.clock) ||
    coveredByScope(state, tenant, 'slot', tagText.slot(record.subject, record.attribute), record.clock) ||
    coveredByScope(state, tenant, 'subject', tagText.subject(record.subject), record.clock)
  const sourced = record.evidence.length > 0
  if (erased) {
    for (const link of record.evidence) {
      const ref = state.episodeRef(tenant, link.episode)
      if (!ref.erased) redactRef(state, ref.nr, link.start ?? 0, link.end ?? END_OF_TEXT)
    }
    if (sourced) becomeSourced(state, tenant, record.id)
    return false
  }
  const refs = record.evidence
    .map(link => ({ link, ref: state.episodeRef(tenant, link.episode) }))
    .filter(({ ref }) => !ref.erased)
  if (sourced && refs.length === 0) {
    becomeSourced(state, tenant, record.id)
    return false
  }
  if (!sourced && wasSourced(state, tenant, record.id)) return false

  const existing = findVariant(state, tenant, record, sourced)
  const nr = existing ?? insertRow(state, tenant, record, sourced)
  let linked = false
  for (const { link, ref } of refs) {
    const params = [nr, ref.nr, link.start ?? WHOLE, link.end ?? WHOLE]
    if (db.first('select 1 from evidence where assertion = ? and ref = ? and start = ? and stop = ?', params)) continue
    db.run('insert into evidence (assertion, ref, start, stop) values (?, ?, ?, ?)', params)
    linked = true
  }
  if (existing !== undefined) return linked
  if (sourced) removeUnsourced(state, tenant, record.id)
  standAgain(state, tenant, record.id)
  return true
}

/** Every variant of an id goes for ever, and its quotes are blacked out in the episodes that stay. */
export function eraseAssertion(state: LedgerState, tenant: number, id: string): void {
  state.db.run('insert or ignore into erased_assertion (tenant, id) values (?, ?)', [tenant, id])
  forgetAnswers(state, tenant, id)
  for (const [nr] of state.db.all<[number]>('select nr from assertion where tenant = ? and id = ?', [tenant, id]))
    eraseRow(state, nr)
}

/** One variant goes with its quotes. */
export function eraseRow(state: LedgerState, nr: number): void {
  const links = state.db.all<[number, number, number]>('select ref, start, stop from evidence where assertion = ?', [nr])
  removeRow(state, nr)
  for (const [ref, start, stop] of links) redactRef(state, ref, start === WHOLE ? 0 : start, stop === WHOLE ? END_OF_TEXT : stop)
}

/** The slot that an assertion belongs to, by the tenant's schema. */
export function slotFor(state: LedgerState, tenant: number, subject: string, attribute: string, value: string | null): number {
  return state.slot(tenant, subject, attribute, value !== null && state.isMany(tenant, attribute) ? value : '')
}

function becomeSourced(state: LedgerState, tenant: number, id: string): void {
  state.db.run('insert or ignore into once_sourced (tenant, id) values (?, ?)', [tenant, id])
  if (removeUnsourced(state, tenant, id)) standAgain(state, tenant, id)
}

/** A copy without evidence of something that had evidence would outlive the erasure of its source. */
function removeUnsourced(state: LedgerState, tenant: number, id: string): boolean {
  const rows = state.db.all<[number]>('select nr from assertion where tenant = ? and id = ? and sourced = 0', [tenant, id])
  for (const [nr] of rows) removeRow(state, nr)
  return rows.length > 0
}

function wasSourced(state: LedgerState, tenant: number, id: string): boolean {
  return (
    state.db.first(
      'select 1 from once_sourced where tenant = ?1 and id = ?2 union all select 1 from assertion where tenant = ?1 and id = ?2 and sourced = 1',
      [tenant, id],
    ) !== undefined
  )
}

function columnsOf(record: AssertionRecord): (string | number | null)[] {
  return [
    parseSecond(record.validFrom, { field: 'validFrom' }),
    record.validUntil === null ? null : parseSecond(record.validUntil, { field: 'validUntil' }),
    record.statement === 'value' ? 1 : 0,
    record.value === undefined ? null : canonicalJson(record.value),
    TRUST_ORDER.indexOf(record.trust),
    Date.parse(record.saidAt),
    record.saidOffset,
    record.clock,
    record.by,
    record.dated ? 1 : 0,
    record.born === 'accepted' ? 1 : 0,
    record.reason ?? null,
    record.confidence ?? null,
    record.memoryType,
    record.schemaVersion,
    record.retention ?? null,
  ]
}

const COLUMNS =
  'valid_from, valid_until, statement, value, trust, said_ms, said_offset, clock, actor, dated, born, reason, confidence, memory_type, schema_version, retention'

/** The row with the same id and content, evidence aside; whether there is evidence at all is content. */
function findVariant(state: LedgerState, tenant: number, record: AssertionRecord, sourced: boolean): number | undefined {
  const { db } = state
  if (!db.first('select 1 from assertion where tenant = ? and id = ?', [tenant, record.id])) return undefined
  const same = COLUMNS.split(', ').map((column, index) => `a.${column} is ?${index + 6}`)
  return db.first<[number]>(
    `select a.nr from assertion a join slot s on s.nr = a.slot
     where a.tenant = ?1 and a.id = ?2 and s.subject = ?3 and s.attribute = ?4 and a.sourced = ?5 and ${same.join(' and ')}`,
    [tenant, record.id, record.subject, record.attribute, sourced ? 1 : 0, ...columnsOf(record)],
  )?.[0]
}

function insertRow(state: LedgerState, tenant: number, record: AssertionRecord, sourced: boolean): number {
  const columns = columnsOf(record)
  const slot = slotFor(state, tenant, record.subject, record.attribute, columns[3] as string | null)
  state.db.run(
    `insert into assertion (tenant, id, slot, standing, sourced, ${COLUMNS}) values (?, ?, ?, 0, ?, ${columns.map(() => '?').join(', ')})`,
    [tenant, record.id, slot, sourced ? 1 : 0, ...columns],
  )
  return (state.db.first<[number]>('select last_insert_rowid()') as [number])[0]
}
