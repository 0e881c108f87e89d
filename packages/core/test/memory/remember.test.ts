/** `remember`: the episode is kept, an extractor proposes, and the gate decides with a code for everything. */
import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineSchema, type Outcome, type Schema, type TenantMemory } from '../../src/index.ts'
import type { ExtractionInput, Extractor, MemoryUpdate } from '../../src/extractor.ts'
import { openTenant, refusal } from './open.ts'

const schema: Schema = defineSchema({
  version: 1,
  unknownAttributes: 'refuse',
  attributes: {
    city: { value: z.string() },
    age: { value: z.int() },
    asking: { value: z.string(), onEqualSecond: 'ask' },
    likes: { value: z.string(), many: true, description: 'what a person likes' },
  },
})

const TEXT = 'I live in Oslo and I am 40.'
const AT = '2026-06-01T12:00:00Z'

function update(change: Partial<MemoryUpdate> = {}): MemoryUpdate {
  return {
    evidence: 'I live in Oslo',
    subject: 'mira',
    attribute: 'city',
    current_value: null,
    change: 'new',
    value: 'Oslo',
    valid_from: null,
    valid_until: null,
    confidence: 0.9,
    ...change,
  }
}

class Fake implements Extractor {
  readonly name = 'fake'
  readonly version = 3
  readonly seen: ExtractionInput[] = []
  answer: (input: ExtractionInput) => unknown = () => []

  async extract(input: ExtractionInput): Promise<readonly MemoryUpdate[]> {
    this.seen.push(input)
    await Promise.resolve()
    return this.answer(input) as MemoryUpdate[]
  }
}

async function opened(): Promise<{ mine: TenantMemory; fake: Fake }> {
  const fake = new Fake()
  return { fake, mine: await openTenant({ schema, extractors: [fake], now: () => Date.parse('2026-07-01T00:00:00Z') }) }
}

/** What becomes of one candidate, with what stands in the memory before and after. */
async function outcomeOf(
  candidate: unknown,
  before: (mine: TenantMemory) => Promise<unknown> = () => Promise.resolve(),
): Promise<Outcome> {
  const { mine, fake } = await opened()
  await before(mine)
  const assertions = async (): Promise<number> => (await mine.records()).filter(record => record.kind === 'assertion').length
  const there = await assertions()
  fake.answer = () => [candidate]
  const { episode, outcomes } = await mine.remember({ id: 'e', text: TEXT, author: 'user', at: AT })
  expect(episode).toBe('e')
  expect(await mine.episode('e')).toMatchObject({ text: TEXT })
  expect(outcomes).toHaveLength(1)
  const outcome = outcomes[0] as Outcome
  const isWritten = outcome.code === 'stored' || outcome.code === 'held'
  expect(typeof outcome.assertion).toBe(isWritten ? 'string' : 'undefined')
  expect(await assertions()).toBe(there + (isWritten ? 1 : 0))
  // What became of it is kept, without its content.
  const extraction = (await mine.records()).find(record => record.kind === 'extraction')
  const { code, assertion } = outcome
  expect(extraction).toMatchObject({
    episode: 'e',
    extractor: 'fake',
    version: 3,
    outcomes: [assertion === undefined ? { code } : { code, assertion }],
  })
  return outcome
}

const holds =
  (attribute: string, value: string, validFrom = '2026-01-01') =>
  (mine: TenantMemory) =>
    mine.assert({ subject: 'mira', attribute, value, validFrom })

test('stored: with the episode as evidence, from the time it was said', async () => {
  const { mine, fake } = await opened()
  fake.answer = () => [update()]
  const { outcomes } = await mine.remember({ id: 'e', text: TEXT, author: 'user', at: AT })
  expect(outcomes).toMatchObject([{ code: 'stored', subject: 'mira', attribute: 'city', change: 'new', value: 'Oslo' }])
  expect(await mine.fact(outcomes[0]?.assertion as string)).toMatchObject({
    value: 'Oslo',
    validFrom: AT,
    confidence: 0.9,
    trust: 'user',
    sources: [{ episode: 'e', quote: 'I live in Oslo', start: 0, end: 14 }],
  })
})

test('stored: a value that holds already is another piece of evidence, not another fact', async () => {
  const { mine, fake } = await opened()
  await mine.record({ id: 'first', text: 'Oslo it is', author: 'user', at: '2026-01-01T00:00:00Z' })
  await mine.assert({ subject: 'mira', attribute: 'city', value: 'Oslo', from: 'first' })
  fake.answer = () => [update({ change: 'update', current_value: 'Oslo' })]
  await mine.remember({ id: 'e', text: TEXT, author: 'user', at: AT })
  expect((await mine.facts({ history: true })).facts).toMatchObject([{ sources: [{ episode: 'first' }, { episode: 'e' }] }])
})

