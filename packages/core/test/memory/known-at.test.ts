/** What was known when: the rule of time over what had been learned by then, on every read. */
import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineSchema, type Fact, type FactsPage, type TenantMemory } from '../../src/index.ts'
import { open } from './open.ts'
import { life } from './random-life.ts'
import { randomFrom } from '../../../../test/support/random.ts'

const START = Date.parse('2026-06-10T00:00:00Z')

class Clock {
  ms = START
  /** A moment after everything that was done, and before everything that will be. */
  tick(): Date {
    this.ms += 10_000
    return new Date(this.ms - 5_000)
  }
}

async function scene(): Promise<{ mine: TenantMemory; clock: Clock }> {
  const clock = new Clock()
  return { mine: (await open({ now: () => clock.ms })).tenant('t', { actor: 'user' }), clock }
}

test.each([21, 22, 23, 24, 25])('seed %i: what reads said then, they say again with knownAt', async seed => {
  const { mine, clock } = await scene()
  const lived = life(mine, randomFrom(seed), 'k', { forgets: false })
  const AT = '2026-01-01T15:00:00Z'
  const reads = async (options: { knownAt?: Date }): Promise<unknown> => ({
    history: await mine.facts({ history: true, limit: 1000, ...options }),
    at: await mine.facts({ at: AT, limit: 1000, ...options }),
    get: await mine.get('s0', 'a0', { at: AT, ...options }),
    standing: await mine.standing('s1', 'a1', { at: AT, ...options }),
    episodes: await mine.episodes({ limit: 1000, ...options }),
  })
  const said: (readonly [Date, unknown])[] = []
  for (let step = 0; step < 120; step++) {
    await lived.step()
    said.push([clock.tick(), await reads({})])
  }
  for (const [knownAt, answer] of said) expect(await reads({ knownAt })).toEqual(answer)
})

test('it is inclusive to the millisecond, and nothing was known before the first record', async () => {
  const { mine, clock } = await scene()
  const { id } = await mine.assert({ subject: 's', attribute: 'x', value: 1, validFrom: '2026-01-01' })
  const { recordedAt } = (await mine.fact(id)) as Fact
  expect(recordedAt).toBe(new Date(START).toISOString())
  clock.tick()
  const at = '2026-02-01'
  expect(await mine.get('s', 'x', { at, knownAt: recordedAt })).toMatchObject({ id })
  expect(await mine.get('s', 'x', { at, knownAt: new Date(START - 1) })).toBeUndefined()
  expect(await mine.fact(id, { knownAt: recordedAt })).toMatchObject({ id })
  expect(await mine.fact(id, { knownAt: new Date(START - 1) })).toBeUndefined()
  expect((await mine.facts({ at, knownAt: new Date(START - 1), history: true })).facts).toEqual([])
  expect(await mine.standing('s', 'x', { at, knownAt: new Date(START - 1) })).toEqual({ state: 'never', facts: [] })
  expect(await mine.get('s', 'x', { at, knownAt: '0001-01-01' })).toBeUndefined()
  expect(await mine.get('s', 'x', { at, knownAt: '1969-12-31' })).toBeUndefined()
  expect(await mine.get('s', 'x', { at, knownAt: '9999-12-31' })).toMatchObject({ id })
})

test('a fact is told as it was known: its end, what it superseded, its evidence and its rivals', async () => {
  const { mine, clock } = await scene()
  for (const n of [1, 2]) await mine.record({ id: `e${n}`, text: 'a', author: 'user', at: `2026-01-0${n}T00:00:00Z` })
  const said = { subject: 's', attribute: 'x', value: 'a', validFrom: '2026-01-01' } as const
  const a = await mine.assert({ ...said, from: 'e1' })
  const alone = clock.tick()
  await mine.assert({ ...said, from: 'e2' })
  const twice = clock.tick()
  const b = await mine.assert({ subject: 's', attribute: 'x', value: 'b', validFrom: '2026-03-01' })
  const closed = clock.tick()
  const late = await mine.assert({ subject: 's', attribute: 'x', value: 'z', validFrom: '2025-12-01' })
  clock.tick()
  expect(await mine.fact(a.id, { knownAt: alone })).toMatchObject({
    validTo: null,
    supersedes: null,
    sources: [{ episode: 'e1' }],
  })
  expect((await mine.fact(a.id, { knownAt: alone }))?.sources).toHaveLength(1)
  expect((await mine.fact(a.id, { knownAt: alone }))?.assertions).toEqual([a.id])
  expect((await mine.fact(a.id, { knownAt: twice }))?.sources).toHaveLength(2)
  expect(await mine.fact(a.id, { knownAt: closed })).toMatchObject({ validTo: '2026-03-01T00:00:00Z', supersedes: null })
  expect(await mine.fact(a.id)).toMatchObject({ validTo: '2026-03-01T00:00:00Z', supersedes: late.id })
  expect(await mine.fact(b.id, { knownAt: twice })).toBeUndefined()
  expect(await mine.get('s', 'x', { at: '2026-04-01', knownAt: twice })).toMatchObject({ id: a.id, value: 'a' })
  const history = async (knownAt: Date): Promise<unknown[]> =>
    (await mine.facts({ history: true, knownAt })).facts.map(fact => fact.value)
  expect(await history(alone)).toEqual(['a'])
  expect(await history(closed)).toEqual(['a', 'b'])
})

