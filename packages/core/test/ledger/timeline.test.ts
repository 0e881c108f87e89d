import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Statement } from '../../src/ledger/precedence.ts'
import { holderAt, runs, segments } from '../../src/ledger/timeline.ts'
import { isoSecond, oracleHolder, oracleRuns, secondsOfInterest } from '../oracle/rule-oracle.ts'
import { cases } from '../oracle/soak.ts'

// Few seconds, few values: starts at the same second, ends inside others and retractions are the rule, not the exception.
const statement = fc.record({
  from: fc.nat(9),
  lasts: fc.option(fc.integer({ min: 1, max: 6 })),
  value: fc.constantFrom('"x"', '"y"', '1', null),
  trust: fc.nat(2),
  confirmed: fc.option(fc.nat(2), { freq: 3 }),
  saidMs: fc.nat(1),
  saidOffset: fc.nat(1),
  clock: fc.nat(3),
})
const statements = fc.array(statement, { maxLength: 9 }).map(all =>
  all.map(({ lasts, confirmed, clock, ...rest }, index): Statement => ({
    ...rest,
    nr: index + 1,
    id: `a${index}`,
    until: lasts === null ? null : rest.from + lasts,
    confirmed: confirmed === null ? null : clockText(confirmed),
    clock: clockText(clock),
  })),
)

function clockText(ms: number): string {
  return `${ms.toString(16).padStart(12, '0')}-0000-d`
}

test('runs are those that the rule gives second by second', () => {
  fc.assert(
    fc.property(statements, fc.boolean(), (all, skipTrust) => {
      const got = runs(all, skipTrust).map(({ founder, resumed, from, to, value }) => ({
        id: resumed ? `${founder.id}@${isoSecond(from)}` : founder.id,
        value,
        from,
        to,
      }))
      expect(got).toEqual(oracleRuns(all, skipTrust))
    }),
    cases(20_000, 400_000),
  )
}, 600_000)

test('the order in which statements are given does not matter', () => {
  fc.assert(
    fc.property(statements, fc.boolean(), fc.infiniteStream(fc.nat()), (all, skipTrust, random) => {
      const keys = new Map(all.map(one => [one, random.next().value as number]))
      const shuffled = all.toSorted((a, b) => (keys.get(a) as number) - (keys.get(b) as number))
      expect(runs(shuffled, skipTrust)).toEqual(runs(all, skipTrust))
    }),
    cases(3000, 50_000),
  )
}, 600_000)

test('one holder at every second', () => {
  fc.assert(
    fc.property(statements, fc.boolean(), (all, skipTrust) => {
      for (const t of secondsOfInterest(all)) expect(holderAt(all, t, skipTrust)?.id).toBe(oracleHolder(all, t, skipTrust)?.id)
    }),
    cases(5000, 100_000),
  )
}, 600_000)

test('segments partition the window, and each is held by whom the rule names', () => {
  const window = fc.tuple(fc.constantFrom(-Infinity, -1, 0, 2, 4, 7), fc.option(fc.integer({ min: 1, max: 9 })))
  fc.assert(
    fc.property(statements, window, fc.boolean(), (all, [start, length], skipTrust) => {
      const end = length === null ? null : start === -Infinity ? length : start + length
      const got = segments(all, start, end, skipTrust)
      expect(got[0]?.from).toBe(start)
      expect(got.at(-1)?.to).toBe(end)
      for (const [index, { from, to, holder }] of got.entries()) {
        if (index > 0) expect(from).toBe(got[index - 1]?.to)
        if (to !== null) expect(to).toBeGreaterThan(from)
        for (let t = Math.max(from, -2); t < (to ?? 20); t++) expect(holder?.id).toBe(oracleHolder(all, t, skipTrust)?.id)
      }
    }),
    cases(20_000, 200_000),
  )
}, 600_000)
