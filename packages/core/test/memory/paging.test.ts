/** Pages: every row once, in the promised order, whatever the limit. */
import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineSchema, type Episode, type Fact, type FactsFilter, type ReadOptions, type TenantMemory } from '../../src/index.ts'
import { openTenant, refusal } from './open.ts'

// In UTF-16 the astral ones come before U+E000 and U+FFFD, in UTF-8 after them: the pages must have one order.
const SUBJECTS = ['a', 'b', 'é', 'ﬀ', '李', '\ue000', '\ufffd', '😀', '𠀀', 'z😀', 'za', 'z\u{1f600}a']

const schema = defineSchema({ version: 1, attributes: { likes: { value: z.string(), many: true } } })

async function told(): Promise<TenantMemory> {
  const mine = await openTenant({ schema })
  await mine.batch(batch => {
    for (const subject of SUBJECTS) {
      for (const month of ['01', '02', '03'])
        batch.assert({ subject, attribute: 'city', value: `${subject} ${month}`, validFrom: `2026-${month}-01` })
      for (const value of ['tea', 'snow', '😀', '']) batch.assert({ subject, attribute: 'likes', value, validFrom: '2026-01-01' })
      batch.assert({ subject, attribute: '😀', value: 1, validFrom: '2026-01-01' })
    }
  })
  return mine as unknown as TenantMemory
}

async function allFacts(mine: TenantMemory, filter: FactsFilter & ReadOptions, limit: number): Promise<Fact[]> {
  const facts: Fact[] = []
  for (let after: string | null | undefined; after !== null;) {
    const page = await mine.facts({ ...filter, limit, ...(after === undefined ? {} : { after }) })
    expect(page.facts.length).toBeLessThanOrEqual(limit)
    // A page that is not the last one is full: nobody is sent on for nothing.
    if (page.next !== null) expect(page.facts).toHaveLength(limit)
    facts.push(...page.facts)
    after = page.next
    if (facts.length > 10_000) throw new Error('the pages do not end')
  }
  return facts
}

const AT = '2026-06-01'

test.each([
  ['what holds', { at: AT }],
  ['history', { history: true }],
  ['history as it was known', { history: true, knownAt: '2999-01-01' }],
  ['one subject', { subject: '😀', history: true }],
  ['one attribute', { attribute: 'likes', at: AT }],
  ['an attribute outside the plane', { attribute: '😀', at: AT }],
  ['one value', { value: 'tea', at: AT }],
  ['a value that is rare', { value: '李 02', history: true }],
  ['nothing', { subject: 'nobody' }],
] as const)('facts by 1, 2 and 3: %s', async (_, filter) => {
  const mine = await told()
  const whole = await mine.facts({ ...filter, limit: 1000 })
  expect(whole.next).toBeNull()
  expect(new Set(whole.facts.map(fact => fact.id)).size).toBe(whole.facts.length)
  for (const limit of [1, 2, 3]) expect(await allFacts(mine, filter, limit), `limit ${limit}`).toEqual(whole.facts)
})

test('the order is subject, attribute, validFrom, id', async () => {
  const mine = await told()
  const { facts } = await mine.facts({ history: true, limit: 1000 })
  expect(facts).toHaveLength(new Set(facts.map(fact => fact.subject)).size * 8)
  const seen: string[] = []
  for (const { subject, attribute } of facts) if (seen.at(-1) !== `${subject}|${attribute}`) seen.push(`${subject}|${attribute}`)
  // Every group stands together.
  expect(new Set(seen).size).toBe(seen.length)
  for (const [index, fact] of facts.entries()) {
    const next = facts[index + 1]
    if (next?.subject !== fact.subject || next.attribute !== fact.attribute) continue
    expect(`${fact.validFrom} ${fact.id}` < `${next.validFrom} ${next.id}`).toBe(true)
  }
})

