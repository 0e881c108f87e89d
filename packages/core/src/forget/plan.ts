/**
 * Forgetting, the logical level: what a scope means, and the erasure record that carries it out. The plan is found by
 * doing it inside a savepoint and taking it back, so that what it shows is what `apply` does.
 */
import { episodeRecordOf } from '../ledger/episode-reads.ts'
import { toFact } from '../ledger/reads.ts'
import { storedAssertions } from '../ledger/rows.ts'
import { runsOf } from '../ledger/runs.ts'
import { keyedTag, tagText, type LedgerState } from '../ledger/state.ts'
import type { Fact, ForgetPreview } from '../memory.ts'
import type { AssertionRecord } from '../records/assertion.ts'
import type { ErasureRecord, ErasureScope, ErasureTag } from '../records/erasure.ts'
import { canonicalJson } from '../records/json.ts'
import { savepoint } from '../sql/database.ts'
import type { Writer } from '../write/writer.ts'
import { readScope, type Scope } from './scope.ts'
import { tenantKey } from './tenant-key.ts'

export interface Forgetting {
  /** Id of the erasure; of the first where there are several. */
  readonly erasure: string
  readonly preview: ForgetPreview
}

/** Most entries of one list in an erasure record. */
const LIST_LIMIT = 1000

/** Undoes what a simulation wrote. */
class Rehearsed extends Error {
  readonly preview: ForgetPreview
  constructor(preview: ForgetPreview) {
    super('rehearsed')
    this.preview = preview
  }
}

/**
 * The preview of a scope; nothing is written.
 * @throws {MemoryError} EMPTY_SCOPE, NOT_FOUND, ERASED
 */
export function previewForget(state: LedgerState, open: () => Writer, input: unknown): ForgetPreview {
  try {
    return savepoint(state.db, () => {
      throw new Rehearsed(carryOut(open(), input).preview)
    })
  } catch (error) {
    if (error instanceof Rehearsed) return error.preview
    throw error
  } finally {
    state.dropCaches()
  }
}

/** Writes the erasure for a scope. */
export function carryOut(writer: Writer, input: unknown): Forgetting {
  const scope = readScope(writer, input)
  const { state, tenant } = writer
  const doomed = doomedAssertions(writer, scope)
  const direct = scope.kind === 'fact' || scope.kind === 'slot' || scope.kind === 'subject'
  const episodes = scope.kind === 'episodes' ? scope.ids : scope.kind === 'everything' ? allEpisodes(writer) : []
  const gonePassages = direct ? passages(writer, doomed) : []
  const preview = {
    episodes: episodes.map(id => ({ id, text: episodeRecordOf(state, tenant, id)?.text ?? '' })),
    assertions: doomed.map(({ id, subject, attribute, value }) => ({ id, subject, attribute, value })),
    redactions: gonePassages,
  }
  const slots = slotsOfRecords(writer, doomed)
  const before = factsIn(writer, slots)
  const key = tenantKey(writer)
  const tag = (text: string): ErasureTag => ({ key: key.id, tag: keyedTag(key.secret, text) })
  const common = { kind: 'erasure' as const, clock: writer.tick(), by: writer.actor }
  const first: ErasureRecord = {
    ...common,
    id: writer.around.newId(),
    episodes: [],
    assertions: [],
    redactions: [],
    scopes: scopesOf(scope, tag),
    everything: scope.kind === 'everything',
    touched: [],
  }
  const lists = {
    episodes: scope.kind === 'episodes' ? scope.ids : [],
    assertions: [...new Set(doomed.map(({ id }) => id))],
    redactions: gonePassages.map(({ episode, start, end }) => ({ episode, start, end })),
    touched: scope.kind === 'everything' ? [] : touched(doomed, tag),
  }
  // A record has a largest size: long lists go into further erasures of the same commit.
  const rounds = Math.max(1, ...Object.values(lists).map(list => Math.ceil(list.length / LIST_LIMIT)))
  for (let round = 0; round < rounds; round++) {
    const part = <T>(list: readonly T[]): readonly T[] => list.slice(round * LIST_LIMIT, (round + 1) * LIST_LIMIT)
    const lengths = {
      episodes: part(lists.episodes),
      assertions: part(lists.assertions),
      redactions: part(lists.redactions),
      touched: part(lists.touched),
    }
    const head = round === 0 ? first : { ...first, id: writer.around.newId(), scopes: [], everything: false }
    writer.write({ ...head, ...lengths }, 'scope')
  }
  const after = factsIn(writer, slots)
  return { erasure: first.id, preview: { ...preview, ...difference(before, after) } }
}

