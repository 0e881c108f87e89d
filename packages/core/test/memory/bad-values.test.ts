/** Values and names that cannot be kept, wherever they can be given, with and without an idempotency key. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { ErrorCode, Memory, TenantMemory } from '../../src/index.ts'
import { open } from './open.ts'
import { refuses } from './refused.ts'

let memory: Memory
let mine: TenantMemory
let fact: string

beforeAll(async () => {
  memory = await open()
  mine = memory.tenant('acme', { actor: 'user' })
  await memory.tenant('other').record({ id: 'theirs', text: 'I live in Oslo', author: 'user' })
  await mine.record({ id: 'e', text: 'I live in Oslo', author: 'user', at: '2026-01-01T00:00:00Z' })
  fact = (await mine.assert({ subject: 'mira', attribute: 'city', value: 'Oslo', from: 'e' })).id
  await mine.record({ id: 'gone', text: 'forget this', author: 'user' })
  await (await mine.forget({ episode: 'gone' })).apply()
})

const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])
const wide = (keys: number): unknown => Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, i]))
const cyclic: unknown[] = []
cyclic.push(cyclic)
const holed: unknown[] = [1]
holed[2] = 3

const values: readonly (readonly [what: string, value: unknown, codes: readonly ErrorCode[]])[] = [
  ['undefined', undefined, ['INVALID_VALUE']],
  ['NaN', Number.NaN, ['INVALID_VALUE']],
  ['infinity', Number.POSITIVE_INFINITY, ['INVALID_VALUE']],
  ['NaN inside', { a: [1, Number.NaN] }, ['INVALID_VALUE']],
  ['2^53', 2 ** 53, ['INVALID_VALUE']],
  ['-2^53', -(2 ** 53), ['INVALID_VALUE']],
  ['an unsafe integer inside', [[2 ** 60]], ['INVALID_VALUE']],
  ['a bigint', 10n, ['INVALID_VALUE']],
  ['a function', (): number => 1, ['INVALID_VALUE']],
  ['a symbol', Symbol('x'), ['INVALID_VALUE']],
  ['a high surrogate alone', 'a\ud83d', ['INVALID_VALUE']],
  ['a low surrogate alone', '\ude00a', ['INVALID_VALUE']],
  ['surrogates the wrong way round', '\ude00\ud83d', ['INVALID_VALUE']],
  ['a lone surrogate deep inside', { a: { b: ['x', '\ud800'] } }, ['INVALID_VALUE']],
  ['a lone surrogate in a key', { a: { '\ud800': 1 } }, ['INVALID_VALUE']],
  ['undefined inside', { a: undefined }, ['INVALID_VALUE']],
  ['a hole', holed, ['INVALID_VALUE']],
  ['a Map', new Map([['a', 1]]), ['INVALID_VALUE']],
  ['a Set', new Set([1]), ['INVALID_VALUE']],
  ['bytes', new Uint8Array(4), ['INVALID_VALUE']],
  ['an own __proto__', JSON.parse('{"a":{"__proto__":{"b":1}}}'), ['INVALID_VALUE']],
  ['a cycle', cyclic, ['INVALID_VALUE', 'TOO_LARGE']],
  ['17 levels', nested(17), ['TOO_LARGE']],
  ['1,000 levels', nested(1000), ['TOO_LARGE']],
  ['65 keys', wide(65), ['TOO_LARGE']],
  ['65 keys inside', [wide(65)], ['TOO_LARGE']],
  ['over 256 KiB of ASCII', 'x'.repeat(256 * 1024 + 1), ['TOO_LARGE']],
  ['over 256 KiB in UTF-8 only', '李'.repeat(90_000), ['TOO_LARGE']],
  ['over 256 KiB by its escapes', '\u0001'.repeat(50_000), ['TOO_LARGE']],
  ['a list over 256 KiB', Array.from({ length: 60_000 }, () => 12_345), ['TOO_LARGE']],
]

describe.each(values)('a value that is %s', (_, value, codes) => {
  const slot = { subject: 'mira', attribute: 'thing', value: value as never }
  const check = async (call: () => Promise<unknown>): Promise<void> => {
    let code: ErrorCode = codes[0] as ErrorCode
    await refuses(
      memory,
      mine,
      () =>
        call().catch((error: unknown) => {
          // Two codes say a cycle equally well.
          const got = (error as { code: ErrorCode }).code
          if (codes.includes(got)) code = got
          throw error
        }),
      {
        get code() {
          return code
        },
        names: 'value',
      },
    )
  }
  test('is refused by assert, batch and correct', async () => {
    await check(() => mine.assert(slot))
    await check(() =>
      mine.batch(work => {
        work.record({ text: 'kept only with the rest', author: 'user' })
        work.assert({ ...slot, subject: 'first', value: 1 })
        work.assert(slot)
        work.assert({ ...slot, subject: 'last', value: 1 })
      }),
    )
    await check(() => mine.correct(fact, { value: slot.value }))
    if (value !== undefined) await check(() => mine.retract(slot))
  })
  test('is refused with the same code under an idempotency key, and the key stays free', async () => {
    await check(() => mine.assert(slot, { key: 'of a refused call' }))
    await check(() => mine.correct(fact, { value: slot.value }, { key: 'of a refused call' }))
  })
})

test('a refused call does not use up its key', async () => {
  const good = { subject: 'key', attribute: 'free', value: 1 }
  await refuses(memory, mine, () => mine.assert({ ...good, value: Number.NaN }, { key: 'free' }), { code: 'INVALID_VALUE' })
  const { id } = await mine.assert(good, { key: 'free' })
  expect(await mine.get('key', 'free')).toMatchObject({ id })
})

const names: readonly (readonly [what: string, name: unknown])[] = [
  ['empty', ''],
  ['a blank', ' '],
  ['white space of all sorts', '\t\n\u00a0\u2003\u3000'],
  ['undefined', undefined],
  ['null', null],
  ['a number', 5],
  ['an object', { name: 'mira' }],
  ['a list', ['mira']],
  ['a lone surrogate', 'mi\ud800ra'],
  ['U+0000', 'mira\u0000'],
  ['a control character', 'mi\u0007ra'],
  ['10,000 characters long', 'x'.repeat(10_000)],
]

describe.each(names)('a name that is %s', (_, name) => {
  const bad = name as string
  test('is refused as subject and attribute by every call that takes one', async () => {
    const subject = { code: 'INVALID_NAME', names: 'subject' } as const
    const attribute = { code: 'INVALID_NAME', names: 'attribute' } as const
    await refuses(memory, mine, () => mine.assert({ subject: bad, attribute: 'x', value: 1 }), subject)
    await refuses(memory, mine, () => mine.assert({ subject: 'x', attribute: bad, value: 1 }), attribute)
    await refuses(memory, mine, () => mine.retract({ subject: bad, attribute: 'x' }), subject)
    await refuses(memory, mine, () => mine.retract({ subject: 'x', attribute: bad }), attribute)
    await refuses(memory, mine, () => mine.get(bad, 'x'), subject)
    await refuses(memory, mine, () => mine.get('x', bad), attribute)
    await refuses(memory, mine, () => mine.standing(bad, 'x'), subject)
    await refuses(memory, mine, () => mine.standing('x', bad), attribute)
    if (bad !== undefined) {
      await refuses(memory, mine, () => mine.facts({ subject: bad }), subject)
      await refuses(memory, mine, () => mine.facts({ attribute: bad }), attribute)
      await refuses(memory, mine, () => mine.forget({ subject: bad }), subject)
      await refuses(memory, mine, () => mine.forget({ subject: 'mira', attribute: bad }), attribute)
    }
    const batch = (): Promise<unknown> =>
      mine.batch(work => {
        work.assert({ subject: 'first', attribute: 'x', value: 1 })
        work.retract({ subject: bad, attribute: 'x' })
      })
    await refuses(memory, mine, batch, subject)
  })
})

test.each([
  ['empty', ''],
  ['a blank', ' \t'],
  ['undefined', undefined],
  ['null', null],
  ['a number', 7],
  ['an object', {}],
  ['a lone surrogate', 'acme\udc00'],
])('a tenant that is %s is refused', async (_, name) => {
  await refuses(memory, mine, () => memory.tenant(name as string), { code: 'INVALID_NAME', names: 'tenant' })
})

test.each([
  ['unknown', 'nothing', 'NOT_FOUND'],
  ["another tenant's", 'theirs', 'NOT_FOUND'],
  ['forgotten', 'gone', 'ERASED'],
  ['blank', ' ', 'INVALID_ARGUMENT'],
  ['a number', 5, 'INVALID_ARGUMENT'],
  ['null', null, 'INVALID_ARGUMENT'],
  ['a lone surrogate', '\ud800', 'INVALID_VALUE'],
] as const)('a source episode that is %s is refused', async (_, source, code) => {
  const from = source as string
  const wanted = { code, names: 'from' } as const
  await refuses(memory, mine, () => mine.assert({ subject: 'a', attribute: 'b', value: 1, from }), wanted)
  await refuses(memory, mine, () => mine.retract({ subject: 'mira', attribute: 'city', from }), wanted)
  await refuses(memory, mine, () => mine.correct(fact, { value: 'Bergen', from }), wanted)
  const batch = (): Promise<unknown> =>
    mine.batch(work => {
      work.assert({ subject: 'a', attribute: 'b', value: 1 })
      work.assert({ subject: 'a', attribute: 'c', value: 1, from })
    })
  await refuses(memory, mine, batch, wanted)
})

test('the largest values that the limits allow are kept as they are', async () => {
  const keep = async (what: string, value: unknown): Promise<void> => {
    await mine.assert({ subject: 'large', attribute: what, value: value as never })
    expect((await mine.get('large', what))?.value).toEqual(value)
  }
  await keep('ascii', 'x'.repeat(256 * 1024 - 2))
  await keep('utf-8', '李'.repeat(87_380))
  await keep('keys', wide(64))
  await keep(
    'list',
    Array.from({ length: 20_000 }, (_, i) => i),
  )
  await keep('integer', Number.MAX_SAFE_INTEGER)
  await keep('negative', Number.MIN_SAFE_INTEGER)
  await keep('small', 5e-324)
  await keep('fraction', 0.1 + 0.2)
  await keep('pair', '😀')
  await keep('keys that JavaScript knows', { constructor: 1, toString: 2, hasOwnProperty: 3, '': 4, ' ': 5 })
})

test('0, false, "" and null are values in every call that returns one', async () => {
  for (const [index, value] of [0, false, '', null].entries()) {
    const attribute = `v${index}`
    const { id } = await mine.assert({ subject: 'empty', attribute, value, validFrom: '2026-01-01' })
    expect(await mine.get('empty', attribute)).toMatchObject({ value })
    expect(await mine.fact(id)).toMatchObject({ value })
    expect(await mine.why(id)).toMatchObject({ fact: { value }, assertions: [{ kind: 'value', value }] })
    expect(await mine.standing('empty', attribute)).toMatchObject({ state: 'known', facts: [{ value }] })
    expect((await mine.facts({ subject: 'empty', value })).facts.map(each => each.id)).toEqual([id])
    const shown = typeof value === 'string' ? value : JSON.stringify(value)
    const rows = await memory.query('select value from memory_facts where memory_id = ?', [id])
    expect(rows).toEqual([{ value: shown }])
  }
  expect(await mine.get('empty', 'v0')).not.toMatchObject({ value: false })
})
