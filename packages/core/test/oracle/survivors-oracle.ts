/**
 * What is left of a set of one tenant's records, as DESIGN 2 and 8 say it: erasures first, then everything else looked
 * at as a whole. Nothing here knows an order of arrival.
 */
import { createHmac } from 'node:crypto'
import { tagText } from '../../src/ledger/state.ts'
import type { AssertionRecord, Evidence } from '../../src/records/assertion.ts'
import type { DecisionRecord } from '../../src/records/decision.ts'
import type { EpisodeRecord } from '../../src/records/episode.ts'
import type { ErasureRecord } from '../../src/records/erasure.ts'
import type { ExtractionRecord } from '../../src/records/extraction.ts'
import type { AnyRecord } from '../../src/records/record.ts'
import type { TenantKeyRecord } from '../../src/records/tenant-key.ts'

/** A variant of an assertion that lives, with all the evidence that is left. */
export interface LivingAssertion {
  readonly record: AssertionRecord
  readonly evidence: readonly Evidence[]
}

export interface Survivors {
  /** Every variant, blacked out. */
  readonly episodes: readonly EpisodeRecord[]
  readonly assertions: readonly LivingAssertion[]
  readonly decisions: readonly DecisionRecord[]
  readonly extractions: readonly ExtractionRecord[]
  readonly erasedEpisodes: ReadonlySet<string>
}

export function survivors(records: readonly AnyRecord[]): Survivors {
  const of = <Kind extends AnyRecord['kind']>(kind: Kind) =>
    distinct(records.filter((record): record is Extract<AnyRecord, { kind: Kind }> => record.kind === kind))
  const erasures = of('erasure')
  const covers = coverage(erasures, of('tenantKey'))

  const erasedEpisodes = new Set(erasures.flatMap(erasure => erasure.episodes))
  for (const { id, clock, session } of of('episode'))
    if (covers.everything(clock) || (session !== undefined && covers.scope('session', tagText.session(session), clock)))
      erasedEpisodes.add(id)

  const erasedAssertions = new Set(erasures.flatMap(erasure => erasure.assertions))
  const isErased = ({ id, clock, subject, attribute }: AssertionRecord): boolean =>
    erasedAssertions.has(id) ||
    covers.everything(clock) ||
    covers.scope('slot', tagText.slot(subject, attribute), clock) ||
    covers.scope('subject', tagText.subject(subject), clock)

  const sourced = new Set(
    of('assertion')
      .filter(record => record.evidence.length > 0)
      .map(record => record.id),
  )
  const variants = new Map<string, AssertionRecord[]>()
  for (const record of of('assertion')) {
    const content = canonical({ ...record, evidence: null })
    variants.set(content, [...(variants.get(content) ?? []), record])
  }
  const assertions: LivingAssertion[] = []
  for (const same of variants.values()) {
    const record = same[0] as AssertionRecord
    const evidence = distinct(same.flatMap(copy => copy.evidence)).filter(link => !erasedEpisodes.has(link.episode))
    if (!isErased(record) && (evidence.length > 0 || !sourced.has(record.id))) assertions.push({ record, evidence })
  }

  const black = new Map<string, [start: number, end: number][]>()
  const blacken = (episode: string, start: number, end: number): void =>
    void black.set(episode, [...(black.get(episode) ?? []), [start, end]])
  for (const { episode, start, end } of erasures.flatMap(erasure => erasure.redactions)) blacken(episode, start, end)
  for (const record of of('assertion').filter(isErased))
    for (const { episode, start, end } of record.evidence) blacken(episode, start ?? 0, end ?? Infinity)

  return {
    episodes: distinct(
      of('episode')
        .filter(record => !erasedEpisodes.has(record.id))
        .map(record => ({ ...record, text: blackened(record.text, black.get(record.id) ?? []) })),
    ),
    assertions,
    decisions: of('decision').filter(record => !covers.everything(record.clock)),
    extractions: of('extraction').filter(record => !covers.everything(record.clock) && !erasedEpisodes.has(record.episode)),
    erasedEpisodes,
  }
}

/** Which erasures reach what was recorded at a clock. */
function coverage(erasures: readonly ErasureRecord[], keys: readonly TenantKeyRecord[]) {
  return {
    everything: (clock: string): boolean => erasures.some(erasure => erasure.everything && clock <= erasure.clock),
    scope: (what: 'slot' | 'subject' | 'session', text: string, clock: string): boolean =>
      erasures.some(
        erasure =>
          clock <= erasure.clock &&
          erasure.scopes.some(
            scope => scope.what === what && keys.some(key => key.id === scope.key && hmac(key.secret, text) === scope.tag),
          ),
      ),
  }
}

function hmac(secret: string, text: string): string {
  return createHmac('sha256', Buffer.from(secret, 'hex')).update(text, 'utf8').digest('hex')
}

/** Unit by unit; a pair of surrogates goes as a whole, since half of one is not text. */
function blackened(text: string, ranges: readonly (readonly [number, number])[]): string {
  const units = [...text].flatMap(character => {
    const start = character.length
    return Array.from({ length: start }, (_, index) => ({ character, index }))
  })
  const isBlack = units.map((_, at) => ranges.some(([start, end]) => start <= at && at < end))
  return units
    .map(({ character, index }, at) => {
      const first = at - index
      const whole = Array.from({ length: character.length }, (_, i) => isBlack[first + i]).some(Boolean)
      return whole ? '█' : (character[index] as string)
    })
    .join('')
}

/** Canonical JSON of plain test values; undefined members are absent. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    return `{${members
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`)
      .join(',')}}`
  }
  return JSON.stringify(value)
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Map(items.map(item => [canonical(item), item])).values()]
}
