/** Forgetting: blackened passages, late arrivals, plans that went stale, answers about what was forgotten. */
import { expect, test } from 'vitest'
import { MemoryStore, type TenantMemory } from '../../src/index.ts'
import { open, openTenant, refusal } from './open.ts'

test('a quote is blackened by its offsets in UTF-16 units, and another fact keeps what is left of its own', async () => {
  const mine = await openTenant()
  const text = 'I am Mira 😀, my pin is 4711 and my pin is 4711.'
  await mine.record({ id: 'e', text, author: 'user' })
  const whole = await mine.assert({ subject: 'u', attribute: 'name', value: 'Mira', from: 'e' })
  const pin = await mine.assert({ subject: 'u', attribute: 'pin', value: '4711', from: 'e', quote: 'pin is 4711' })
  const start = text.indexOf('pin is 4711')
  expect((await mine.fact(pin.id))?.sources).toMatchObject([{ start, end: start + 11, quote: 'pin is 4711' }])
  await (await mine.forget({ fact: pin.id })).apply()
  const kept = (await mine.episode('e'))?.text as string
  expect(kept).toHaveLength(text.length)
  expect(kept.slice(0, start)).toBe(text.slice(0, start))
  expect(kept.slice(start, start + 11)).not.toMatch(/[a-z0-9]/u)
  expect(kept.slice(start + 11)).toBe(text.slice(start + 11))
  expect((await mine.fact(whole.id))?.sources[0]?.quote).toBe(kept)
  // The blackened passage is no evidence any more.
  const claim = mine.assert({ subject: 'u', attribute: 'code', value: 'x', from: 'e', quote: text.slice(0, start + 11) })
  expect(await refusal(claim)).toMatchObject({ code: 'QUOTE_NOT_FOUND' })
})

test('without a quote the whole text is the quote, and goes', async () => {
  const mine = await openTenant()
  await mine.record({ id: 'e', text: 'my pin is 4711', author: 'user' })
  const { id } = await mine.assert({ subject: 'u', attribute: 'pin', value: '4711', from: 'e' })
  const plan = await mine.forget({ fact: id })
  expect(plan.preview.redactions).toEqual([{ episode: 'e', start: 0, end: 14, quote: 'my pin is 4711' }])
  await plan.apply()
  expect((await mine.episode('e'))?.text).not.toMatch(/[a-z0-9]/u)
  expect(JSON.stringify(await mine.records())).not.toContain('4711')
})

/** What one person said on a device that was away, and what another device forgot meanwhile. */
async function away(): Promise<{ here: TenantMemory; there: TenantMemory; clock: { now: number } }> {
  const clock = { now: Date.parse('2026-01-01T00:00:00Z') }
  const [here, there] = [await openTenant({ now: () => clock.now }), await openTenant({ now: () => clock.now })]
  return { here, there, clock }
}

test('a scope reaches statements that arrive later but were recorded before it, and none recorded after it', async () => {
  const { here, there, clock } = await away()
  await here.assert({ subject: 'mira', attribute: 'city', value: 'Oslo', validFrom: '2025-01-01' })
  await there.record({ id: 'e', text: 'She lives in Bergen', author: 'user' })
  await there.assert({ subject: 'mira', attribute: 'city', value: 'Bergen', validFrom: '2025-06-01', from: 'e' })
  await there.assert({ subject: 'john', attribute: 'city', value: 'Rome', validFrom: '2025-06-01' })
  clock.now += 60_000
  await (await here.forget({ subject: 'mira' })).apply()
  clock.now += 60_000
  const again = await there.assert({ subject: 'mira', attribute: 'city', value: 'Turku', validFrom: '2025-07-01' })
  await here.merge(await there.records())
  await there.merge(await here.records())
  for (const device of [here, there]) {
    expect((await device.facts({ history: true })).facts.map(fact => fact.value)).toEqual(['Rome', 'Turku'])
    expect(await device.get('mira', 'city')).toMatchObject({ id: again.id })
    expect(JSON.stringify(await device.records())).not.toContain('Bergen')
  }
  expect(await here.records()).toEqual(await there.records())
})

