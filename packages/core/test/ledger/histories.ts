/**
 * Random records. Everything is drawn from a few names, seconds and clocks, so that ties, nesting, late arrivals and
 * erasures of what is not there yet happen all the time.
 */
import * as fc from 'fast-check'
import { keyedTag, tagText } from '../../src/ledger/state.ts'
import type { AssertionRecord, Evidence } from '../../src/records/assertion.ts'
import type { DecisionRecord } from '../../src/records/decision.ts'
import type { EpisodeRecord } from '../../src/records/episode.ts'
import type { ErasureRecord } from '../../src/records/erasure.ts'
import type { ExtractionRecord } from '../../src/records/extraction.ts'
import type { AnyRecord } from '../../src/records/record.ts'
import type { SchemaRecord } from '../../src/records/schema.ts'
import type { TenantKeyRecord } from '../../src/records/tenant-key.ts'
import { isoSecond } from '../oracle/rule-oracle.ts'

const SUBJECTS = ['mira', 'jo'] as const
/** By the first schema: one value; one value, `latest`; many values. */
const ATTRIBUTES = ['home', 'mood', 'likes'] as const
const VALUES = ['tea', 'red', 7] as const
const TEXTS = ['tea and red', '😀😀 said jo', 'no'] as const
const SESSIONS = [undefined, 'monday', 'tuesday'] as const
const SECRETS = ['0a'.repeat(32), '1b'.repeat(32), '2c'.repeat(32)] as const
const BASE = Date.parse('2026-01-01T00:00:00Z') / 1000

/** A clock value. `counter` makes it the only one of its kind; 0 lets different records share it. */
export function clockAt(ms: number, counter: number): string {
  return `${ms.toString(16).padStart(12, '0')}-${counter.toString(16).padStart(4, '0')}-dev`
}

/** Makes the record, given the clock that falls to it and what came before it in the history. */
export type Draft = (clock: string, earlier: readonly AnyRecord[]) => AnyRecord

const pick = <T>(choices: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...choices)
const actor = pick(['user', 'user', 'policy', 'assistant'] as const)

const link: fc.Arbitrary<Evidence> = fc
  .record({ episode: fc.nat(4), range: fc.option(fc.tuple(fc.nat(9), fc.nat(5))) })
  .map(({ episode, range }) =>
    range === null ? { episode: `e${episode}` } : { episode: `e${episode}`, start: range[0], end: range[0] + range[1] },
  )
const links = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 3, arbitrary: fc.array(link, { minLength: 1, maxLength: 2 }) },
)

/** @param ids whence an assertion's id comes: a small pool makes variants */
export function assertionDraft(ids: fc.Arbitrary<string>): fc.Arbitrary<Draft> {
  return fc
    .record({
      id: ids,
      by: actor,
      subject: pick(SUBJECTS),
      attribute: pick(ATTRIBUTES),
      what: fc.oneof(
        { weight: 6, arbitrary: fc.constant('value' as const) },
        { weight: 1, arbitrary: pick(['end this', 'end all'] as const) },
      ),
      value: pick(VALUES),
      from: fc.nat(9),
      lasts: fc.option(fc.integer({ min: 1, max: 6 })),
      trust: pick(['user', 'tool', 'imported'] as const),
      saidMs: fc.nat(1),
      saidOffset: fc.nat(1),
      evidence: links,
      born: fc.oneof(
        { weight: 5, arbitrary: fc.constant('accepted' as const) },
        { weight: 1, arbitrary: fc.constant('held' as const) },
      ),
    })
    .map(
      ({ what, value, from, lasts, saidMs, ...rest }) =>
        clock =>
          ({
            kind: 'assertion',
            clock,
            ...rest,
            statement: what === 'value' ? 'value' : 'retraction',
            ...(what === 'end all' ? {} : { value }),
            validFrom: isoSecond(BASE + from),
            validUntil: lasts === null ? null : isoSecond(BASE + from + lasts),
            dated: true,
            saidAt: new Date(BASE * 1000 + saidMs).toISOString(),
            memoryType: 'fact',
            schemaVersion: 1,
          }) satisfies AssertionRecord,
    )
}

/** An earlier assertion again, word for word, with other evidence. */
export const againDraft: fc.Arbitrary<Draft> = fc.tuple(fc.nat(30), links).map(([of, evidence]) => (clock, earlier) => {
  const assertions = earlier.filter((record): record is AssertionRecord => record.kind === 'assertion')
  const again = assertions[of % Math.max(1, assertions.length)]
  return again === undefined ? note(clock) : { ...again, evidence }
})

/** Where there is nothing to refer to: a record that no fact depends on. */
function note(clock: string): EpisodeRecord {
  return { kind: 'episode', id: 'note', clock, at: new Date(0).toISOString(), author: 'event', episodeKind: 'event', text: '' }
}

