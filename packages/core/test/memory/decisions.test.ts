/** The four policies for equal seconds, and what decisions do to facts. */
import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineSchema, type Fact, type TenantMemory } from '../../src/index.ts'
import { open, openTenant, refusal } from './open.ts'

const text = { value: z.string() }
const schema = defineSchema({
  version: 1,
  attributes: {
    rejecting: text,
    latest: { ...text, onEqualSecond: 'latest' },
    trusted: { ...text, onEqualSecond: 'trusted' },
    asking: { ...text, onEqualSecond: 'ask' },
    many: { ...text, many: true },
  },
})
const AT = '2026-06-01T12:00:00Z'

async function memory(): Promise<TenantMemory<typeof schema>> {
  const mine = await openTenant({ schema })
  for (const author of ['user', 'assistant', 'tool'] as const) await mine.record({ id: author, text: 'it is', author, at: AT })
  return mine
}

test('reject: another value at the same second is a CONFLICT, the same value is another piece of evidence', async () => {
  const mine = await memory()
  await mine.assert({ subject: 's', attribute: 'rejecting', value: 'a', validFrom: AT, from: 'user' })
  expect(
    await refusal(mine.assert({ subject: 's', attribute: 'rejecting', value: 'b', validFrom: AT, from: 'user' })),
  ).toMatchObject({ code: 'CONFLICT' })
  expect(await refusal(mine.retract({ subject: 's', attribute: 'rejecting', validFrom: AT }))).toMatchObject({ code: 'CONFLICT' })
  await mine.assert({ subject: 's', attribute: 'rejecting', value: 'a', validFrom: AT, from: 'tool' })
  expect((await mine.get('s', 'rejecting'))?.sources).toHaveLength(2)
})

test('latest: stored, and the one said later holds whatever its trust', async () => {
  const mine = await memory()
  await mine.assert({ subject: 's', attribute: 'latest', value: 'a', validFrom: AT, from: 'user' })
  await mine.record({ id: 'later', text: 'it is', author: 'assistant', at: '2026-06-01T12:00:00.500Z' })
  await mine.assert({ subject: 's', attribute: 'latest', value: 'b', validFrom: AT, from: 'later' })
  expect(await mine.get('s', 'latest')).toMatchObject({ value: 'b', contested: [] })
})

test('trusted: stored if its trust is greater, else CONFLICT', async () => {
  const mine = await memory()
  await mine.assert({ subject: 's', attribute: 'trusted', value: 'a', validFrom: AT, from: 'tool' })
  expect(
    await refusal(mine.assert({ subject: 's', attribute: 'trusted', value: 'b', validFrom: AT, from: 'assistant' })),
  ).toMatchObject({ code: 'CONFLICT' })
  expect(
    await refusal(mine.assert({ subject: 's', attribute: 'trusted', value: 'b', validFrom: AT, from: 'tool' })),
  ).toMatchObject({ code: 'CONFLICT' })
  await mine.assert({ subject: 's', attribute: 'trusted', value: 'c', validFrom: AT, from: 'user' })
  expect(await mine.get('s', 'trusted')).toMatchObject({ value: 'c', contested: [{ value: 'a', trust: 'tool' }] })
})

test('ask: stored held; it is withheld from reads, waits in review, and a confirmation lets it hold', async () => {
  const mine = await memory()
  await mine.assert({ subject: 's', attribute: 'asking', value: 'a', validFrom: AT, from: 'user' })
  const held = await mine.assert({ subject: 's', attribute: 'asking', value: 'b', validFrom: AT, from: 'user' })
  expect(held).toMatchObject({ status: 'held', reason: 'conflict' })
  expect(await mine.get('s', 'asking')).toMatchObject({ value: 'a' })
  expect(await mine.review()).toMatchObject([{ id: held.id, subject: 's', attribute: 'asking', value: 'b', status: 'held' }])
  const [decision] = await mine.confirm(held.id)
  expect(await mine.get('s', 'asking')).toMatchObject({ id: held.id, value: 'b' })
  expect(await mine.review()).toEqual([])
  await mine.undo(decision as string)
  expect(await mine.get('s', 'asking')).toMatchObject({ value: 'a' })
  await mine.reject(held.id)
  expect(await mine.review()).toEqual([])
  expect(await mine.get('s', 'asking')).toMatchObject({ value: 'a' })
})

test('many values hold at once; a retraction ends one, or all of them', async () => {
  const mine = await memory()
  for (const value of ['a', 'b', 'c']) await mine.assert({ subject: 's', attribute: 'many', value, validFrom: AT })
  expect((await mine.get('s', 'many')).map(fact => fact.value).toSorted()).toEqual(['a', 'b', 'c'])
  await mine.retract({ subject: 's', attribute: 'many', value: 'a', validFrom: '2026-06-02' })
  expect((await mine.get('s', 'many')).map(fact => fact.value).toSorted()).toEqual(['b', 'c'])
  await mine.retract({ subject: 's', attribute: 'many', validFrom: '2026-06-03' })
  expect(await mine.get('s', 'many')).toEqual([])
  expect((await mine.get('s', 'many', { at: '2026-06-02T12:00:00Z' })).map(fact => fact.value).toSorted()).toEqual(['b', 'c'])
  await mine.assert({ subject: 's', attribute: 'many', value: 'b', validFrom: '2026-06-04' })
  expect(await mine.standing('s', 'many')).toMatchObject({
    state: 'known',
    facts: [{ value: 'b', validFrom: '2026-06-04T00:00:00Z' }],
  })
})

