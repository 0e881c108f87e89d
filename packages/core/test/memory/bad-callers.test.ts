/** Callers without types: wrong kinds of arguments in every call. None is INTERNAL, none is answered, none writes. */
import { beforeAll, expect, test } from 'vitest'
import { MemoryError, type Memory, type TenantMemory } from '../../src/index.ts'
import type { Extractor } from '../../src/extractor.ts'
import { open, refusal } from './open.ts'
import { refuses } from './refused.ts'

type Loose = Record<string, (...args: unknown[]) => Promise<unknown>>

let memory: Memory
let mine: TenantMemory
let loose: Loose
let fact: string

const silent: Extractor = { name: 'silent', version: 1, extract: () => Promise.resolve([]) }

beforeAll(async () => {
  memory = await open({ extractors: [silent] })
  mine = memory.tenant('acme', { actor: 'user' })
  loose = mine as unknown as Loose
  await mine.record({ id: 'e', text: 'I live in Oslo', author: 'user', at: '2026-01-01T00:00:00Z' })
  fact = (await mine.assert({ subject: 'mira', attribute: 'city', value: 'Oslo', from: 'e' })).id
})

const slot = { subject: 'mira', attribute: 'home', value: 'Oslo' }

async function refused(method: string, ...args: unknown[]): Promise<MemoryError> {
  return refuses(memory, mine, () => (loose[method] as Loose[string])(...args), { code: (await codeOf(method, args)) as never })
}

/** Which code it is matters less here than that it is one for callers. */
async function codeOf(method: string, args: unknown[]): Promise<string> {
  const { code } = await refusal(Promise.resolve().then(() => (loose[method] as Loose[string])(...args)))
  expect(['INVALID_ARGUMENT', 'INVALID_NAME', 'INVALID_VALUE', 'INVALID_INSTANT', 'NOT_FOUND', 'EMPTY_SCOPE']).toContain(code)
  return code
}

const things: readonly (readonly [what: string, thing: unknown])[] = [
  ['nothing', undefined],
  ['null', null],
  ['a number', 5],
  ['NaN', Number.NaN],
  ['a text', 'text'],
  ['a boolean', true],
  ['a list', []],
  ['an empty object', {}],
]

test.each(things)('%s instead of what a call needs first is refused', async (_, thing) => {
  for (const method of ['assert', 'retract', 'record', 'remember', 'forget']) await refused(method, thing)
  for (const method of ['confirm', 'reject', 'undo', 'fact', 'why', 'episode', 'get', 'standing'])
    if (thing !== 'text') await refused(method, thing, thing)
  if (!Array.isArray(thing)) await refused('merge', thing)
  if (thing !== 'text') await refused('correct', thing, { value: 1 })
})

test.each(things)('%s instead of what builds a batch is refused', async (_, thing) => {
  await refused('batch', thing)
})

test('a batch whose builder throws, returns a promise, or is used after its end writes nothing of it', async () => {
  const broken = new Error('of the caller')
  const before = await mine.records()
  const call = Promise.resolve().then(() =>
    mine.batch(work => {
      work.assert({ ...slot, attribute: 'never' })
      throw broken
    }),
  )
  await expect(call).rejects.toBe(broken)
  expect(await mine.records()).toEqual(before)
  // What is added after the first await would be lost in silence, so that the whole must be refused.
  await refused('batch', async (work: { assert(input: unknown): string }) => {
    work.assert({ ...slot, attribute: 'before' })
    await Promise.resolve()
    work.assert({ ...slot, attribute: 'after' })
  })
})

test('an empty batch answers with nothing and writes nothing', async () => {
  const before = await memory.health()
  expect(await mine.batch(() => undefined)).toEqual([])
  expect((await memory.health()).head).toBe(before.head)
})

test.each(things.filter(([, thing]) => !(typeof thing === 'object' && thing !== null && !Array.isArray(thing))))(
  '%s instead of a correction is refused',
  async (_, thing) => {
    await refused('correct', fact, thing)
  },
)