test('held: where the policy of the attribute asks', async () => {
  const outcome = await outcomeOf(update({ attribute: 'asking', value: 'b', valid_from: AT }), holds('asking', 'a', AT))
  expect(outcome).toMatchObject({ code: 'held', attribute: 'asking' })
})

test('no_change: nothing is stored', async () => {
  expect(await outcomeOf(update({ change: 'no_change' }), holds('city', 'Oslo'))).toMatchObject({
    code: 'no_change',
    change: 'no_change',
  })
})

test.each<[string, unknown]>([
  ['a blank subject', update({ subject: ' ' })],
  ['no subject', { ...update(), subject: undefined }],
  ['a number as subject', { ...update(), subject: 5 }],
  ['a blank attribute', update({ attribute: '' })],
  ['a change that is none', { ...update(), change: 'replace' }],
  ['no change', { ...update(), change: undefined }],
  ['no value', { ...update(), value: undefined }],
  ['NaN', update({ value: Number.NaN })],
  ['empty evidence', update({ evidence: '' })],
  ['no evidence', { ...update(), evidence: undefined }],
  ['a local time', update({ valid_from: '2026-06-01T12:00' })],
  ['a date that does not exist', update({ valid_from: '2026-02-30' })],
  ['an end before its start', update({ valid_from: '2026-02-02', valid_until: '2026-02-01' })],
  ['a confidence over 1', update({ confidence: 2 })],
  ['a confidence that is no number', { ...update(), confidence: 'high' }],
  ['null', null],
  ['a text', 'I live in Oslo'],
  ['a list', []],
])('malformed: %s', async (_, candidate) => {
  expect(await outcomeOf(candidate)).toMatchObject({ code: 'malformed', message: expect.any(String) as string })
})

test('attribute_refused and value_refused: the schema says no', async () => {
  expect(await outcomeOf(update({ attribute: 'shoe size' }))).toMatchObject({ code: 'attribute_refused' })
  expect(await outcomeOf(update({ attribute: 'age', value: 'forty' }))).toMatchObject({ code: 'value_refused' })
})

test('quote_not_found: the evidence does not stand in the episode', async () => {
  for (const evidence of ['I live in Bergen', 'i live in oslo', 'I live in Oslo and I am 40.  '])
    expect(await outcomeOf(update({ evidence }))).toMatchObject({ code: 'quote_not_found' })
})

test('conflict: another value starts at the same second', async () => {
  expect(await outcomeOf(update({ valid_from: AT, value: 'Rome' }), holds('city', 'Oslo', AT))).toMatchObject({
    code: 'conflict',
  })
})

test('retract: ends what holds; nothing_to_retract where nothing does', async () => {
  const retract = update({ change: 'retract', value: null })
  expect(await outcomeOf(retract)).toMatchObject({ code: 'nothing_to_retract' })
  const outcome = await outcomeOf(retract, holds('city', 'Oslo'))
  expect(outcome).toMatchObject({ code: 'stored', change: 'retract' })
  const likes = update({ change: 'retract', attribute: 'likes', value: 'tea' })
  expect(await outcomeOf(likes, holds('likes', 'snow'))).toMatchObject({ code: 'nothing_to_retract' })
  expect(await outcomeOf(likes, holds('likes', 'tea'))).toMatchObject({ code: 'stored' })
})

test('one that is refused does not keep the others from being stored', async () => {
  const { mine, fake } = await opened()
  fake.answer = () => [
    update({ evidence: 'nowhere' }),
    update(),
    update({ attribute: 'shoe' }),
    update({ attribute: 'age', value: 40, evidence: 'I am 40' }),
  ]
  const { outcomes } = await mine.remember({ text: TEXT, author: 'user', at: AT })
  expect(outcomes.map(outcome => outcome.code)).toEqual(['quote_not_found', 'stored', 'attribute_refused', 'stored'])
  expect((await mine.facts()).facts.map(fact => fact.value)).toEqual([40, 'Oslo'])
})

test('an extractor that finds nothing: the episode is kept', async () => {
  const { mine } = await opened()
  const remembered = await mine.remember({ text: 'Hm.', author: 'user' })
  expect(remembered.outcomes).toEqual([])
  expect(await mine.episode(remembered.episode)).toMatchObject({ text: 'Hm.' })
})

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('the model is away')
    },
  ],
  ['rejects with a text', () => Promise.reject('the model is away')],
  ['answers with nothing', () => undefined],
  ['answers with an object', () => ({ updates: [] })],
  ['answers with a text', () => 'updates'],
])('an extractor that %s: EXTRACTION_FAILED, and the episode is kept', async (_, answer) => {
  const { mine, fake } = await opened()
  fake.answer = answer
  expect(await refusal(mine.remember({ id: 'e', text: TEXT, author: 'user', at: AT }))).toMatchObject({
    code: 'EXTRACTION_FAILED',
    retryable: true,
    details: { extractor: 'fake' },
  })
  expect(await mine.episode('e')).toMatchObject({ text: TEXT })
  expect((await mine.records()).map(record => record.kind)).toEqual(['schema', 'episode'])
  // Called again, it goes on from the episode that is there.
  fake.answer = () => [update()]
  expect(await mine.remember({ id: 'e', text: TEXT, author: 'user', at: AT })).toMatchObject({ outcomes: [{ code: 'stored' }] })
})

