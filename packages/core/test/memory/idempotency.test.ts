/** `key`: the same call is done once and answers the same. `ifFact`: only onto what was seen. A signal: before, or not at all. */
import { expect, test } from 'vitest'
import { MemoryStore, type ForgetPlan, type TenantMemory, type WriteOptions } from '../../src/index.ts'
import type { Extractor } from '../../src/extractor.ts'
import { open, openTenant, refusal } from './open.ts'

const SLOT = { subject: 'mira', attribute: 'city' }

const extractor: Extractor = {
  name: 'test',
  version: 1,
  extract: ({ text }) =>
    Promise.resolve([
      {
        evidence: text,
        ...{ subject: 'mira', attribute: 'said', current_value: null, change: 'new' as const, value: text },
        ...{ valid_from: null, valid_until: null, confidence: 1 },
      },
    ]),
}

interface Prepared {
  readonly mine: TenantMemory
  /** Of a fact, of a decision. */
  readonly fact: string
  readonly decision: string
  readonly plan: ForgetPlan
  readonly plan2: ForgetPlan
}

async function prepare(mine: TenantMemory): Promise<Prepared> {
  const fact = (await mine.assert({ ...SLOT, value: 'Oslo', validFrom: '2026-01-01' })).id
  await mine.assert({ subject: 'gone', attribute: 'x', value: 1 })
  await mine.assert({ subject: 'gone too', attribute: 'x', value: 1 })
  const [decision] = await mine.confirm(fact)
  const plans = [await mine.forget({ subject: 'gone' }), await mine.forget({ subject: 'gone too' })] as const
  return { mine, fact, decision: decision as string, plan: plans[0], plan2: plans[1] }
}

type Call = (prepared: Prepared, options: WriteOptions) => Promise<unknown>

/** A call, and another one that must not pass for it. */
const calls: readonly (readonly [name: string, call: Call, other: Call])[] = [
  [
    'record',
    ({ mine }, options) => mine.record({ text: 'hello', author: 'user' }, options),
    ({ mine }, options) => mine.record({ text: 'hello!', author: 'user' }, options),
  ],
  [
    'assert',
    ({ mine }, options) => mine.assert({ ...SLOT, value: 'Bergen', validFrom: new Date('2026-02-01') }, options),
    ({ mine }, options) => mine.assert({ ...SLOT, value: 'Rome', validFrom: new Date('2026-02-01') }, options),
  ],
  [
    'retract',
    ({ mine }, options) => mine.retract({ ...SLOT, validFrom: '2026-02-01' }, options),
    ({ mine }, options) => mine.retract({ ...SLOT, validFrom: '2026-02-02' }, options),
  ],
  [
    'batch',
    ({ mine }, options) =>
      mine.batch(batch => {
        const from = batch.record({ text: 'I live in Bergen', author: 'user', at: '2026-02-01' })
        batch.assert({ ...SLOT, value: 'Bergen', from })
        batch.retract({ subject: 'mira', attribute: 'diet', from })
      }, options),
    ({ mine }, options) =>
      mine.batch(batch => batch.record({ text: 'I live in Bergen', author: 'user', at: '2026-02-01' }), options),
  ],
  ['confirm', ({ mine, fact }, options) => mine.confirm(fact, options), ({ mine, fact }, options) => mine.reject(fact, options)],
  ['reject', ({ mine, fact }, options) => mine.reject(fact, options), ({ mine, fact }, options) => mine.confirm(fact, options)],
  [
    'undo',
    ({ mine, decision }, options) => mine.undo(decision, options),
    ({ mine }, options) => mine.undo('another decision', options),
  ],
  [
    'correct',
    ({ mine, fact }, options) => mine.correct(fact, { value: 'Bergen' }, options),
    ({ mine, fact }, options) => mine.correct(fact, { value: 'Rome' }, options),
  ],
  [
    'merge',
    async ({ mine }, options) =>
      mine.merge(
        (await mine.records()).filter(record => record.kind === 'assertion'),
        options,
      ),
    ({ mine }, options) => mine.merge([], options),
  ],
  ['forget', ({ plan }, options) => plan.apply(options), ({ plan2 }, options) => plan2.apply(options)],
  [
    'remember',
    ({ mine }, options) => mine.remember({ text: 'I like snow', author: 'user' }, options),
    ({ mine }, options) => mine.remember({ text: 'I like tea', author: 'user' }, options),
  ],
]