test.each(things.filter(([what]) => what !== 'nothing' && what !== 'null' && what !== 'an empty object'))(
  '%s instead of options is refused',
  async (_, thing) => {
    await refused('assert', slot, thing)
    await refused('record', { text: 'x', author: 'user' }, thing)
    await refused('get', 'mira', 'city', thing)
    await refused('standing', 'mira', 'city', thing)
    await refused('fact', fact, thing)
    await refused('facts', thing)
    await refused('episodes', thing)
    await refused('confirm', fact, thing)
    await refused('correct', fact, { value: 1 }, thing)
    await refused('merge', [], thing)
  },
)

const fields: readonly (readonly [
  field: string,
  method: string,
  values: readonly unknown[],
  input: (value: unknown) => unknown[],
])[] = [
  ['id', 'assert', [5, '', ' ', {}, ['a'], 'a\nb', true], id => [{ ...slot, id }]],
  ['quote', 'assert', [5, null, {}, ''], quote => [{ ...slot, from: 'e', quote }]],
  ['confidence', 'assert', [-0.1, 1.1, Number.NaN, '0.5', null, true], confidence => [{ ...slot, confidence }]],
  ['retention', 'assert', [5, null, {}, 'a\ud800'], retention => [{ ...slot, retention }]],
  ['ifFact', 'assert', [5, '', {}, true], ifFact => [{ ...slot, ifFact }]],
  ['key', 'assert', [5, '', ' ', {}, null, 'a\ud800', 'x'.repeat(2000)], key => [slot, { key }]],
  ['limit', 'facts', [0, -1, 1.5, 1001, '10', null, Number.NaN, Number.POSITIVE_INFINITY], limit => [{ limit }]],
  ['limit', 'episodes', [0, -1, 1.5, 1001, '10', null, Number.NaN, Number.POSITIVE_INFINITY], limit => [{ limit }]],
  ['history', 'facts', ['yes', 1, {}, 'false'], history => [{ history }]],
  ['value', 'facts', [Number.NaN, '\ud800', { a: undefined }], value => [{ value }]],
  ...['session', 'tag', 'entity', 'uri', 'place', 'retention', 'kind', 'author', 'after'].map(
    field => [field, 'episodes', [5, {}, ['a'], true], (value: unknown) => [{ [field]: value }]] as const,
  ),
]

test.each(fields)('a %s of the wrong type is refused by %s', async (field, method, values, input) => {
  for (const value of values) {
    const error = await refused(method, ...input(value))
    expect(`${error.message} ${String(error.details['field'])}`).toContain(field)
  }
})

test('a cursor whose parts are of another kind is refused, rather than read as some other place', async () => {
  for (const after of ['[1,2,"x",4]', '["s","a","1","id"]', '["s","a",1,5]', '["s","a",1.5,"id"]', '["s","a",null,"id"]'])
    await refused('facts', { after })
  for (const after of ['["a",1,2]', '["1","c","id"]', '[1,2,"id"]', '[1,"c",3]', '[1.5,"c","id"]'])
    await refused('episodes', { after })
})

test('records that are none are refused by merge, all of them with the first', async () => {
  const [episode, ...rest] = await mine.records()
  const assertion = rest.find(record => record.kind === 'assertion') as object
  for (const bad of [
    null,
    5,
    'text',
    [],
    {},
    { kind: 'episode' },
    { kind: 'poem', id: 'x' },
    { kind: 'operation', id: 'x', clock: '000000000001-0000-a', key: 'k', digest: 'd', result: 1 },
    { ...assertion, id: '' },
    { ...assertion, clock: 'now' },
    { ...assertion, subject: 'MIRA' },
    { ...assertion, subject: ' ' },
    { ...assertion, validFrom: '2026-02-30T00:00:00Z' },
    { ...assertion, validFrom: '2026-01-01' },
    { ...assertion, validUntil: '2000-01-01T00:00:00Z' },
    { ...assertion, trust: 'god' },
    { ...assertion, by: 'Mira' },
    { ...assertion, value: undefined },
    { ...assertion, value: '\ud800' },
    { ...assertion, value: Number.NaN },
    { ...assertion, extra: 1 },
    { ...assertion, tenant: 'other' },
    { ...assertion, evidence: [{ episode: 'e', start: 3 }] },
    { ...assertion, evidence: [{ episode: 'e', start: 3, end: 1 }] },
    { ...assertion, confidence: 2 },
    { ...episode, text: 5 },
    { ...episode, at: 'yesterday' },
  ])
    await refused('merge', [{ ...assertion, id: 'would be new' }, bad])
})