function scopesOf(scope: Scope, tag: (text: string) => ErasureTag): ErasureScope[] {
  switch (scope.kind) {
    case 'slot':
      return [{ what: 'slot', ...tag(tagText.slot(scope.subject, scope.attribute)) }]
    case 'subject':
      return [{ what: 'subject', ...tag(tagText.subject(scope.subject)) }]
    case 'episodes':
      return scope.session === undefined ? [] : [{ what: 'session', ...tag(tagText.session(scope.session)) }]
    default:
      return []
  }
}

function touched(doomed: readonly AssertionRecord[], tag: (text: string) => ErasureTag): ErasureTag[] {
  return [...new Set(doomed.map(({ subject, attribute }) => tagText.slot(subject, attribute)))].map(tag)
}

/** Every assertion that will not be there afterwards. */
function doomedAssertions(writer: Writer, scope: Scope): AssertionRecord[] {
  const { state, tenant } = writer
  const find = (where: string, params: readonly (string | number)[]): AssertionRecord[] =>
    storedAssertions(state, `a.tenant = ? and ${where} order by a.clock, a.nr`, [tenant, ...params]).map(stored => stored.record)
  switch (scope.kind) {
    case 'fact':
      return scope.assertions.flatMap(id => find('a.id = ?', [id]))
    case 'slot':
      return find('s.subject = ? and s.attribute = ?', [scope.subject, scope.attribute])
    case 'subject':
      return find('s.subject = ?', [scope.subject])
    case 'everything':
      return find('1', [])
    case 'episodes': {
      const going = new Set(scope.ids)
      return scope.ids
        .flatMap(id =>
          find(
            'a.nr in (select v.assertion from evidence v join episode_id e on e.nr = v.ref where e.tenant = a.tenant and e.id = ?)',
            [id],
          ),
        )
        .filter((record, index, all) => all.findIndex(other => other.id === record.id && other.clock === record.clock) === index)
        .filter(record => record.evidence.every(link => going.has(link.episode)))
    }
  }
}

/** The passages that assertions rest on, once each. */
function passages(writer: Writer, doomed: readonly AssertionRecord[]): ForgetPreview['redactions'] {
  const found = new Map<string, ForgetPreview['redactions'][number]>()
  for (const { episode, start: from, end: to } of doomed.flatMap(record => record.evidence)) {
    const text = episodeRecordOf(writer.state, writer.tenant, episode)?.text
    // An episode that has not arrived: its length is not known; everything up to any end is named.
    const start = from ?? 0
    const end = to ?? text?.length ?? 0x7fffffff
    found.set(`${episode}|${start}|${end}`, { episode, start, end, quote: text?.slice(start, end) ?? '' })
  }
  return [...found.values()]
}

function allEpisodes(writer: Writer): string[] {
  return writer.state.db
    .all<[string]>(
      'select distinct e.id from episode x join episode_id e on e.nr = x.ref where x.tenant = ? and x.shown = 1 order by x.at_ms, x.clock',
      [writer.tenant],
    )
    .map(([id]) => id)
}

function slotsOfRecords(writer: Writer, records: readonly AssertionRecord[]): number[] {
  const names = new Map(records.map(({ subject, attribute }) => [`${subject}\u0000${attribute}`, [subject, attribute] as const]))
  return [...names.values()].flatMap(([subject, attribute]) =>
    writer.state.db
      .all<[number]>('select nr from slot where tenant = ? and subject = ? and attribute = ?', [
        writer.tenant,
        subject,
        attribute,
      ])
      .map(([nr]) => nr),
  )
}

function factsIn(writer: Writer, slots: readonly number[]): Fact[] {
  return slots.flatMap(slot => runsOf(writer.state, slot, undefined).map(found => toFact(writer.state, found)))
}

/** Facts that are no more, and facts that take their place: new ones, and those whose interval grew. */
function difference(before: readonly Fact[], after: readonly Fact[]): Pick<ForgetPreview, 'gone' | 'resumed'> {
  const span = (fact: Fact): string => canonicalJson([fact.subject, fact.attribute, fact.value, fact.validFrom, fact.validTo])
  const was = new Set(before.map(span))
  const is = new Set(after.map(span))
  const lost = before.filter(fact => !is.has(span(fact)))
  const resumed = after.filter(fact => !was.has(span(fact)))
  return { gone: lost.filter(fact => !resumed.some(other => other.id === fact.id)), resumed }
}