test('a bounded fact gives way to what held before, whose run resumes under its own id', async () => {
  const mine = await openTenant()
  const oslo = await mine.assert({ subject: 'mira', attribute: 'city', value: 'Oslo', validFrom: '2026-01-01' })
  await mine.assert({ subject: 'mira', attribute: 'city', value: 'Paris', validFrom: '2026-02-10', validUntil: '2026-02-20' })
  const { facts } = await mine.facts({ history: true })
  const resumed = `${oslo.id}@2026-02-20T00:00:00Z`
  expect(facts.map(fact => [fact.value, fact.validFrom.slice(0, 10), fact.validTo?.slice(0, 10) ?? null])).toEqual([
    ['Oslo', '2026-01-01', '2026-02-10'],
    ['Paris', '2026-02-10', '2026-02-20'],
    ['Oslo', '2026-02-20', null],
  ])
  expect(facts[2]).toMatchObject({ id: resumed, supersedes: facts[1]?.id, assertions: [oslo.id] })
  expect(await mine.fact(resumed)).toEqual(facts[2])
  expect(await mine.fact(oslo.id)).toEqual(facts[0])
  // Correcting either run corrects both: what was wrong in one is wrong in the other.
  await mine.correct(resumed, { value: 'Bergen' })
  expect((await mine.facts({ history: true })).facts.map(fact => fact.value)).toEqual(['Bergen', 'Paris', 'Bergen'])
})

test('reject: what it had replaced holds again; undo brings it back; the history of decisions is kept', async () => {
  const mine = await openTenant()
  const a = await mine.assert({ subject: 's', attribute: 'x', value: 'a', validFrom: '2026-01-01' })
  const b = await mine.assert({ subject: 's', attribute: 'x', value: 'b', validFrom: '2026-02-01' })
  const [decision] = await mine.reject(b.id)
  expect(await mine.get('s', 'x')).toMatchObject({ id: a.id, validTo: null })
  expect(await mine.get('s', 'x', { knownAt: new Date(Date.now() + 1000) })).toMatchObject({ id: a.id })
  await mine.undo(decision as string)
  expect(await mine.get('s', 'x')).toMatchObject({ id: b.id })
  expect((await mine.why(b.id)).assertions[0]?.decisions).toMatchObject([
    { id: decision, verdict: 'reject', by: 'user', undone: true },
  ])
  expect(await refusal(mine.undo('nothing'))).toMatchObject({ code: 'NOT_FOUND' })
})

test('correct: the same interval, another value, in one commit; earlier knowledge is still told by knownAt', async () => {
  let now = Date.parse('2026-03-01T00:00:00Z')
  const mine = await openTenant({ now: () => now })
  await mine.assert({ subject: 's', attribute: 'x', value: 'a', validFrom: '2026-01-01' })
  const b = await mine.assert({ subject: 's', attribute: 'x', value: 'b', validFrom: '2026-02-01', validUntil: '2026-05-01' })
  now = Date.parse('2026-04-01T00:00:00Z')
  const corrected = await mine.correct(b.id, { value: 'c' })
  expect(await mine.fact(corrected.id)).toMatchObject({
    value: 'c',
    validFrom: '2026-02-01T00:00:00Z',
    validTo: '2026-05-01T00:00:00Z',
  })
  expect((await mine.facts({ history: true })).facts.map(fact => fact.value)).toEqual(['a', 'c', 'a'])
  expect(await mine.get('s', 'x', { at: '2026-02-15', knownAt: '2026-03-15' })).toMatchObject({ id: b.id, value: 'b' })
  expect(await refusal(mine.correct('nothing', { value: 1 }))).toMatchObject({ code: 'NOT_FOUND' })
})

test("a merge never rejects: precedence ranks, the loser is contested, the user's confirmation settles it", async () => {
  const [a, b] = [await openTenant(), await openTenant()]
  const said = { subject: 's', attribute: 'x', validFrom: AT } as const
  const first = await a.assert({ ...said, value: 'a' })
  const second = await b.assert({ ...said, value: 'b' })
  await a.merge(await b.records())
  await b.merge(await a.records())
  const fact = (await a.get('s', 'x')) as Fact
  expect(await b.get('s', 'x')).toEqual(fact)
  expect(fact.contested).toHaveLength(1)
  expect((await a.standing('s', 'x')).state).toBe('contested')
  const loser = fact.id === first.id ? second.id : first.id
  await a.confirm(loser)
  expect(await a.get('s', 'x')).toMatchObject({ id: loser, contested: [] })
  expect((await a.standing('s', 'x')).state).toBe('known')
})

test('standing: never, known, ended, withheld, erased, at the instant that is asked about', async () => {
  const mine = (await open({ schema })).tenant('acme', { actor: 'user' })
  expect(await mine.standing('s', 'asking')).toEqual({ state: 'never', facts: [] })
  await mine.assert({ subject: 's', attribute: 'rejecting', value: 'a', validFrom: '2026-01-01', validUntil: '2026-02-01' })
  expect((await mine.standing('s', 'rejecting', { at: '2025-12-31' })).state).toBe('never')
  expect((await mine.standing('s', 'rejecting', { at: '2026-01-15' })).state).toBe('known')
  expect(await mine.standing('s', 'rejecting')).toMatchObject({ state: 'ended', facts: [{ value: 'a' }] })
  await mine.assert({ subject: 's', attribute: 'asking', value: 'a', validFrom: AT })
  const held = await mine.assert({ subject: 's', attribute: 'asking', value: 'b', validFrom: AT })
  await mine.reject((await mine.get('s', 'asking'))?.id as string)
  expect((await mine.standing('s', 'asking')).state).toBe('withheld')
  await (await mine.forget({ fact: held.id })).apply()
  expect((await mine.standing('s', 'asking')).state).toBe('erased')
  await mine.assert({ subject: 's', attribute: 'asking', value: 'b' })
  expect((await mine.standing('s', 'asking')).state).toBe('known')
})