test('what is written between two pages neither repeats nor hides what was there', async () => {
  const mine = await told()
  const before = (await mine.facts({ history: true, limit: 1000 })).facts.map(fact => fact.id)
  const first = await mine.facts({ history: true, limit: 7 })
  await mine.assert({ subject: 'a', attribute: 'aaa', value: 1 })
  await mine.assert({ subject: 'zz', attribute: 'aaa', value: 1 })
  const rest = await mine.facts({ history: true, limit: 1000, after: first.next as string })
  const seen = [...first.facts, ...rest.facts].map(fact => fact.id)
  expect(new Set(seen).size).toBe(seen.length)
  expect(before.filter(id => !seen.includes(id))).toEqual([])
})

test('the cursor of a fact that was forgotten meanwhile still goes on', async () => {
  const mine = await told()
  const first = await mine.facts({ at: AT, limit: 3 })
  const all = (await mine.facts({ at: AT, limit: 1000 })).facts
  await (await mine.forget({ fact: first.facts[2]?.id as string })).apply()
  const rest = await mine.facts({ at: AT, limit: 1000, after: first.next as string })
  expect(rest.facts.map(fact => fact.id)).toEqual(all.slice(3).map(fact => fact.id))
})

async function allEpisodes(mine: TenantMemory, filter: object, limit: number): Promise<Episode[]> {
  const episodes: Episode[] = []
  for (let after: string | null | undefined; after !== null;) {
    const page = await mine.episodes({ ...filter, limit, ...(after === undefined ? {} : { after }) })
    expect(page.episodes.length).toBeLessThanOrEqual(limit)
    episodes.push(...page.episodes)
    after = page.next
    if (episodes.length > 10_000) throw new Error('the pages do not end')
  }
  return episodes
}

test('episodes by 1, 2 and 3: by their own time, then by when they were recorded', async () => {
  const mine = await openTenant()
  const at = (i: number): string => `2026-01-0${(i % 3) + 1}T00:00:00.00${i % 2}Z`
  const ids = ['z', '😀', 'a', '\ufffd', 'm', 'é', '𠀀', 'b', 'A', '9', 'ä', 'y']
  for (const [i, id] of ids.entries()) {
    await mine.record({ id, text: `text ${i}`, author: 'user', at: at(i), session: i % 4 === 0 ? 's' : 't', tags: ['all'] })
  }
  const expected = ids
    .map((id, i) => ({ id, i }))
    .toSorted((a, b) => (at(a.i) === at(b.i) ? a.i - b.i : at(a.i) < at(b.i) ? -1 : 1))
    .map(each => each.id)
  for (const filter of [{}, { tag: 'all' }, { knownAt: '2999-01-01' }])
    for (const limit of [1, 2, 3, 1000])
      expect((await allEpisodes(mine, filter, limit)).map(episode => episode.id)).toEqual(expected)
  for (const limit of [1, 2, 3])
    expect(await allEpisodes(mine, { session: 's' }, limit)).toEqual((await mine.episodes({ session: 's' })).episodes)
})

test('a cursor of one call is no cursor of the other', async () => {
  const mine = await told()
  await mine.record({ text: 'a', author: 'user' })
  await mine.record({ text: 'b', author: 'user' })
  const [facts, episodes] = [(await mine.facts({ limit: 1 })).next as string, (await mine.episodes({ limit: 1 })).next as string]
  expect(await refusal(mine.facts({ after: episodes }))).toMatchObject({ code: 'INVALID_ARGUMENT', details: { field: 'after' } })
  expect(await refusal(mine.episodes({ after: facts }))).toMatchObject({ code: 'INVALID_ARGUMENT', details: { field: 'after' } })
  for (const limit of [0, -1, 1.5, 1001, '5', Number.NaN])
    for (const call of [mine.facts({ limit: limit as number }), mine.episodes({ limit: limit as number })])
      expect(await refusal(call)).toMatchObject({ code: 'INVALID_ARGUMENT', details: { field: 'limit' } })
})
