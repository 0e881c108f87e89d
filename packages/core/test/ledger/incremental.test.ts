import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AnyRecord, TenantRecord } from '../../src/records/record.ts'
import { oracleFacts } from '../oracle/facts-oracle.ts'
import { canonical } from '../oracle/survivors-oracle.ts'
import { cases } from '../oracle/soak.ts'
import {
  assertionDraft,
  clockAt,
  decisionDraft,
  erasureDraft,
  history,
  keyDraft,
  schemaOf,
  undoDraft,
  type Draft,
} from './histories.ts'
import { guardsBroken, published, publishedFacts, storedFacts, withLedger } from './open-ledger.ts'

const assertionId = fc.nat(14).map(nr => `a${nr}`)
const decisionId = fc.nat(5).map(nr => `d${nr}`)

const schema = schemaOf(clockAt(0, 0), 1, [
  { many: false, latest: false },
  { many: false, latest: true },
  { many: true, latest: false },
])

function steps(weights: { assert: number; decide: number; erase: number }): fc.Arbitrary<AnyRecord[]> {
  const draft: fc.Arbitrary<Draft> = fc.oneof(
    { weight: weights.assert, arbitrary: assertionDraft(fc.constant('')) },
    { weight: weights.decide, arbitrary: decisionDraft(decisionId, assertionId) },
    { weight: weights.decide / 2, arbitrary: undoDraft(decisionId, decisionId) },
    { weight: weights.erase, arbitrary: erasureDraft(assertionId) },
    { weight: weights.erase / 2, arbitrary: keyDraft },
  )
  // One id, one content: variants are the matter of convergence.test.ts.
  return fc
    .array(fc.record({ ms: fc.nat(20), draft }), { minLength: 1, maxLength: 40, size: 'max' })
    .map(drafts =>
      history(drafts, true).map((record, index) =>
        record.kind === 'assertion' ? { ...record, id: `a${index % 15}${index > 14 ? 'z' : ''}` } : record,
      ),
    )
}

/** `toEqual` for people, but only where there is something to read: it is slow. */
function same(got: readonly unknown[], expected: readonly unknown[]): void {
  if (got.length !== expected.length || got.some((item, index) => item !== expected[index])) expect(got).toEqual(expected)
}

function followsOracle(records: readonly AnyRecord[]): void {
  withLedger(ledger => {
    const known: TenantRecord[] = []
    const said = new Set<string>()
    for (const record of [schema, ...records]) {
      if (record.kind === 'assertion' && said.has(record.id)) continue
      if (record.kind === 'assertion') said.add(record.id)
      known.push({ tenant: 'acme', record })
      ledger.apply([{ tenant: 'acme', record }])
      const stored = storedFacts(ledger.db)
      const oracle = oracleFacts(known)
      const expected = oracle.map(({ supersedes: _, ...fact }) => canonical(fact)).toSorted()
      same(stored.map(({ fact }) => canonical(fact)).toSorted(), expected)
      same(publishedFacts(ledger.db), published(oracle))
      same(guardsBroken(stored), [])
      // A fact whose founder is gone is in no join.
      same(ledger.db.all('select count(*) from fact').flat(), [expected.length])
    }
    expect(ledger.db.all('pragma integrity_check')).toEqual([['ok']])
  })
}

test('facts follow the oracle record by record: assertions and decisions', () => {
  fc.assert(fc.property(steps({ assert: 10, decide: 4, erase: 0 }), followsOracle), cases(350, 12_000))
}, 600_000)

test('facts follow the oracle record by record: erasures too', () => {
  fc.assert(fc.property(steps({ assert: 10, decide: 2, erase: 2 }), followsOracle), cases(350, 12_000))
}, 600_000)

test('facts follow the oracle record by record: assertions alone, in one slot', () => {
  const inOneSlot = steps({ assert: 1, decide: 0, erase: 0 }).map(records =>
    records.map(record => (record.kind === 'assertion' ? { ...record, subject: 'mira', attribute: 'home' } : record)),
  )
  fc.assert(fc.property(inOneSlot, followsOracle), cases(200, 6000))
}, 600_000)

test('the database itself refuses a second open fact and an interval that does not run forward', () => {
  withLedger(({ db }) => {
    db.run("insert into slot (nr, tenant, subject, attribute) values (1, 1, 'mira', 'home'), (2, 1, 'mira', 'work')")
    const insert = (slot: number, from: number, to: number | null) => () =>
      db.run('insert into fact (slot, valid_from, valid_to, founder, resumed) values (?, ?, ?, 1, 0)', [slot, from, to])
    insert(1, 10, null)()
    expect(insert(1, 20, null)).toThrow(/UNIQUE/u)
    expect(insert(1, 10, 15)).toThrow(/UNIQUE/u)
    insert(2, 20, null)()
    expect(insert(1, 5, 5)).toThrow(/CHECK/u)
    expect(insert(1, 5, 4)).toThrow(/CHECK/u)
    expect(() => db.run('update fact set valid_to = null where slot = 1')).not.toThrow()
    insert(1, 1, 5)()
    expect(() => db.run('update fact set valid_to = null where slot = 1 and valid_from = 1')).toThrow(/UNIQUE/u)
    expect(() => db.run("update fact set valid_to = 'later' where slot = 1 and valid_from = 1")).toThrow()
  })
})