test('a session, and a tenant, reach what arrives later but was recorded before', async () => {
  for (const scope of [{ session: 's' }, { tenant: true }] as const) {
    const { here, there, clock } = await away()
    await here.record({ id: 'e1', text: 'one', author: 'user', session: 's' })
    await there.record({ id: 'e2', text: 'two', author: 'user', session: 's' })
    await there.assert({ subject: 'mira', attribute: 'city', value: 'Bergen', from: 'e2' })
    clock.now += 60_000
    await (await here.forget(scope)).apply()
    clock.now += 60_000
    await there.record({ id: 'e3', text: 'three', author: 'user', session: 's' })
    await here.merge(await there.records())
    await there.merge(await here.records())
    for (const device of [here, there]) {
      expect((await device.episodes()).episodes.map(each => each.id)).toEqual(['e3'])
      expect((await device.facts({ history: true })).facts).toEqual([])
    }
    expect(await here.records()).toEqual(await there.records())
  }
})

test('evidence that arrives after its episode was forgotten does not carry a fact', async () => {
  const { here, there, clock } = await away()
  const episode = { id: 'e', text: 'She lives in Bergen', author: 'user', at: '2025-06-01T00:00:00Z' } as const
  await here.record(episode)
  await there.merge(await here.records())
  await there.assert({ subject: 'mira', attribute: 'city', value: 'Bergen', from: 'e' })
  clock.now += 60_000
  await (await here.forget({ episode: 'e' })).apply()
  await here.merge(await there.records())
  expect(await here.get('mira', 'city')).toBeUndefined()
  await there.merge(await here.records())
  expect(await there.get('mira', 'city')).toBeUndefined()
  expect(await here.records()).toEqual(await there.records())
})

test('forgetting a correction brings back what it had replaced; forgetting the value does not bring back its rejection', async () => {
  const mine = await openTenant()
  const oslo = await mine.assert({ subject: 'm', attribute: 'city', value: 'Oslo', validFrom: '2026-01-01' })
  const bergen = await mine.assert({ subject: 'm', attribute: 'city', value: 'Bergen', validFrom: '2026-02-01' })
  const turku = await mine.correct(bergen.id, { value: 'Turku' })
  const plan = await mine.forget({ fact: turku.id })
  // Bergen was rejected and stays so: Oslo is what holds.
  expect(plan.preview.resumed).toMatchObject([{ id: oslo.id, validTo: null }])
  await plan.apply()
  expect((await mine.facts({ history: true })).facts).toMatchObject([{ id: oslo.id, value: 'Oslo', validTo: null }])
})

test('PLAN_STALE: whatever changed so that the preview is no longer exact; an unrelated change leaves the plan good', async () => {
  const changes: readonly ((mine: TenantMemory) => Promise<unknown>)[] = [
    mine => mine.assert({ subject: 'm', attribute: 'city', value: 'Rome', validFrom: '2026-05-01' }),
    mine => mine.assert({ subject: 'm', attribute: 'city', value: 'Oslo', from: 'e2', validFrom: '2026-01-01T00:00:00Z' }),
    mine => mine.retract({ subject: 'm', attribute: 'city', validFrom: '2026-05-01' }),
    async mine => mine.reject((await mine.get('m', 'city'))?.id as string),
    async mine => (await mine.forget({ episode: 'e' })).apply(),
    async mine => (await mine.forget({ subject: 'm', attribute: 'city' })).apply(),
  ]
  for (const change of changes) {
    const mine = await openTenant()
    await mine.record({ id: 'e', text: 'Oslo', author: 'user', at: '2026-01-01T00:00:00Z' })
    await mine.record({ id: 'e2', text: 'Oslo', author: 'user', at: '2026-01-02T00:00:00Z' })
    await mine.assert({ subject: 'm', attribute: 'city', value: 'Oslo', from: 'e' })
    const plan = await mine.forget({ subject: 'm' })
    await change(mine)
    const before = await mine.records()
    const error = await refusal(plan.apply())
    // Where nothing is left to forget, that can be said instead.
    expect(['PLAN_STALE', 'NOT_FOUND', 'ERASED']).toContain(error.code)
    expect(await mine.records()).toEqual(before)
  }
  const mine = await openTenant()
  await mine.assert({ subject: 'm', attribute: 'city', value: 'Oslo' })
  const plan = await mine.forget({ subject: 'm' })
  await mine.assert({ subject: 'john', attribute: 'city', value: 'Rome' })
  await plan.apply()
  expect((await mine.facts()).facts.map(fact => fact.value)).toEqual(['Rome'])
})

