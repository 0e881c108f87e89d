/** confirm, reject, undo, correct: on facts of several statements, bounded and interrupted ones, held ones, many values. */
import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineSchema, type Fact, type TenantMemory } from '../../src/index.ts'
import { open, openTenant, refusal } from './open.ts'
import { refuses } from './refused.ts'

const schema = defineSchema({
  version: 1,
  attributes: {
    x: { value: z.string() },
    ask: { value: z.string(), onEqualSecond: 'ask' },
    many: { value: z.string(), many: true },
  },
})
const AT = '2026-06-01T12:00:00Z'

const spans = async (mine: TenantMemory<never> | TenantMemory): Promise<string[]> =>
  (await (mine as TenantMemory).facts({ history: true })).facts.map(
    ({ value, validFrom, validTo }) => `${value as string} ${validFrom.slice(5, 10)} ${validTo?.slice(5, 10) ?? 'open'}`,
  )

test('confirm and reject of a fact mean every statement in it', async () => {
  const mine = await openTenant()
  const said = { subject: 's', attribute: 'x', value: 'a' } as const
  const ids = [
    (await mine.assert({ ...said, validFrom: '2026-01-01' })).id,
    (await mine.assert({ ...said, validFrom: '2026-01-01' })).id,
    (await mine.assert({ ...said, validFrom: '2026-02-01' })).id,
  ]
  const fact = (await mine.get('s', 'x')) as Fact
  expect(fact.assertions.toSorted()).toEqual(ids.toSorted())
  expect(await mine.confirm(ids[2] as string)).toHaveLength(3)
  const rejected = await mine.reject(fact.id)
  expect(rejected).toHaveLength(3)
  expect(await spans(mine)).toEqual([])
  // One statement given back is one fact again, from where it starts.
  const { length } = await mine.records()
  await mine.undo(rejected[fact.assertions.indexOf(ids[2] as string)] as string)
  expect(await spans(mine)).toEqual(['a 02-01 open'])
  expect(await mine.records()).toHaveLength(length + 1)
})

test('the latest decision that is not undone counts; an undo is for ever', async () => {
  const mine = await openTenant()
  const { id } = await mine.assert({ subject: 's', attribute: 'x', value: 'a' })
  const [first] = await mine.reject(id)
  expect(await mine.get('s', 'x')).toBeUndefined()
  const [second] = await mine.confirm(id)
  expect(await mine.get('s', 'x')).toMatchObject({ id })
  await mine.undo(second as string)
  expect(await mine.get('s', 'x')).toBeUndefined()
  const undo = await mine.undo(first as string)
  expect(await mine.get('s', 'x')).toMatchObject({ id })
  // An undo is no decision that could be taken back, and doing it again changes nothing that holds.
  expect(await refusal(mine.undo(undo))).toMatchObject({ code: 'NOT_FOUND' })
  await mine.undo(first as string).catch(() => undefined)
  expect(await mine.get('s', 'x')).toMatchObject({ id })
  expect((await mine.why(id)).assertions[0]?.decisions).toMatchObject([
    { id: first, verdict: 'reject', by: 'user', undone: true },
    { id: second, verdict: 'confirm', by: 'user', undone: true },
  ])
  expect(await refusal(mine.undo(id))).toMatchObject({ code: 'NOT_FOUND' })
})

test("a decision names who decided; only the user's confirmation outranks", async () => {
  const memory = await open({ schema })
  const [user, assistant] = [memory.tenant('t', { actor: 'user' }), memory.tenant('t', { actor: 'assistant' })]
  const other = (await open({ schema })).tenant('t', { actor: 'user' })
  const first = await user.assert({ subject: 's', attribute: 'x', value: 'a', validFrom: AT })
  const second = await other.assert({ subject: 's', attribute: 'x', value: 'b', validFrom: AT })
  await user.merge(await other.records())
  const holds = async (): Promise<unknown> => (await user.get('s', 'x'))?.value
  const before = await holds()
  const loser = before === 'a' ? second.id : first.id
  const [weak] = await assistant.confirm(loser)
  expect(await holds()).toBe(before)
  await user.confirm(loser)
  expect(await holds()).not.toBe(before)
  // Now the user confirms the other one too: the latest confirmation counts.
  await user.confirm(loser === first.id ? second.id : first.id)
  expect(await holds()).toBe(before)
  const winner = loser === first.id ? second.id : first.id
  expect((await user.why(winner)).assertions[0]?.decisions).toMatchObject([{ verdict: 'confirm', by: 'user' }])
  const records = await user.records()
  expect(records.find(record => record.kind === 'decision' && record.id === weak)).toMatchObject({ by: 'assistant' })
})

