import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AnyRecord, TenantRecord } from '../../src/records/record.ts'
import type { OperationRecord } from '../../src/records/operation.ts'
import { oracleFacts } from '../oracle/facts-oracle.ts'
import { cases, forSoak } from '../oracle/soak.ts'
import { canonical, survivors } from '../oracle/survivors-oracle.ts'
import { canonicalState, KNOWN_TABLES } from './canonical-state.ts'
import {
  againDraft,
  assertionDraft,
  decisionDraft,
  episodeDraft,
  erasureDraft,
  extractionDraft,
  history,
  keyDraft,
  schemaDraft,
  undoDraft,
  type Draft,
} from './histories.ts'
import { published, publishedFacts, withLedger, type TestLedger } from './open-ledger.ts'
import { randomFrom, shuffled, type Random } from '../../../../test/support/random.ts'

const SHUFFLES = forSoak(6, 12)
const assertionId = fc.nat(5).map(nr => `a${nr}`)
const decisionId = fc.nat(4).map(nr => `d${nr}`)

const operationDraft: fc.Arbitrary<Draft> = fc
  .nat(9)
  .map(
    nr => clock =>
      ({ kind: 'operation', id: `o${nr}`, clock, key: `${clock}/${nr}`, digest: 'd', result: { nr } }) satisfies OperationRecord,
  )

const draft: fc.Arbitrary<Draft> = fc.oneof(
  { weight: 8, arbitrary: assertionDraft(assertionId) },
  { weight: 3, arbitrary: againDraft },
  { weight: 4, arbitrary: episodeDraft },
  { weight: 3, arbitrary: decisionDraft(decisionId, assertionId) },
  { weight: 2, arbitrary: undoDraft(decisionId, decisionId) },
  { weight: 2, arbitrary: erasureDraft(assertionId) },
  { weight: 1, arbitrary: keyDraft },
  { weight: 2, arbitrary: schemaDraft },
  { weight: 1, arbitrary: extractionDraft },
  { weight: 1, arbitrary: operationDraft },
)

function histories(apart: boolean): fc.Arbitrary<TenantRecord[]> {
  const one = fc.record({ ms: fc.nat(apart ? 12 : 4), draft, tenant: fc.constantFrom('acme', 'acme', 'acme', 'acme-corp') })
  return fc
    .array(one, { minLength: 1, maxLength: 30, size: 'max' })
    .map(all => history(all, apart).map((record, index) => ({ tenant: all[index]?.tenant ?? 'acme', record })))
}

/** In transactions of any size, some of them rolled back first. */
function applyInParts(ledger: TestLedger, items: readonly TenantRecord[], random: Random): void {
  for (let from = 0; from < items.length;) {
    const part = items.slice(from, from + 1 + random(5))
    if (random(6) === 0) ledger.applyInVain(part)
    ledger.apply(part)
    from += part.length
  }
}

function converges(items: readonly TenantRecord[]): void {
  const inOrder = withLedger(ledger => {
    ledger.apply(items)
    return canonicalState(ledger.db)
  })
  for (let seed = 1; seed <= SHUFFLES; seed++) {
    const random = randomFrom(seed)
    const order = shuffled([...items, ...items.filter(() => random(3) === 0)], random)
    const got = withLedger(ledger => {
      applyInParts(ledger, order, random)
      const state = canonicalState(ledger.db)
      ledger.apply(items)
      expect(canonicalState(ledger.db), 'applied once more').toEqual(state)
      expect(ledger.db.all('pragma integrity_check')).toEqual([['ok']])
      return state
    })
    if (got.join('\n') !== inOrder.join('\n')) expect({ order, state: got }).toEqual({ order, state: inOrder })
  }
}

test('any order, any duplication, any split: the same state', () => {
  fc.assert(fc.property(histories(true), converges), cases(100, 600))
}, 600_000)

test('also where records share clocks', () => {
  fc.assert(fc.property(histories(false), converges), cases(60, 600))
}, 600_000)