test('a plan is applied once; under an idempotency key it answers the same again', async () => {
  const store = new MemoryStore()
  const mine = (await open({ store })).tenant('acme', { actor: 'user' })
  await mine.assert({ subject: 'm', attribute: 'city', value: 'Oslo' })
  const plan = await mine.forget({ subject: 'm' })
  const first = await plan.apply({ key: 'k' })
  const before = await mine.records()
  expect(await plan.apply({ key: 'k' })).toEqual(first)
  expect(['PLAN_STALE', 'NOT_FOUND', 'ERASED']).toContain((await refusal(plan.apply())).code)
  expect(await mine.records()).toEqual(before)
  expect(before.filter(record => record.kind === 'erasure')).toHaveLength(1)
})

test.each([
  ['its episode', { episode: 'e' }],
  ['its session', { session: 's' }],
  ['its subject', { subject: 'm' }],
  ['the tenant', { tenant: true }],
] as const)('what a key had answered is not told again once it went with %s', async (_, scope) => {
  const mine = await openTenant()
  await mine.record({ id: 'e', text: 'Oslo', author: 'user', session: 's' })
  const input = { subject: 'm', attribute: 'city', value: 'Oslo', from: 'e' } as const
  await mine.assert(input, { key: 'k' })
  await mine.batch(work => void work.assert({ ...input, attribute: 'home' }), { key: 'b' })
  await (await mine.forget(scope)).apply()
  const before = await mine.records()
  expect(await refusal(mine.assert(input, { key: 'k' }))).toMatchObject({ code: 'ERASED' })
  const batch = mine.batch(work => void work.assert({ ...input, attribute: 'home' }), { key: 'b' })
  expect(await refusal(batch)).toMatchObject({ code: 'ERASED' })
  expect(await mine.records()).toEqual(before)
})

test('standing says erased, at any instant since, until something is said', async () => {
  const mine = await openTenant()
  const { id } = await mine.assert({ subject: 'm', attribute: 'city', value: 'Oslo', validFrom: '2026-01-01' })
  await mine.assert({ subject: 'm', attribute: 'diet', value: 'none', validFrom: '2026-01-01' })
  await (await mine.forget({ fact: id })).apply()
  expect(await mine.standing('m', 'city')).toEqual({ state: 'erased', facts: [] })
  expect(await mine.standing('M', 'City', { at: '2026-02-01' })).toEqual({ state: 'erased', facts: [] })
  expect(await mine.standing('m', 'diet')).toMatchObject({ state: 'known' })
  expect(await mine.standing('m', 'never')).toEqual({ state: 'never', facts: [] })
  await mine.assert({ subject: 'm', attribute: 'city', value: 'Oslo', validFrom: '2026-03-01', validUntil: '2026-04-01' })
  expect(await mine.standing('m', 'city', { at: '2026-03-15' })).toMatchObject({ state: 'known' })
  expect(await mine.standing('m', 'city', { at: '2026-05-01' })).toMatchObject({ state: 'ended' })
  await (await mine.forget({ tenant: true })).apply()
  expect(await mine.standing('m', 'diet')).toEqual({ state: 'erased', facts: [] })
})