test('a held statement: undo of its confirmation holds it again, undo of its rejection too', async () => {
  const mine = await openTenant({ schema })
  await mine.assert({ subject: 's', attribute: 'ask', value: 'a', validFrom: AT })
  const held = await mine.assert({ subject: 's', attribute: 'ask', value: 'b', validFrom: AT })
  const waiting = async (): Promise<unknown> => (await mine.review()).map(each => each.id)
  expect(await waiting()).toEqual([held.id])
  const [confirmed] = await mine.confirm(held.id)
  expect(await waiting()).toEqual([])
  expect(await mine.get('s', 'ask')).toMatchObject({ value: 'b', contested: [] })
  await mine.undo(confirmed as string)
  expect(await waiting()).toEqual([held.id])
  expect(await mine.get('s', 'ask')).toMatchObject({ value: 'a' })
  const [rejected] = await mine.reject(held.id)
  expect(await waiting()).toEqual([])
  await mine.undo(rejected as string)
  expect(await waiting()).toEqual([held.id])
})

test('review lists what waits, earliest recorded first, with all that is needed to decide', async () => {
  const mine = await openTenant({ schema })
  await mine.record({ id: 'e', text: 'it is b, no, c', author: 'tool', at: AT, uri: 'u' })
  await mine.assert({ subject: 's', attribute: 'ask', value: 'a', validFrom: AT })
  const claim = { subject: 'S', attribute: 'Ask', validFrom: AT, from: 'e' } as const
  const b = await mine.assert({ ...claim, attribute: 'ask', value: 'b', quote: 'b', confidence: 0.5 })
  const c = await mine.assert({ ...claim, attribute: 'ask', value: 'c', quote: 'c', validUntil: '2027-01-01' })
  expect(await mine.review()).toMatchObject([
    {
      id: b.id,
      subject: 's',
      attribute: 'ask',
      kind: 'value',
      value: 'b',
      validFrom: AT,
      validUntil: null,
      status: 'held',
      born: 'held',
      trust: 'tool',
      by: 'user',
      confidence: 0.5,
      sources: [{ episode: 'e', quote: 'b', author: 'tool', uri: 'u' }],
      decisions: [],
    },
    { id: c.id, value: 'c', validUntil: '2027-01-01T00:00:00Z', sources: [{ quote: 'c' }] },
  ])
  expect(typeof (await mine.review())[0]?.reason).toBe('string')
})

test('correct: a bounded fact keeps its bounds, a superseded one leaves the current one alone, one commit', async () => {
  const memory = await open()
  const mine = memory.tenant('t', { actor: 'user' })
  const a = await mine.assert({ subject: 's', attribute: 'x', value: 'a', validFrom: '2026-01-01' })
  const b = await mine.assert({ subject: 's', attribute: 'x', value: 'b', validFrom: '2026-03-01', validUntil: '2026-05-01' })
  const current = await mine.assert({ subject: 's', attribute: 'x', value: 'c', validFrom: '2026-06-01' })
  expect(await spans(mine)).toEqual(['a 01-01 03-01', 'b 03-01 05-01', 'a 05-01 06-01', 'c 06-01 open'])
  const { head } = await memory.health()
  await mine.correct(b.id, { value: 'B' })
  expect((await memory.health()).head).toBe(head + 1)
  expect(await spans(mine)).toEqual(['a 01-01 03-01', 'B 03-01 05-01', 'a 05-01 06-01', 'c 06-01 open'])
  const A = await mine.correct(a.id, { value: 'A' })
  expect(await spans(mine)).toEqual(['A 01-01 03-01', 'B 03-01 05-01', 'A 05-01 06-01', 'c 06-01 open'])
  expect(await mine.fact(A.id)).toMatchObject({ value: 'A', validFrom: '2026-01-01T00:00:00Z' })
  expect(await mine.get('s', 'x', { at: '2026-07-01' })).toMatchObject({ id: current.id })
})

test('correct by the id of a run that resumed answers with the statement over that stretch', async () => {
  const mine = await openTenant()
  const a = await mine.assert({ subject: 's', attribute: 'x', value: 'a', validFrom: '2026-01-01' })
  await mine.assert({ subject: 's', attribute: 'x', value: 'b', validFrom: '2026-03-01', validUntil: '2026-05-01' })
  const resumed = `${a.id}@2026-05-01T00:00:00Z`
  expect(await mine.fact(resumed)).toMatchObject({ id: resumed, validFrom: '2026-05-01T00:00:00Z', validTo: null })
  const { id } = await mine.correct(resumed, { value: 'A' })
  expect(await mine.fact(id)).toMatchObject({ value: 'A', validFrom: '2026-05-01T00:00:00Z', validTo: null })
  expect((await mine.get('s', 'x'))?.assertions).toContain(id)
  expect(await spans(mine)).not.toContain('a 01-01 03-01')
})