export const episodeDraft: fc.Arbitrary<Draft> = fc
  .record({ id: fc.nat(4), at: fc.nat(1), text: pick(TEXTS), session: pick(SESSIONS) })
  .map(
    ({ id, at, text, session }) =>
      clock =>
        ({
          kind: 'episode',
          id: `e${id}`,
          clock,
          at: new Date(BASE * 1000 + at).toISOString(),
          author: 'user',
          episodeKind: 'message',
          text,
          ...(session === undefined ? {} : { session }),
        }) satisfies EpisodeRecord,
  )

/** @param ids the decision's own; @param targets of what */
export function decisionDraft(ids: fc.Arbitrary<string>, targets: fc.Arbitrary<string>): fc.Arbitrary<Draft> {
  const verdict = pick(['confirm', 'confirm', 'reject', 'promote', 'hold', 'extend'] as const)
  return fc
    .record({ id: ids, by: actor, verdict, target: targets })
    .map(rest => clock => ({ kind: 'decision', clock, ...rest }) satisfies DecisionRecord)
}

export function undoDraft(ids: fc.Arbitrary<string>, decisions: fc.Arbitrary<string>): fc.Arbitrary<Draft> {
  return fc
    .record({ id: ids, by: actor, target: decisions })
    .map(rest => clock => ({ kind: 'decision', verdict: 'undo', clock, ...rest }) satisfies DecisionRecord)
}

export const extractionDraft: fc.Arbitrary<Draft> = fc.record({ id: fc.nat(3), episode: fc.nat(4), version: fc.nat(2) }).map(
  ({ id, episode, version }) =>
    clock =>
      ({
        kind: 'extraction',
        id: `x${id}`,
        clock,
        episode: `e${episode}`,
        extractor: 'plain',
        version,
        outcomes: [{ code: 'written', assertion: 'a0' }],
      }) satisfies ExtractionRecord,
)

export function schemaOf(clock: string, version: number, rules: readonly { many: boolean; latest: boolean }[]): SchemaRecord {
  const attributes = rules.map(({ many, latest }, index) => ({
    name: ATTRIBUTES[index] as string,
    many,
    type: 'fact',
    onEqualSecond: latest ? ('latest' as const) : ('reject' as const),
  }))
  return { kind: 'schema', id: `schema-${version}`, clock, version, unknownAttributes: 'accept', attributes }
}

export const schemaDraft: fc.Arbitrary<Draft> = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.array(fc.record({ many: fc.boolean(), latest: fc.boolean() }), { maxLength: 3 }))
  .map(
    ([version, rules]) =>
      clock =>
        schemaOf(clock, version, rules),
  )

/** Key k1 has two secrets: two devices made it apart. */
export const keyDraft: fc.Arbitrary<Draft> = fc
  .nat(2)
  .map(
    which => clock =>
      ({ kind: 'tenantKey', id: which === 0 ? 'k0' : 'k1', clock, secret: SECRETS[which] as string }) satisfies TenantKeyRecord,
  )

const scope = fc
  .record({
    what: pick(['slot', 'subject', 'session'] as const),
    subject: pick(SUBJECTS),
    attribute: pick(ATTRIBUTES),
    session: pick(SESSIONS),
    which: fc.nat(2),
  })
  .map(({ what, subject, attribute, session, which }) => {
    const text =
      what === 'slot'
        ? tagText.slot(subject, attribute)
        : what === 'subject'
          ? tagText.subject(subject)
          : tagText.session(session ?? 'monday')
    return { what, key: which === 0 ? 'k0' : 'k1', tag: keyedTag(SECRETS[which] as string, text) }
  })

/** @param assertions the ids it may name */
export function erasureDraft(assertions: fc.Arbitrary<string>): fc.Arbitrary<Draft> {
  const some = <T>(items: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
    fc.oneof(
      { weight: 2, arbitrary: fc.constant<T[]>([]) },
      { weight: 1, arbitrary: fc.array(items, { minLength: 1, maxLength: 2 }) },
    )
  return fc
    .record({
      id: fc.nat(3).map(nr => `g${nr}`),
      by: actor,
      assertions: some(assertions),
      episodes: some(fc.nat(4).map(nr => `e${nr}`)),
      redactions: some(
        fc
          .record({ episode: fc.nat(4).map(nr => `e${nr}`), start: fc.nat(9), end: fc.nat(5) })
          .map(range => ({ ...range, end: range.start + range.end })),
      ),
      scopes: some(scope),
      everything: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
      touched: some(scope.map(({ key, tag }) => ({ key, tag }))),
    })
    .map(rest => clock => ({ kind: 'erasure', clock, ...rest }) satisfies ErasureRecord)
}

/** Gives every draft its clock and makes the records. @param apart whether no two records share a clock */
export function history(drafts: readonly { readonly ms: number; readonly draft: Draft }[], apart: boolean): AnyRecord[] {
  const records: AnyRecord[] = []
  for (const [index, { ms, draft }] of drafts.entries()) records.push(draft(clockAt(ms, apart ? index + 1 : 0), records))
  return records
}
