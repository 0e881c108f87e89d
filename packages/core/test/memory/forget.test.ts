/** Forgetting, the logical level: the plan is what happens, and nothing comes back. */
import { expect, test } from 'vitest'
import { open, openTenant, refusal } from './open.ts'

test('a fact with two sources outlives one of them, without its quote', async () => {
  const mine = await openTenant()
  await mine.record({ id: 'e1', text: 'I live in Oslo', author: 'user', at: '2026-01-01T00:00:00Z' })
  await mine.record({ id: 'e5', text: 'Oslo is where I live', author: 'user', at: '2026-02-01T00:00:00Z' })
  const first = await mine.assert({ subject: 'mira', attribute: 'city', value: 'Oslo', from: 'e1' })
  await mine.assert({ subject: 'mira', attribute: 'city', value: 'Oslo', from: 'e5' })
  expect((await mine.get('mira', 'city'))?.sources).toHaveLength(2)
  await (await mine.forget({ episode: 'e1' })).apply()
  const left = await mine.get('mira', 'city')
  expect(left?.sources).toMatchObject([{ episode: 'e5' }])
  expect(JSON.stringify(await mine.records())).not.toContain('I live in Oslo')
  expect(await mine.fact(first.id)).toBeUndefined()
})

test('forgetting a fact blacks out its quote in the episode that stays, by its offsets', async () => {
  const mine = await openTenant()
  await mine.record({ id: 'e', text: 'My name is Mira and my pin is 4711 😀.', author: 'user' })
  await mine.assert({ subject: 'user', attribute: 'name', value: 'Mira', from: 'e', quote: 'My name is Mira' })
  const pin = await mine.assert({ subject: 'user', attribute: 'pin', value: '4711', from: 'e', quote: 'my pin is 4711 😀' })
  const plan = await mine.forget({ fact: pin.id })
  expect(plan.preview.redactions).toEqual([{ episode: 'e', start: 20, end: 37, quote: 'my pin is 4711 😀' }])
  await plan.apply()
  expect((await mine.episode('e'))?.text).toBe(`My name is Mira and ${'█'.repeat(17)}.`)
  expect((await mine.get('user', 'name'))?.sources[0]?.quote).toBe('My name is Mira')
})

test.each([
  ['slot', { subject: 'Mira', attribute: 'City' }],
  ['subject', { subject: 'mira' }],
  ['session', { session: 's1' }],
  ['tenant', { tenant: true }],
] as const)('%s: the preview is what happens, an old file brings nothing back, saying it again is allowed', async (_, scope) => {
  const memory = await open()
  const [mine, other] = [memory.tenant('acme', { actor: 'user' }), memory.tenant('other', { actor: 'user' })]
  for (const tenant of [mine, other]) {
    await tenant.record({ id: 'e', text: 'Mira lives in Oslo', author: 'user', session: 's1' })
    await tenant.assert({ subject: 'mira', attribute: 'city', value: 'Oslo', from: 'e' })
    await tenant.assert({ subject: 'john', attribute: 'city', value: 'Rome' })
  }
  const [old, others] = [await mine.records(), await other.records()]
  const plan = await mine.forget(scope)
  expect(plan.preview.gone.some(fact => fact.value === 'Oslo')).toBe(true)
  expect(await mine.get('mira', 'city')).toMatchObject({ value: 'Oslo' })
  const done = await plan.apply()
  expect(done).toMatchObject({ assertions: plan.preview.assertions.length, episodes: plan.preview.episodes.length })
  const gone = async (): Promise<void> => {
    expect(await mine.get('mira', 'city')).toBeUndefined()
    expect((await mine.facts({ history: true })).facts.some(fact => fact.value === 'Oslo')).toBe(false)
    expect((await mine.standing('mira', 'city')).state).toBe('erased')
    const rows = await memory.query("select value from memory_facts where tenant_id = 'acme'")
    expect(JSON.stringify([rows, await mine.records()])).not.toContain('Oslo')
    expect(await memory.query('select * from fact where founder not in (select nr from assertion)')).toEqual([])
  }
  await gone()
  await mine.merge(old)
  await gone()
  expect(await other.records()).toEqual(others)
  await mine.assert({ subject: 'mira', attribute: 'city', value: 'Oslo' })
  expect(await mine.get('mira', 'city')).toMatchObject({ value: 'Oslo' })
})