test.each(calls)('%s: done once, answered the same; another call under the key is KEY_REUSED', async (_, call, other) => {
  const store = new MemoryStore()
  const memory = await open({ store, extractors: [extractor] })
  const prepared = await prepare(memory.tenant('acme', { actor: 'user' }))
  const { mine } = prepared
  const answer = await call(prepared, { key: 'k1' })
  const after = await mine.records()
  expect(await call(prepared, { key: 'k1' })).toEqual(answer)
  expect(await mine.records()).toEqual(after)
  expect(await refusal(other(prepared, { key: 'k1' }))).toMatchObject({ code: 'KEY_REUSED', details: { field: 'key' } })
  expect(await mine.records()).toEqual(after)

  // Another tenant's keys are its own.
  const elsewhere = memory.tenant('other', { actor: 'user' })
  await elsewhere.assert({ subject: 's', attribute: 'x', value: 1 }, { key: 'k1' })
  expect(await elsewhere.get('s', 'x')).toMatchObject({ value: 1 })

  // Another replica, and after a reopen, before and after a checkpoint.
  const replica = (await open({ store, extractors: [extractor] })).tenant('acme', { actor: 'user' })
  expect(await call({ ...prepared, mine: replica }, { key: 'k1' })).toEqual(answer)
  await memory.checkpoint()
  await memory.close()
  const again = (await open({ store, extractors: [extractor] })).tenant('acme', { actor: 'user' })
  if (call === forget) return
  expect(await call({ ...prepared, mine: again }, { key: 'k1' })).toEqual(answer)
  expect(await again.records()).toEqual(after)
})

// A plan belongs to the memory that made it, which is closed by then.
const forget = calls.find(([name]) => name === 'forget')?.[1]

test('two replicas under one key at the same time: done once', async () => {
  const store = new MemoryStore()
  const [a, b] = await Promise.all([open({ store }), open({ store })])
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(
      [a, b, a, b].map(memory =>
        memory.tenant('acme').assert({ subject: `s${round}`, attribute: 'x', value: round }, { key: `k${round}` }),
      ),
    )
    expect(new Set(answers.map(answer => answer.id)).size).toBe(1)
  }
  expect(await a.query('select count(*) as n from assertion')).toEqual([{ n: 10 }])
  expect(await a.tenant('acme').records()).toEqual(await b.tenant('acme').records())
})

test('a call that was refused leaves its key free', async () => {
  const mine = await openTenant()
  expect(await refusal(mine.assert({ ...SLOT, value: 1, from: 'e' }, { key: 'k' }))).toMatchObject({ code: 'NOT_FOUND' })
  await mine.record({ id: 'e', text: 'x', author: 'user' })
  await mine.assert({ ...SLOT, value: 1, from: 'e' }, { key: 'k' })
  expect(await mine.get('mira', 'city')).toMatchObject({ value: 1 })
})

test('bad input under a key is refused as it is without one', async () => {
  const mine = await openTenant()
  const cyclic: unknown[] = []
  cyclic.push(cyclic)
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '\ud800', undefined, cyclic, 2 ** 53]) {
    const { code } = await refusal(mine.assert({ ...SLOT, value: value as never }))
    expect(await refusal(mine.assert({ ...SLOT, value: value as never }, { key: 'k' })), typeof value).toMatchObject({
      code,
    })
  }
  expect(await refusal(mine.assert({ ...SLOT, value: 1, validFrom: new Date(Number.NaN) }, { key: 'k' }))).toMatchObject({
    code: 'INVALID_INSTANT',
  })
  expect(await mine.records()).toEqual([])
})

test('a key is an id: blank ones, other things and longer ones are refused', async () => {
  const mine = await openTenant({ extractors: [extractor] })
  for (const key of ['', ' ', 5, null, 'a\nb', 'x'.repeat(257)])
    expect(await refusal(mine.record({ text: 'x', author: 'user' }, { key: key as string }))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      details: { field: 'key' },
    })
  expect(await mine.records()).toEqual([])
  // The longest key serves every call.
  const key = 'k'.repeat(256)
  await mine.record({ id: 'e', text: 'x', author: 'user' }, { key })
  const other = `l${key.slice(1)}`
  expect(await mine.remember({ text: 'I like snow', author: 'user' }, { key: other })).toMatchObject({
    outcomes: [{ code: 'stored' }],
  })
})

test('remember under a key asks the extractor once', async () => {
  let asked = 0
  const counting: Extractor = { ...extractor, extract: input => (asked++, extractor.extract(input)) }
  const mine = await openTenant({ extractors: [counting] })
  for (let i = 0; i < 3; i++) await mine.remember({ text: 'I like snow', author: 'user' }, { key: 'k' })
  expect(asked).toBe(1)
})

