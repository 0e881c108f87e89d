/** The trace that every part must get right, and one test per question of the method. */
import { expect, test } from 'vitest'
import type { Fact } from '../../src/index.ts'
import { E0, E1, E2, open, openTenant, tell } from './open.ts'

const DEADLINE = ['mira', 'passport_deadline'] as const

test('the trace: a correction, then a late arrival that leaves the current fact alone', async () => {
  const mira = await openTenant()
  const first = await tell(mira, E1)
  const second = await tell(mira, E2)
  const current = async (): Promise<Fact | undefined> => (await mira.get(...DEADLINE, { at: '2026-06-04' })) as Fact | undefined
  expect(await current()).toMatchObject({ id: second, value: '2026-06-30', supersedes: first })
  const late = await tell(mira, E0)
  expect(await current()).toMatchObject({
    id: second,
    value: '2026-06-30',
    supersedes: first,
    sources: [{ episode: 'e2' }],
    validTo: null,
  })
  expect(await mira.get(...DEADLINE, { at: '2026-06-02' })).toMatchObject({
    id: first,
    value: '2026-07-15',
    supersedes: late,
    sources: [{ episode: 'e1' }],
  })
  expect(await mira.get(...DEADLINE, { at: '2026-05-31' })).toMatchObject({
    id: late,
    value: '2026-08-01',
    sources: [{ episode: 'e0' }],
    validFrom: '2026-05-30T08:00:00Z',
    validTo: '2026-06-01T09:00:00Z',
    supersedes: null,
  })
})

test('question 1: what is true now?', async () => {
  const mira = await openTenant()
  await tell(mira, E1)
  await tell(mira, E2)
  await mira.assert({ subject: 'mira', attribute: 'passport_deadline', value: '2030-01-01', validFrom: '2999-01-01T00:00:00Z' })
  // The future fact is open, and not yet true.
  expect(await mira.get(...DEADLINE)).toMatchObject({ value: '2026-06-30', validTo: '2999-01-01T00:00:00Z' })
})

test('question 2: what was true on June 2?', async () => {
  const mira = await openTenant()
  await tell(mira, E1)
  await tell(mira, E2)
  expect(await mira.get(...DEADLINE, { at: '2026-06-02T12:00:00Z' })).toMatchObject({ value: '2026-07-15' })
  expect(await mira.get(...DEADLINE, { at: '2026-06-01T08:59:59Z' })).toBeUndefined()
})

test('question 3: who said it?', async () => {
  const mira = await openTenant()
  await mira.record({ id: 'mail', text: 'Dear Mira, the deadline is June 30.', author: 'document', at: E2.at, uri: 'mail:42' })
  const { id } = await mira.assert({
    subject: 'mira',
    attribute: 'passport_deadline',
    value: '2026-06-30',
    from: 'mail',
    quote: 'June 30',
  })
  const { fact, assertions } = await mira.why(id)
  expect(fact.trust).toBe('document')
  expect(fact.sources).toMatchObject([
    { episode: 'mail', quote: 'June 30', start: 27, end: 34, author: 'document', at: '2026-06-03T10:00:00.000Z', uri: 'mail:42' },
  ])
  expect(assertions).toMatchObject([{ id, status: 'accepted', by: 'user', trust: 'document' }])
})

test('question 4: whose is it?', async () => {
  const memory = await open()
  const [mira, other] = [memory.tenant('mira', { actor: 'user' }), memory.tenant('other', { actor: 'user' })]
  await tell(mira, E1)
  expect(await mira.get(...DEADLINE)).toMatchObject({ value: '2026-07-15' })
  expect(await other.get(...DEADLINE)).toBeUndefined()
  expect(await memory.query('select tenant_id, value from memory_facts')).toEqual([{ tenant_id: 'mira', value: '2026-07-15' }])
})

test('question 5: what did it replace?', async () => {
  const mira = await openTenant()
  const first = await tell(mira, E1)
  const second = await tell(mira, E2)
  const explanation = await mira.why(second)
  expect(explanation.fact.supersedes).toBe(first)
  expect(explanation.superseded).toMatchObject({ id: first, value: '2026-07-15', validTo: '2026-06-03T10:00:00Z' })
  expect((await mira.why(first)).supersededBy).toMatchObject({ id: second })
})

test('question 6: can it be deleted or expire?', async () => {
  const mira = await openTenant()
  await mira.record({ id: 'e', text: 'The code is 4711.', author: 'user', retention: 'short' })
  const { id } = await mira.assert({ subject: 'door', attribute: 'code', value: '4711', from: 'e', retention: 'short' })
  expect(await mira.fact(id)).toMatchObject({ retention: 'short' })
  expect(await mira.episode('e')).toMatchObject({ retention: 'short' })
  const plan = await mira.forget({ fact: id })
  expect(plan.preview).toMatchObject({
    assertions: [{ id, value: '4711' }],
    gone: [{ id }],
    redactions: [{ episode: 'e', start: 0, end: 17 }],
  })
  await plan.apply()
  expect(await mira.fact(id)).toBeUndefined()
  expect(await mira.standing('door', 'code')).toEqual({ state: 'erased', facts: [] })
  expect((await mira.episode('e'))?.text).toBe('█'.repeat(17))
})