test('a plan that is no longer exact is stale, and then nothing happens', async () => {
  const mine = await openTenant()
  await mine.assert({ subject: 'mira', attribute: 'city', value: 'Oslo', validFrom: '2026-01-01' })
  const plan = await mine.forget({ subject: 'mira' })
  await mine.assert({ subject: 'mira', attribute: 'city', value: 'Bergen', validFrom: '2026-02-01' })
  const before = await mine.records()
  expect(await refusal(plan.apply())).toMatchObject({ code: 'PLAN_STALE' })
  expect(await mine.records()).toEqual(before)
  await (await mine.forget({ subject: 'mira' })).apply()
  expect((await mine.facts({ history: true })).facts).toEqual([])
})

test('empty, unknown, blank, prefix and wildcard scopes are refused and match nothing', async () => {
  const mine = await openTenant()
  await mine.record({ id: 'a1', text: 'x', author: 'user', session: 's1' })
  await mine.assert({ subject: 'a1', attribute: 'x', value: 1, from: 'a1' })
  const before = await mine.records()
  for (const [scope, code] of [
    [{}, 'EMPTY_SCOPE'],
    [{ fact: undefined }, 'EMPTY_SCOPE'],
    [undefined, 'INVALID_ARGUMENT'],
    ['', 'INVALID_ARGUMENT'],
    ['*', 'INVALID_ARGUMENT'],
    [{ subject: '' }, 'INVALID_NAME'],
    [{ subject: '*' }, 'NOT_FOUND'],
    [{ subject: 'a%' }, 'NOT_FOUND'],
    [{ subject: 'a' }, 'NOT_FOUND'],
    [{ episode: 'a' }, 'NOT_FOUND'],
    [{ episode: ' ' }, 'INVALID_ARGUMENT'],
    [{ session: 's' }, 'NOT_FOUND'],
    [{ fact: 'a1' }, 'NOT_FOUND'],
    [{ tenant: false }, 'INVALID_ARGUMENT'],
    [{ tenant: 'acme' }, 'INVALID_ARGUMENT'],
    [{ subject: 'a1', episode: 'a1' }, 'INVALID_ARGUMENT'],
    [{ attribute: 'x' }, 'INVALID_ARGUMENT'],
  ] as const)
    expect(await refusal(mine.forget(scope as never))).toMatchObject({ code })
  expect(await mine.records()).toEqual(before)
})

test('a second forgetting of the same thing says ERASED', async () => {
  const mine = await openTenant()
  await mine.record({ id: 'e', text: 'x', author: 'user' })
  const { id } = await mine.assert({ subject: 's', attribute: 'x', value: 1, from: 'e' })
  await (await mine.forget({ fact: id })).apply()
  await (await mine.forget({ episode: 'e' })).apply()
  for (const call of [
    mine.forget({ fact: id }),
    mine.forget({ episode: 'e' }),
    mine.why(id),
    mine.confirm(id),
    mine.assert({ subject: 's', attribute: 'x', value: 1, from: 'e' }),
  ])
    expect(await refusal(call)).toMatchObject({ code: 'ERASED' })
})

test('a fault of one forgetting of 1,500 facts leaves all of them or none', async () => {
  const mine = await openTenant()
  await mine.batch(batch => {
    for (let i = 0; i < 1500; i++) batch.assert({ subject: 'mira', attribute: `a${i}`, value: i })
  })
  const plan = await mine.forget({ subject: 'mira' })
  expect(plan.preview.assertions).toHaveLength(1500)
  await plan.apply()
  expect((await mine.facts({ history: true })).facts).toEqual([])
  expect((await mine.records()).filter(record => record.kind === 'assertion')).toEqual([])
})
