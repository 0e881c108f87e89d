/** Reads of facts: one slot, or pages over many. Pure reading: nothing here writes. */
import type { Fact, FactsPage, Standing } from '../memory.ts'
import { canonicalJson, type JsonValue } from '../records/json.ts'
import { buildFact, factId } from './fact-builder.ts'
import { parseCursor } from './cursor.ts'
import { lastRunFrom, runAt, runsOf, type FoundRun } from './runs.ts'
import { tagText, type LedgerState } from './state.ts'
import { decisionsOn, verdictOf } from './standing.ts'

/** Valid time in seconds, and what was known: clocks below `bound`, undefined for everything. */
export interface ReadPoint {
  readonly at: number
  readonly bound: string | undefined
}

export function toFact(state: LedgerState, found: FoundRun): Fact {
  return buildFact(state, found.run, found.scene())
}

/** The slots of (subject, attribute): one, or one per value. */
export function slotsOf(state: LedgerState, tenant: number, subject: string, attribute: string): number[] {
  return state.db
    .all<[number]>('select nr from slot where tenant = ? and subject = ? and attribute = ? order by member', [
      tenant,
      subject,
      attribute,
    ])
    .map(([nr]) => nr)
}

/** What holds in (subject, attribute) at a point: at most one fact where it is single-valued. By validFrom, then id. */
export function holding(state: LedgerState, tenant: number, subject: string, attribute: string, point: ReadPoint): Fact[] {
  return slotsOf(state, tenant, subject, attribute)
    .flatMap(slot => holdingIn(state, slot, point) ?? [])
    .map(found => toFact(state, found))
    .toSorted((a, b) => compare(a.validFrom, b.validFrom) || compare(a.id, b.id))
}

export function holdingIn(state: LedgerState, slot: number, { at, bound }: ReadPoint): FoundRun | undefined {
  if (bound === undefined) return runAt(state, slot, at)
  return runsOf(state, slot, bound).find(({ run }) => run.from <= at && (run.to === null || run.to > at))
}

export function standing(state: LedgerState, tenant: number, subject: string, attribute: string, point: ReadPoint): Standing {
  const facts = holding(state, tenant, subject, attribute, point)
  if (facts.length > 0) return { state: facts.some(fact => fact.contested.length > 0) ? 'contested' : 'known', facts }
  const slots = slotsOf(state, tenant, subject, attribute)
  if (slots.some(slot => isWithheld(state, tenant, slot, point))) return { state: 'withheld', facts: [] }
  const ended = slots.flatMap(slot => lastEnded(state, slot, point) ?? []).map(found => toFact(state, found))
  if (ended.length > 0) {
    const last = ended
      .map(fact => fact.validTo ?? '')
      .toSorted()
      .at(-1)
    return { state: 'ended', facts: ended.filter(fact => fact.validTo === last) }
  }
  return { state: wasErased(state, tenant, subject, attribute) ? 'erased' : 'never', facts: [] }
}

/** A statement that was born held, has begun, and waits. */
function isWithheld(state: LedgerState, tenant: number, slot: number, { at, bound }: ReadPoint): boolean {
  const held = state.db.all<[string]>(
    'select id from assertion where slot = ? and born = 0 and statement = 1 and valid_from <= ?2 and (valid_until is null or valid_until > ?2) and clock < ?3',
    [slot, at, bound ?? 'z'],
  )
  return held.some(([id]) => verdictOf(decisionsOn(state, tenant, id, bound)).accepted === undefined)
}

function lastEnded(state: LedgerState, slot: number, { at, bound }: ReadPoint): FoundRun | undefined {
  if (bound === undefined) return lastRunFrom(state, slot, at)
  return runsOf(state, slot, bound).findLast(({ run }) => run.from <= at)
}

function wasErased(state: LedgerState, tenant: number, subject: string, attribute: string): boolean {
  if (state.scopes(tenant).some(scope => scope.what === 'everything')) return true
  return state
    .tags(tenant, tagText.slot(subject, attribute))
    .some(({ tag }) => state.db.first('select 1 from erased_slot where tenant = ? and tag = ?', [tenant, tag]) !== undefined)
}

export interface FactsQuery {
  readonly subject: string | undefined
  readonly attribute: string | undefined
  readonly value: JsonValue | undefined
  readonly history: boolean
  readonly after: string | undefined
  readonly limit: number
}

/** A page of facts, by subject, attribute, validFrom, id. */
export function listFacts(state: LedgerState, tenant: number, query: FactsQuery, point: ReadPoint): FactsPage {
  const after =
    query.after === undefined
      ? undefined
      : parseCursor<[string, string, number, string]>(query.after, ['text', 'text', 'integer', 'text'])
  const value = query.value === undefined ? undefined : canonicalJson(query.value)
  const found: FoundRun[] = []
  for (const group of slotGroups(state, tenant, query, after)) {
    const rows = group
      .flatMap(slot => {
        if (query.history) return runsOf(state, slot, point.bound)
        return holdingIn(state, slot, point) ?? []
      })
      .filter(({ run }) => value === undefined || run.value === value)
      .filter(({ run }) => after === undefined || isAfter(keyOf(state, run), after))
      .toSorted((a, b) => a.run.from - b.run.from || compare(factId(a.run), factId(b.run)))
    found.push(...rows)
    if (found.length > query.limit) break
  }
  const page = found.slice(0, query.limit)
  const last = page.at(-1)
  return {
    facts: page.map(each => toFact(state, each)),
    next: found.length > query.limit && last !== undefined ? JSON.stringify(keyOf(state, last.run)) : null,
  }
}

/** Slots in order, those of one (subject, attribute) together; read in steps so that a page does not read them all. */
function* slotGroups(
  state: LedgerState,
  tenant: number,
  query: FactsQuery,
  after: readonly [string, string, number, string] | undefined,
): Generator<number[]> {
  const conditions = ['tenant = ?1']
  const params: (string | number)[] = [tenant, after?.[0] ?? '', after?.[1] ?? '']
  if (query.subject !== undefined) conditions.push(`subject = ?${params.push(query.subject)}`)
  if (query.attribute !== undefined) conditions.push(`attribute = ?${params.push(query.attribute)}`)
  const rows = state.db.all<[number, string, string]>(
    `select nr, subject, attribute from slot where ${conditions.join(' and ')} and subject >= ?2 and (subject, attribute) >= (?2, ?3) order by subject, attribute, member`,
    params,
  )
  let group: number[] = []
  let name = ''
  for (const [nr, subject, attribute] of rows) {
    const next = `${subject}\u0000${attribute}`
    if (next !== name && group.length > 0) {
      yield group
      group = []
    }
    name = next
    group.push(nr)
  }
  if (group.length > 0) yield group
}

function keyOf(state: LedgerState, run: FoundRun['run']): [string, string, number, string] {
  const { subject, attribute } = state.slotRow(run.slot)
  return [subject, attribute, run.from, factId(run)]
}

/** Whether a run comes after the cursor. The database has left out the groups before it; its order of names decides there. */
function isAfter(key: readonly [string, string, number, string], after: readonly [string, string, number, string]): boolean {
  if (key[0] !== after[0] || key[1] !== after[1]) return true
  return (key[2] - after[2] || compare(key[3], after[3])) > 0
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