test('a batch under a key: the ids that it handed out are those that were stored', async () => {
  const mine = await openTenant()
  const run = async (): Promise<string> => {
    let id = ''
    const [stored] = await mine.batch(batch => (id = batch.record({ text: 'x', author: 'user' })), { key: 'k' })
    // On a repetition only the results know: they are the ones to use.
    return (await mine.episode(id)) === undefined ? (stored?.id ?? '') : id
  }
  const first = await run()
  expect(await run()).toBe(first)
  expect((await mine.episodes()).episodes).toHaveLength(1)
})

test('what was forgotten is not told again by its key, nor done again', async () => {
  const mine = await openTenant()
  const call = (): Promise<string> => mine.record({ text: 'secret', author: 'user' }, { key: 'k' })
  const id = await call()
  await (await mine.forget({ episode: id })).apply()
  expect(await refusal(call())).toMatchObject({ code: 'ERASED' })
  expect((await mine.episodes()).episodes).toEqual([])
})

test('keys stay on their device: they are no records', async () => {
  const mine = await openTenant()
  await mine.record({ text: 'x', author: 'user' }, { key: 'a key to be found' })
  expect(JSON.stringify(await mine.records())).not.toContain('a key to be found')
})

test('ifFact: right, wrong, null', async () => {
  const mine = await openTenant()
  const first = await mine.assert({ ...SLOT, value: 'a', validFrom: '2026-01-01', ifFact: null })
  const before = await mine.records()
  for (const ifFact of [null, 'another']) {
    const next = { ...SLOT, validFrom: '2026-02-01', ifFact }
    expect(await refusal(mine.assert({ ...next, value: 'b' }))).toMatchObject({
      code: 'FACT_CHANGED',
      details: { field: 'ifFact' },
    })
    expect(await refusal(mine.retract(next))).toMatchObject({ code: 'FACT_CHANGED' })
  }
  expect(await mine.records()).toEqual(before)
  // Before it began nothing held.
  await mine.assert({ ...SLOT, value: 'earlier', validFrom: '2025-01-01', validUntil: '2025-02-01', ifFact: null })
  const second = await mine.assert({ ...SLOT, value: 'b', validFrom: '2026-02-01', ifFact: first.id })
  expect(await refusal(mine.assert({ ...SLOT, value: 'c', validFrom: '2026-03-01', ifFact: first.id }))).toMatchObject({
    code: 'FACT_CHANGED',
  })
  await mine.retract({ ...SLOT, validFrom: '2026-03-01', ifFact: second.id })
  await mine.assert({ ...SLOT, value: 'd', validFrom: '2026-04-01', ifFact: null })
  expect(await mine.get('mira', 'city', { at: '2026-05-01' })).toMatchObject({ value: 'd' })
})

test('ifFact: of two who saw the same, one gets through', async () => {
  const store = new MemoryStore()
  const [a, b] = [await open({ store }), await open({ store })]
  const { id } = await a.tenant('acme').assert({ ...SLOT, value: 0, validFrom: '2026-01-01' })
  const results = await Promise.allSettled(
    [a, b, a, b].map((memory, i) =>
      memory.tenant('acme').assert({ ...SLOT, value: i + 1, validFrom: `2026-02-0${i + 1}`, ifFact: id }),
    ),
  )
  // Whoever comes later with a later start sees the winner; one with an earlier start still sees the old fact.
  expect(results.filter(result => result.status === 'fulfilled').length).toBeGreaterThan(0)
  for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'FACT_CHANGED' })
  const same = await Promise.allSettled(
    [a, b, a].map(memory =>
      memory.tenant('acme').assert({ subject: 'x', attribute: 'y', value: 1, validFrom: '2026-01-01', ifFact: null }),
    ),
  )
  expect(same.filter(result => result.status === 'fulfilled')).toHaveLength(1)
})

test.each(calls)('%s: an aborted signal writes nothing', async (_, call) => {
  const prepared = await prepare(await openTenant({ extractors: [extractor] }))
  const before = await prepared.mine.records()
  expect(await refusal(call(prepared, { signal: AbortSignal.abort() }))).toMatchObject({ code: 'ABORTED', retryable: true })
  expect(await refusal(call(prepared, { signal: AbortSignal.abort(), key: 'k' }))).toMatchObject({ code: 'ABORTED' })
  expect(await prepared.mine.records()).toEqual(before)
  // The key is free, and a signal that does not fire changes nothing about the call.
  await call(prepared, { signal: new AbortController().signal, key: 'k' })
})

test('a signal that fires after the commit comes too late', async () => {
  const mine = await openTenant()
  const stop = new AbortController()
  await mine.assert({ ...SLOT, value: 1 }, { signal: stop.signal })
  stop.abort()
  expect(await mine.get('mira', 'city')).toMatchObject({ value: 1 })
})