test('the facts are those of the oracle', () => {
  fc.assert(
    fc.property(histories(true), items => {
      withLedger(ledger => {
        ledger.apply(items)
        expect(publishedFacts(ledger.db)).toEqual(published(oracleFacts(items)))
      })
    }),
    cases(400, 8000),
  )
}, 600_000)

test('what is left of episodes, assertions, evidence, decisions and extractions is what the oracle leaves', () => {
  fc.assert(
    fc.property(histories(true), items => {
      withLedger(ledger => {
        ledger.apply(items)
        expect(leftIn(ledger)).toEqual(leftByOracle(items))
      })
    }),
    cases(400, 8000),
  )
}, 600_000)

function leftIn({ db }: TestLedger): string[] {
  const bodies = (sql: string): string[] => db.all<[string, string]>(sql).map(([tenant, body]) => `${tenant} ${body}`)
  const assertions = db.all<[string, string, string, string, string | null]>(
    `select t.id, a.id, a.clock, s.subject || '/' || s.attribute,
       (select group_concat(e.id || ':' || v.start || ':' || v.stop, ' ' order by e.id, v.start, v.stop) from evidence v join episode_id e on e.nr = v.ref where v.assertion = a.nr)
     from assertion a join tenant t on t.nr = a.tenant join slot s on s.nr = a.slot`,
  )
  return [
    ...bodies('select t.id, x.body from episode x join tenant t on t.nr = x.tenant'),
    ...bodies('select t.id, x.body from decision x join tenant t on t.nr = x.tenant'),
    ...bodies('select t.id, x.body from extraction x join tenant t on t.nr = x.tenant'),
    ...assertions.map(([tenant, id, clock, slot, evidence]) => `${tenant} ${id} ${clock} ${slot} ${evidence ?? ''}`),
    ...db
      .all<[string, string]>("select t.id, 'shown ' || x.body from episode x join tenant t on t.nr = x.tenant where x.shown = 1")
      .map(row => row.join(' ')),
  ].toSorted()
}

function leftByOracle(items: readonly TenantRecord[]): string[] {
  return [...new Set(items.map(item => item.tenant))]
    .flatMap(tenant => {
      const left = survivors(items.filter(item => item.tenant === tenant).map(item => item.record))
      const shown = [...new Set(left.episodes.map(({ id }) => id))].map(
        id => left.episodes.filter(episode => episode.id === id).toSorted((a, b) => (a.clock < b.clock ? -1 : 1))[0],
      )
      const records: readonly (AnyRecord | undefined)[] = [...left.episodes, ...left.decisions, ...left.extractions]
      return [
        ...records.map(record => `${tenant} ${canonical(record)}`),
        ...left.assertions.map(({ record, evidence }) => {
          const links = evidence.toSorted((a, b) =>
            a.episode === b.episode
              ? (a.start ?? -1) - (b.start ?? -1) || (a.end ?? -1) - (b.end ?? -1)
              : a.episode < b.episode
                ? -1
                : 1,
          )
          const written = links.map(({ episode, start, end }) => `${episode}:${start ?? -1}:${end ?? -1}`).join(' ')
          return `${tenant} ${record.id} ${record.clock} ${record.subject}/${record.attribute} ${written}`
        }),
        ...shown.map(episode => `${tenant} shown ${canonical(episode)}`),
      ]
    })
    .toSorted()
}

test('two operations under one key leave one answer, the same in any order', () => {
  const operation = (id: string, ms: number): TenantRecord => ({
    tenant: 'acme',
    record: { kind: 'operation', id, clock: `00000000000${ms}-0000-dev`, key: 'same', digest: 'd', result: id },
  })
  const states = [
    [operation('o1', 1), operation('o2', 2)],
    [operation('o2', 2), operation('o1', 1)],
  ].map(items =>
    withLedger(ledger => {
      ledger.apply(items)
      return canonicalState(ledger.db)
    }),
  )
  expect(states[1]).toEqual(states[0])
})

test('no table escapes the comparison', () => {
  withLedger(({ db }) => {
    expect(db.all("select name from sqlite_schema where type = 'table' order by name").flat()).toEqual(KNOWN_TABLES)
  })
})