test('under a key, an extraction that failed is made good by the same call', async () => {
  const { mine, fake } = await opened()
  fake.answer = () => Promise.reject(new Error('away'))
  const call = (): Promise<unknown> => mine.remember({ text: TEXT, author: 'user' }, { key: 'k' })
  expect(await refusal(call())).toMatchObject({ code: 'EXTRACTION_FAILED' })
  fake.answer = () => [update()]
  expect(await call()).toMatchObject({ outcomes: [{ code: 'stored' }] })
  expect((await mine.episodes()).episodes).toHaveLength(1)
})

test('facts that changed while the extractor thought: it is asked again, with what is so now', async () => {
  const { mine, fake } = await opened()
  await holds('city', 'Rome')(mine)
  fake.answer = async ({ current }) => {
    if (fake.seen.length === 1) await mine.assert({ subject: 'mira', attribute: 'city', value: 'Paris', validFrom: '2026-03-01' })
    return [update({ change: 'update', current_value: current[0]?.value ?? null })]
  }
  const { outcomes } = await mine.remember({ text: TEXT, author: 'user', at: AT })
  expect(outcomes).toMatchObject([{ code: 'stored' }])
  expect(fake.seen.map(({ current }) => current.map(each => each.value))).toEqual([['Rome'], ['Paris']])
  expect((await mine.records()).filter(record => record.kind === 'extraction')).toHaveLength(1)
  expect((await mine.facts({ history: true })).facts.map(fact => fact.value)).toEqual(['Rome', 'Paris', 'Oslo'])
})

test('an extractor that is never done with the present is not asked for ever', async () => {
  const { mine, fake } = await opened()
  fake.answer = async () => {
    await mine.assert({ subject: `s${fake.seen.length}`, attribute: 'city', value: 'x', validFrom: '2026-01-01' })
    return [update()]
  }
  expect(await mine.remember({ text: TEXT, author: 'user', at: AT })).toMatchObject({ outcomes: [{ code: 'stored' }] })
  expect(fake.seen.length).toBeLessThanOrEqual(3)
})

test('what an extractor is shown: the session before, what holds then, the attributes that are declared', async () => {
  const { mine, fake } = await opened()
  for (let i = 0; i < 10; i++)
    await mine.record({
      text: `turn ${i}`,
      author: i % 2 === 0 ? 'user' : 'assistant',
      session: 's',
      at: `2026-05-${i + 10}`,
    })
  await mine.record({ text: 'elsewhere', author: 'user', session: 'other', at: '2026-05-01' })
  await mine.record({ text: 'later', author: 'user', session: 's', at: '2026-06-02' })
  await holds('city', 'Oslo')(mine)
  await holds('likes', 'snow', '2026-06-02')(mine)
  await mine.remember({ text: TEXT, author: 'user', at: AT, session: 's', timeZone: 'Europe/Oslo' })
  expect(fake.seen).toMatchObject([
    {
      text: TEXT,
      author: 'user',
      at: '2026-06-01T12:00:00.000Z',
      timeZone: 'Europe/Oslo',
      previous: [2, 3, 4, 5, 6, 7, 8, 9].map(i => ({ author: i % 2 === 0 ? 'user' : 'assistant', text: `turn ${i}` })),
      current: [{ subject: 'mira', attribute: 'city', value: 'Oslo', validFrom: '2026-01-01T00:00:00Z' }],
      attributes: { city: { many: false }, likes: { many: true, description: 'what a person likes' } },
    },
  ])
})

test('the author of the episode decides the trust, not the extractor', async () => {
  const { mine, fake } = await opened()
  fake.answer = () => [update()]
  const { outcomes } = await mine.remember({ text: TEXT, author: 'tool', at: AT })
  expect(await mine.fact(outcomes[0]?.assertion as string)).toMatchObject({ trust: 'tool' })
})

test('without an extractor, remember says so and keeps nothing', async () => {
  const mine = await openTenant()
  expect(await refusal(mine.remember({ text: TEXT, author: 'user' }))).toMatchObject({ code: 'INVALID_ARGUMENT' })
  expect(await mine.records()).toEqual([])
})

test('an episode that is refused is never shown to the extractor', async () => {
  const { mine, fake } = await opened()
  expect(await refusal(mine.remember({ text: TEXT, author: 'Mira' as 'user' }))).toMatchObject({ code: 'INVALID_ARGUMENT' })
  expect(fake.seen).toEqual([])
})
