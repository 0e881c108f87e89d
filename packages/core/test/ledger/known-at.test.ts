/** "What did we believe on D": the same rule over the assertions and decisions recorded up to D, schema and erasures as of now. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { factId } from '../../src/ledger/fact-builder.ts'
import { runAt, runsOf } from '../../src/ledger/runs.ts'
import type { LedgerState } from '../../src/ledger/state.ts'
import type { AnyRecord, TenantRecord } from '../../src/records/record.ts'
import { oracleFacts, type OracleFact } from '../oracle/facts-oracle.ts'
import { isoSecond } from '../oracle/rule-oracle.ts'
import { canonical } from '../oracle/survivors-oracle.ts'
import { cases } from '../oracle/soak.ts'
import {
  assertionDraft,
  clockAt,
  decisionDraft,
  erasureDraft,
  history,
  keyDraft,
  schemaDraft,
  undoDraft,
  type Draft,
} from './histories.ts'
import { withLedger } from './open-ledger.ts'

const assertionId = fc.nat(14).map(nr => `a${nr}`)
const decisionId = fc.nat(5).map(nr => `d${nr}`)
const draft: fc.Arbitrary<Draft> = fc.oneof(
  { weight: 10, arbitrary: assertionDraft(fc.constant('')) },
  { weight: 4, arbitrary: decisionDraft(decisionId, assertionId) },
  { weight: 2, arbitrary: undoDraft(decisionId, decisionId) },
  { weight: 1, arbitrary: erasureDraft(assertionId) },
  { weight: 1, arbitrary: keyDraft },
  { weight: 2, arbitrary: schemaDraft },
)
const histories = fc
  .array(fc.record({ ms: fc.nat(12), draft }), { minLength: 1, maxLength: 25, size: 'max' })
  .map(drafts =>
    history(drafts, true).map((record, index): AnyRecord =>
      record.kind === 'assertion' ? { ...record, id: `a${index}` } : record,
    ),
  )

type Seen = Omit<OracleFact, 'supersedes'>

function believed(state: LedgerState, bound: string | undefined): Seen[] {
  return state.db.all<[number]>('select nr from slot').flatMap(([slot]) => {
    const { tenant, subject, attribute } = state.slotRow(slot)
    return runsOf(state, slot, bound).map(({ run }) => ({
      tenant: state.db.first<[string]>('select id from tenant where nr = ?', [tenant])?.[0] ?? '',
      subject,
      attribute,
      id: factId(run),
      value: run.value,
      validFrom: isoSecond(run.from),
      validTo: run.to === null ? null : isoSecond(run.to),
    }))
  })
}

const text = (facts: readonly Seen[]): string[] => facts.map(canonical).toSorted()
const expectedOf = (items: readonly TenantRecord[]): string[] =>
  text(oracleFacts(items).map(({ supersedes: _, ...fact }) => fact))

test('what was believed then, and what is believed now', () => {
  fc.assert(
    fc.property(histories, fc.nat(13), (records, ms) => {
      const items = records.map(record => ({ tenant: 'acme', record }))
      const bound = clockAt(ms, 0)
      const known = items.filter(
        ({ record }) => (record.kind !== 'assertion' && record.kind !== 'decision') || record.clock < bound,
      )
      withLedger(ledger => {
        ledger.apply(items)
        expect(text(believed(ledger.state, undefined))).toEqual(expectedOf(items))
        expect(text(believed(ledger.state, bound))).toEqual(expectedOf(known))
      })
    }),
    cases(500, 20_000),
  )
}, 600_000)

test('variants that share a clock: the one that stands now is the one that stood then, in any order of arrival', () => {
  const variant = (value: string): TenantRecord => ({
    tenant: 'acme',
    record: {
      kind: 'assertion',
      id: 'a',
      clock: clockAt(1, 0),
      by: 'user',
      subject: 'mira',
      attribute: 'home',
      statement: 'value',
      value,
      validFrom: '2026-01-01T00:00:00Z',
      validUntil: null,
      dated: true,
      trust: 'user',
      saidAt: '2026-01-01T00:00:00.000Z',
      saidOffset: 0,
      evidence: [],
      born: 'accepted',
      memoryType: 'fact',
      schemaVersion: 1,
    },
  })
  for (const items of [
    [variant('Oslo'), variant('Bergen')],
    [variant('Bergen'), variant('Oslo')],
  ])
    withLedger(ledger => {
      ledger.apply(items)
      expect(text(believed(ledger.state, clockAt(2, 0)))).toEqual(text(believed(ledger.state, undefined)))
    })
})

test('what holds at a second is the fact whose interval contains it', () => {
  fc.assert(
    fc.property(histories, records => {
      const items = records.map(record => ({ tenant: 'acme', record }))
      withLedger(ledger => {
        ledger.apply(items)
        const start = Date.parse('2026-01-01T00:00:00Z') / 1000
        for (let second = start - 1; second < start + 17; second++) {
          const at = isoSecond(second)
          const holding = ledger.db.all<[number]>('select nr from slot').flatMap(([slot]) => {
            const found = runAt(ledger.state, slot, second)
            return found === undefined ? [] : [factId(found.run)]
          })
          const expected = oracleFacts(items).filter(
            ({ validFrom, validTo }) => validFrom <= at && (validTo === null || at < validTo),
          )
          expect(holding.toSorted()).toEqual(expected.map(({ id }) => id).toSorted())
        }
      })
    }),
    cases(60, 2000),
  )
}, 600_000)
