/** Statements of one second that meet by merging: what ranks them, in order, on every device alike. */
import { describe, expect, test } from 'vitest'
import type { Author, Fact, TenantMemory } from '../../src/index.ts'
import { openTenant } from './open.ts'

const AT = '2026-06-01T12:00:00Z'
const NOON = Date.parse(AT)

interface Said {
  readonly value: string
  readonly author?: Author
  /** Milliseconds after AT at which the episode was said. */
  readonly afterMs?: number
  /** Where in the episode's text the quote stands. */
  readonly offset?: number
  /** Milliseconds after AT at which it was recorded. */
  readonly recordedMs?: number
  /** When the user confirms it, in milliseconds after AT. */
  readonly confirmedMs?: number
}

/** A device of its own for each statement, so that no policy of a local write has a say. */
async function device(said: Said, index: number): Promise<TenantMemory> {
  const { value, author = 'user', afterMs = 0, offset = 0, recordedMs = 1000, confirmedMs } = said
  let now = NOON + recordedMs
  const mine = await openTenant({ now: () => now })
  const text = `${'.'.repeat(offset)}${value}`
  const from = await mine.record({ id: `e${index}`, text, author, at: new Date(NOON + afterMs) })
  const { id } = await mine.assert({ subject: 's', attribute: 'x', value, validFrom: AT, from, quote: value })
  if (confirmedMs !== undefined) {
    now = NOON + confirmedMs
    await mine.confirm(id)
  }
  return mine
}

const cases: readonly (readonly [why: string, winner: Said, loser: Said])[] = [
  [
    'a confirmation by the user outranks trust',
    { value: 'w', author: 'assistant', confirmedMs: 5000 },
    { value: 'l', author: 'user', afterMs: 500, recordedMs: 9000 },
  ],
  [
    'of two confirmations the later one',
    { value: 'w', author: 'assistant', confirmedMs: 6000 },
    { value: 'l', author: 'user', confirmedMs: 5000 },
  ],
  ['user over event', { value: 'w', author: 'user' }, { value: 'l', author: 'event', afterMs: 500, recordedMs: 9000 }],
  ['event over tool', { value: 'w', author: 'event' }, { value: 'l', author: 'tool', afterMs: 500, recordedMs: 9000 }],
  ['tool over document', { value: 'w', author: 'tool' }, { value: 'l', author: 'document', afterMs: 500, recordedMs: 9000 }],
  [
    'document over assistant',
    { value: 'w', author: 'document' },
    { value: 'l', author: 'assistant', afterMs: 500, recordedMs: 9000 },
  ],
  ['said later, to the millisecond', { value: 'w', afterMs: 2 }, { value: 'l', afterMs: 1, offset: 9, recordedMs: 9000 }],
  ['said later in the text', { value: 'w', offset: 9 }, { value: 'l', offset: 3, recordedMs: 9000 }],
  ['recorded later', { value: 'w', recordedMs: 2001 }, { value: 'l', recordedMs: 2000 }],
]

describe.each(cases)('%s', (_, winner, loser) => {
  test.each([
    ['the winner first', [winner, loser]],
    ['the loser first', [loser, winner]],
  ])('%s', async (_order, order) => {
    const devices = await Promise.all([winner, loser].map((said, index) => device(said, index)))
    const target = await openTenant({ now: () => NOON + 20_000 })
    for (const said of order) await target.merge(await (devices[said === winner ? 0 : 1] as TenantMemory).records())
    const fact = (await target.get('s', 'x')) as Fact
    expect(fact.value).toBe('w')
    expect((await target.facts({ history: true })).facts).toHaveLength(1)
    for (const each of devices) {
      await each.merge(await target.records())
      expect(await each.records()).toEqual(await target.records())
      expect(await each.get('s', 'x')).toEqual(fact)
    }
  })
})

test('the one that starts latest holds, whatever its trust, confirmation or order of telling', async () => {
  const mine = await openTenant()
  const episode = await mine.record({ text: 'x', author: 'assistant', at: AT })
  const early = await mine.assert({ subject: 's', attribute: 'x', value: 'early', validFrom: '2026-01-01' })
  await mine.assert({ subject: 's', attribute: 'x', value: 'late', validFrom: '2026-01-01T00:00:01Z', from: episode })
  await mine.confirm(early.id)
  expect(await mine.get('s', 'x')).toMatchObject({ value: 'late' })
  // A bounded one that starts later gives way again when it ends; one that started before it stays below it.
  await mine.assert({ subject: 's', attribute: 'x', value: 'trip', validFrom: '2026-02-01', validUntil: '2026-02-10' })
  await mine.assert({ subject: 's', attribute: 'x', value: 'longer', validFrom: '2026-01-20', validUntil: '2026-03-01' })
  const { facts } = await mine.facts({ history: true })
  expect(facts.map(fact => [fact.value, fact.validFrom.slice(5, 10)])).toEqual([
    ['early', '01-01'],
    ['late', '01-01'],
    ['longer', '01-20'],
    ['trip', '02-01'],
    ['longer', '02-10'],
    ['late', '03-01'],
  ])
  expect(new Set(facts.map(fact => fact.id)).size).toBe(6)
  for (const fact of facts) expect(await mine.fact(fact.id)).toEqual(fact)
})