test('an actor and options of a handle that are none are refused, at the latest by the first call', async () => {
  for (const options of [{ actor: 'root' }, { actor: '' }, { actor: 5 }, { actor: ['user'] }, { actor: null }, 'user', 5]) {
    const error = await refusal(
      Promise.resolve().then(() => memory.tenant('acme', options as never).assert({ ...slot, subject: JSON.stringify(options) })),
    ).catch(() => ({ code: `nothing, for ${JSON.stringify(options)}` }))
    // null may be read as "not given"; then the actor is the weakest one, never the user.
    if (options === 5 || options === 'user' || (options as { actor: unknown }).actor === null) continue
    expect(error.code).toBe('INVALID_ARGUMENT')
  }
  expect(memory.tenant('acme').actor).toBe('assistant')
})

test('what a caller changes after the call has no effect', async () => {
  const input = { subject: 'mira', attribute: 'list', value: ['a'] }
  const asserted = mine.assert(input)
  input.subject = 'other'
  input.value.push('b')
  await asserted
  expect(await mine.get('mira', 'list')).toMatchObject({ value: ['a'] })
  const tags = ['a']
  const id = mine.record({ text: 'x', author: 'user', tags })
  tags.push('b')
  expect(await mine.episode(await id)).toMatchObject({ tags: ['a'] })
  const found = (await mine.get('mira', 'list')) as unknown as { value: string[] }
  found.value.push('c')
  expect(await mine.get('mira', 'list')).toMatchObject({ value: ['a'] })
})

test('a closed memory says CLOSED in every call, and closing again does nothing', async () => {
  const closed = await open({ extractors: [silent] })
  const tenant = closed.tenant('acme', { actor: 'user' })
  const { id } = await tenant.assert(slot)
  const plan = await tenant.forget({ fact: id })
  await closed.close()
  await closed.close()
  for (const call of [
    () => tenant.record({ text: 'x', author: 'user' }),
    () => tenant.assert(slot),
    () => tenant.retract(slot),
    () => tenant.batch(() => undefined),
    () => tenant.confirm(id),
    () => tenant.reject(id),
    () => tenant.undo(id),
    () => tenant.correct(id, { value: 1 }),
    () => tenant.remember({ text: 'x', author: 'user' }),
    () => tenant.get('mira', 'home'),
    () => tenant.standing('mira', 'home'),
    () => tenant.facts(),
    () => tenant.fact(id),
    () => tenant.why(id),
    () => tenant.review(),
    () => tenant.episode('e'),
    () => tenant.episodes(),
    () => tenant.forget({ fact: id }),
    () => plan.apply(),
    () => tenant.records(),
    () => tenant.merge([]),
    () => closed.query('select 1'),
    () => closed.checkpoint(),
    () => closed.health(),
    () => closed.tenant('acme').get('mira', 'home'),
  ])
    expect(await refusal(call())).toMatchObject({ name: 'MemoryError', code: 'CLOSED', retryable: false })
})

test('closing waits for writes under way', async () => {
  const store = new (await import('../../src/index.ts')).MemoryStore()
  const first = await open({ store })
  const writes = Array.from({ length: 20 }, (_, i) => first.tenant('a').assert({ subject: `s${i}`, attribute: 'x', value: i }))
  await first.close()
  const settled = await Promise.allSettled(writes)
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  expect((await (await open({ store })).tenant('a').facts()).facts).toHaveLength(20)
})