test('reject by the id of a run that resumed rejects the statement, so both of its stretches', async () => {
  const mine = await openTenant()
  const a = await mine.assert({ subject: 's', attribute: 'x', value: 'a', validFrom: '2026-01-01' })
  await mine.assert({ subject: 's', attribute: 'x', value: 'b', validFrom: '2026-03-01', validUntil: '2026-05-01' })
  const [decision] = await mine.reject(`${a.id}@2026-05-01T00:00:00Z`)
  expect(await spans(mine)).toEqual(['b 03-01 05-01'])
  await mine.undo(decision as string)
  expect(await spans(mine)).toEqual(['a 01-01 03-01', 'b 03-01 05-01', 'a 05-01 open'])
})

test('correct of one value of many leaves the others; with a source it carries its quote', async () => {
  const mine = await openTenant({ schema })
  for (const value of ['a', 'b']) await mine.assert({ subject: 's', attribute: 'many', value, validFrom: '2026-01-01' })
  await mine.record({ id: 'e', text: 'not a but c', author: 'user', at: '2026-05-01T00:00:00Z' })
  const [a] = await mine.get('s', 'many')
  const { id } = await mine.correct((a as Fact).id, { value: (a as Fact).value === 'a' ? 'c' : 'd', from: 'e', quote: 'c' })
  const now = await mine.get('s', 'many')
  expect(now).toHaveLength(2)
  expect(now.find(fact => fact.id === id)).toMatchObject({
    value: 'c',
    validFrom: '2026-01-01T00:00:00Z',
    trust: 'user',
    sources: [{ episode: 'e', quote: 'c' }],
  })
})

test('correct to a value that another device states at that second: the correction holds everywhere', async () => {
  const [here, there] = [await openTenant({ schema }), await openTenant({ schema })]
  const said = { subject: 's', attribute: 'x', validFrom: AT } as const
  await here.assert({ ...said, value: 'a' })
  await there.assert({ ...said, value: 'b' })
  await here.merge(await there.records())
  const { id } = await here.correct(((await here.get('s', 'x')) as Fact).id, { value: 'c' })
  await there.merge(await here.records())
  for (const device of [here, there]) {
    expect(await device.get('s', 'x')).toMatchObject({ id, value: 'c', contested: [] })
    expect((await device.standing('s', 'x')).state).toBe('known')
  }
})

test('a refused correction rejects nothing', async () => {
  const memory = await open({ schema })
  const mine = memory.tenant('t', { actor: 'user' })
  const { id } = await mine.assert({ subject: 's', attribute: 'x', value: 'a' })
  const [reject] = await mine.reject((await mine.assert({ subject: 's', attribute: 'ask', value: 'a' })).id)
  const call =
    (target: string, correction: object): (() => Promise<unknown>) =>
    () =>
      mine.correct(target, correction as never)
  await refuses(memory, mine, call(id, { value: 5 }), { code: 'VALUE_REFUSED', names: 'value' })
  await refuses(memory, mine, call(id, {}), { code: 'INVALID_VALUE', names: 'value' })
  await refuses(memory, mine, call(id, { value: 'b', from: 'nothing' }), { code: 'NOT_FOUND', names: 'from' })
  await refuses(memory, mine, call(id, { value: 'b', quote: 'x' }), { code: 'INVALID_ARGUMENT', names: 'from' })
  await refuses(memory, mine, call('nothing', { value: 'b' }), { code: 'NOT_FOUND' })
  await refuses(memory, mine, call(reject as string, { value: 'b' }), { code: 'NOT_FOUND' })
  expect(await mine.get('s', 'x')).toMatchObject({ id, value: 'a' })
})

test('decisions travel, and those whose statement has not arrived wait for it', async () => {
  const [here, there, third] = [await openTenant(), await openTenant(), await openTenant()]
  const a = await here.assert({ subject: 's', attribute: 'x', value: 'a', validFrom: '2026-01-01' })
  await here.assert({ subject: 's', attribute: 'x', value: 'b', validFrom: '2026-02-01' })
  await there.merge(await here.records())
  const [decision] = await there.reject(((await there.get('s', 'x')) as Fact).id)
  const records = await there.records()
  await third.merge(records.filter(record => record.kind === 'decision'))
  await third.merge(records.filter(record => record.kind !== 'decision'))
  expect(await third.get('s', 'x')).toMatchObject({ id: a.id, validTo: null })
  await third.undo(decision as string)
  await here.merge(await third.records())
  expect(await here.get('s', 'x')).toMatchObject({ value: 'b' })
})