test('decisions count from when they were taken', async () => {
  const { mine, clock } = await scene()
  const a = await mine.assert({ subject: 's', attribute: 'x', value: 'a', validFrom: '2026-01-01' })
  const said = clock.tick()
  const [rejection] = await mine.reject(a.id)
  const rejected = clock.tick()
  await mine.undo(rejection as string)
  const undone = clock.tick()
  await mine.correct(a.id, { value: 'b' })
  clock.tick()
  const value = async (knownAt?: Date): Promise<unknown> =>
    (await mine.get('s', 'x', { at: '2026-02-01', ...(knownAt === undefined ? {} : { knownAt }) }))?.value
  expect([await value(said), await value(rejected), await value(undone), await value()]).toEqual(['a', undefined, 'a', 'b'])
})

test('it is when this memory learned it, not this device', async () => {
  const clock = new Clock()
  const [laptop, phone] = await Promise.all(
    [0, 1].map(async () => (await open({ now: () => clock.ms })).tenant('t', { actor: 'user' })),
  )
  await laptop?.assert({ subject: 's', attribute: 'x', value: 'a', validFrom: '2026-01-01' })
  await laptop?.record({ id: 'e', text: 'x', author: 'user' })
  const learned = clock.tick()
  await phone?.merge((await laptop?.records()) ?? [])
  clock.tick()
  expect(await phone?.get('s', 'x', { at: '2026-02-01', knownAt: learned })).toMatchObject({ value: 'a' })
  expect((await phone?.episodes({ knownAt: learned }))?.episodes).toHaveLength(1)
  expect((await phone?.episodes({ knownAt: new Date(START - 1) }))?.episodes).toEqual([])
})

test('erasures and the schema are as of now', async () => {
  const { mine, clock } = await scene()
  const { id } = await mine.assert({ subject: 's', attribute: 'x', value: 'a', validFrom: '2026-01-01' })
  await mine.record({ id: 'e', text: 'secret', author: 'user' })
  const before = clock.tick()
  await (await mine.forget({ fact: id })).apply()
  await (await mine.forget({ episode: 'e' })).apply()
  clock.tick()
  expect(await mine.get('s', 'x', { at: '2026-02-01', knownAt: before })).toBeUndefined()
  expect(await mine.fact(id, { knownAt: before })).toBeUndefined()
  expect((await mine.facts({ history: true, knownAt: before })).facts).toEqual([])
  expect((await mine.episodes({ knownAt: before })).episodes).toEqual([])
})

test('many values, and pages of what was known', async () => {
  const clock = new Clock()
  const schema = defineSchema({ version: 1, attributes: { likes: { value: z.string(), many: true } } })
  const mine = (await open({ schema, now: () => clock.ms })).tenant('t', { actor: 'user' })
  const moments: Date[] = []
  for (const value of ['a', 'b', 'c', 'd']) {
    await mine.assert({ subject: 's', attribute: 'likes', value, validFrom: '2026-01-01' })
    moments.push(clock.tick())
  }
  await mine.retract({ subject: 's', attribute: 'likes', value: 'a', validFrom: '2026-01-01T00:00:01Z' })
  clock.tick()
  for (const [i, knownAt] of moments.entries()) {
    const expected = ['a', 'b', 'c', 'd'].slice(0, i + 1)
    expect((await mine.get('s', 'likes', { at: '2026-02-01', knownAt })).map(fact => fact.value).toSorted()).toEqual(expected)
    const paged: string[] = []
    for (let after: string | null = ''; after !== null;) {
      const page: FactsPage = await mine.facts({ at: '2026-02-01', knownAt, limit: 1, ...(after === '' ? {} : { after }) })
      paged.push(...page.facts.map(fact => fact.value as string))
      after = page.next
    }
    expect(paged.toSorted((a, b) => a.localeCompare(b))).toEqual(expected)
  }
  expect((await mine.get('s', 'likes', { at: '2026-02-01' })).map(fact => fact.value).toSorted()).toEqual(['b', 'c', 'd'])
})
