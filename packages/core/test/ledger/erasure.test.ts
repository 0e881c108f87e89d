/** Corners of erasure that random histories seldom reach: the very clock of an erasure, and an undo that is erased itself. */
import { expect, test } from 'vitest'
import { keyedTag, tagText } from '../../src/ledger/state.ts'
import type { AnyRecord } from '../../src/records/record.ts'
import type { ErasureRecord } from '../../src/records/erasure.ts'
import { oracleFacts } from '../oracle/facts-oracle.ts'
import { survivors } from '../oracle/survivors-oracle.ts'
import { clockAt } from './histories.ts'
import { published, publishedFacts, withLedger } from './open-ledger.ts'

const secret = '0a'.repeat(32)
const key: AnyRecord = { kind: 'tenantKey', id: 'k', clock: clockAt(0, 0), secret }
const said = (id: string, ms: number): AnyRecord => ({
  kind: 'assertion',
  id,
  clock: clockAt(ms, 0),
  by: 'user',
  subject: 'mira',
  attribute: 'home',
  statement: 'value',
  value: id,
  validFrom: `2026-01-0${ms}T00:00:00Z`,
  validUntil: null,
  dated: true,
  trust: 'user',
  saidAt: '2026-01-01T00:00:00.000Z',
  saidOffset: 0,
  evidence: [],
  born: 'accepted',
  memoryType: 'fact',
  schemaVersion: 1,
})
const heard = (id: string, ms: number): AnyRecord => ({
  kind: 'episode',
  id,
  clock: clockAt(ms, 0),
  at: '2026-01-01T00:00:00.000Z',
  author: 'user',
  episodeKind: 'message',
  text: id,
  session: 'monday',
})
const decided = (id: string, ms: number, verdict: 'reject' | 'undo', target: string): AnyRecord => ({
  kind: 'decision',
  id,
  clock: clockAt(ms, 0),
  by: 'user',
  verdict,
  target,
})
const erased = (ms: number, more: Partial<ErasureRecord>): AnyRecord => ({
  kind: 'erasure',
  id: 'g',
  clock: clockAt(ms, 0),
  by: 'user',
  episodes: [],
  assertions: [],
  redactions: [],
  scopes: [],
  everything: false,
  touched: [],
  ...more,
})

/** Ids of facts and episodes that are left, in every rotation of the records; the oracle must leave the same. */
function left(records: readonly AnyRecord[]): string[] {
  const items = records.map(record => ({ tenant: 'acme', record }))
  const found = records.map((_, turn) =>
    withLedger(ledger => {
      for (const item of [...items.slice(turn), ...items.slice(0, turn)]) ledger.apply([item])
      expect(publishedFacts(ledger.db)).toEqual(published(oracleFacts(items)))
      const episodes = ledger.db
        .all<[string]>('select e.id from episode x join episode_id e on e.nr = x.ref order by e.id')
        .flat()
      expect(episodes).toEqual(
        survivors(records)
          .episodes.map(({ id }) => id)
          .toSorted(),
      )
      return [...ledger.db.all<[string]>('select memory_id from memory_facts order by memory_id').flat(), ...episodes]
    }),
  )
  for (const other of found) expect(other).toEqual(found[0])
  return found[0] ?? []
}

const statements = [said('before', 4), said('at', 5), said('after', 6)]

test.each<[string, Partial<ErasureRecord>]>([
  ['slot', { scopes: [{ what: 'slot', key: 'k', tag: keyedTag(secret, tagText.slot('mira', 'home')) }] }],
  ['subject', { scopes: [{ what: 'subject', key: 'k', tag: keyedTag(secret, tagText.subject('mira')) }] }],
  ['everything', { everything: true }],
])('forgetting by %s reaches up to its clock, that included', (_, scope) => {
  expect(left([key, ...statements, erased(5, scope)])).toEqual(['after'])
})

test.each<[string, Partial<ErasureRecord>]>([
  ['session', { scopes: [{ what: 'session', key: 'k', tag: keyedTag(secret, tagText.session('monday')) }] }],
  ['everything', { everything: true }],
])('forgetting episodes by %s reaches up to its clock, that included', (_, scope) => {
  expect(left([key, heard('before', 4), heard('at', 5), heard('after', 6), erased(5, scope)])).toEqual(['after'])
})

test('forgetting by id knows no clock', () => {
  expect(left([...statements, heard('e', 9), erased(1, { assertions: ['at', 'after'], episodes: ['e'] })])).toEqual(['before'])
})

test('a tag under a key that is not here erases nothing', () => {
  expect(
    left([...statements, erased(9, { scopes: [{ what: 'subject', key: 'k', tag: keyedTag(secret, tagText.subject('mira')) }] })]),
  ).toEqual(['after', 'at', 'before'])
})

test('a decision up to the clock of an erasure of everything goes with it, a later one stays', () => {
  expect(left([said('after', 6), decided('no', 5, 'reject', 'after'), erased(5, { everything: true })])).toEqual(['after'])
  expect(left([said('after', 6), decided('no', 6, 'reject', 'after'), erased(5, { everything: true })])).toEqual([])
})

test('an undo that is erased no longer undoes', () => {
  expect(
    left([
      said('after', 6),
      decided('no', 7, 'reject', 'after'),
      decided('back', 5, 'undo', 'no'),
      erased(4, { everything: true }),
    ]),
  ).toEqual(['after'])
  expect(
    left([
      said('after', 6),
      decided('no', 7, 'reject', 'after'),
      decided('back', 5, 'undo', 'no'),
      erased(5, { everything: true }),
    ]),
  ).toEqual([])
})

test('saying it again later is new and allowed', () => {
  expect(left([said('at', 5), erased(5, { everything: true }), said('again', 6)])).toEqual(['again'])
})