test('an erasure carries no content: neither values, nor names, nor texts', async () => {
  const mine = await openTenant()
  await mine.record({ id: 'e', text: 'secretive sentence', author: 'user', session: 'sessionname' })
  await mine.assert({ subject: 'subjectname', attribute: 'attributename', value: 'valuable', from: 'e' })
  await (await mine.forget({ subject: 'subjectname', attribute: 'attributename' })).apply()
  await (await mine.forget({ session: 'sessionname' })).apply()
  const text = JSON.stringify((await mine.records()).filter(({ kind }) => kind === 'erasure' || kind === 'tenantKey'))
  for (const word of ['secretive', 'sessionname', 'subjectname', 'attributename', 'valuable']) expect(text).not.toContain(word)
})

test.each([
  ['by its own id', { fact: 'a' }],
  ['with its episode', { episode: 'e' }],
  ['with its session', { session: 's' }],
  ['with its subject', { subject: 's' }],
  ['with the tenant', { tenant: true }],
] as const)('an id that was forgotten %s says ERASED in every call, and never returns', async (_, scope) => {
  const mine = await openTenant()
  await mine.record({ id: 'e', text: 'x', author: 'user', session: 's' })
  await mine.assert({ id: 'a', subject: 's', attribute: 'x', value: 1, from: 'e' })
  await (await mine.forget(scope)).apply()
  const before = await mine.records()
  const codes: Record<string, unknown> = {}
  for (const [name, call] of Object.entries({
    assert: () => mine.assert({ id: 'a', subject: 's', attribute: 'x', value: 1 }),
    'assert elsewhere': () => mine.assert({ id: 'a', subject: 'other', attribute: 'x', value: 1 }),
    retract: () => mine.retract({ id: 'a', subject: 's', attribute: 'x' }),
    why: () => mine.why('a'),
    confirm: () => mine.confirm('a'),
    reject: () => mine.reject('a'),
    correct: () => mine.correct('a', { value: 2 }),
    forget: () => mine.forget({ fact: 'a' }),
  }))
    codes[name] = await call().then(
      () => 'done',
      (error: { code: string }) => error.code,
    )
  expect(codes).toEqual(Object.fromEntries(Object.keys(codes).map(name => [name, 'ERASED'])))
  expect(await mine.fact('a')).toBeUndefined()
  expect(await mine.records()).toEqual(before)
})

test('an episode that was forgotten says ERASED in every call, and never returns', async () => {
  for (const scope of [{ episode: 'e' }, { session: 's' }, { tenant: true }] as const) {
    const mine = await openTenant()
    await mine.record({ id: 'e', text: 'x', author: 'user', session: 's' })
    await (await mine.forget(scope)).apply()
    const before = await mine.records()
    for (const call of [
      () => mine.record({ id: 'e', text: 'x', author: 'user', session: 's' }),
      () => mine.record({ id: 'e', text: 'y', author: 'user' }),
      () => mine.assert({ subject: 's', attribute: 'x', value: 1, from: 'e' }),
      () => mine.forget({ episode: 'e' }),
    ])
      expect(await refusal(call())).toMatchObject({ code: 'ERASED' })
    expect(await mine.episode('e')).toBeUndefined()
    expect(await mine.records()).toEqual(before)
  }
})

test('an acknowledged statement is there: none is taken under an id that can never hold again', async () => {
  const mine = await openTenant()
  await mine.record({ id: 'e', text: 'x', author: 'user' })
  await mine.assert({ id: 'a', subject: 's', attribute: 'x', value: 1, from: 'e' })
  await (await mine.forget({ episode: 'e' })).apply()
  const said = await mine.assert({ id: 'a', subject: 's', attribute: 'x', value: 2 }).catch(() => undefined)
  if (said !== undefined) expect(await mine.get('s', 'x')).toMatchObject({ value: 2 })
})
