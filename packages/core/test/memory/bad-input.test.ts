/** Bad input gets a code and a sentence that names the field, and nothing is written. */
import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineSchema, type TenantMemory } from '../../src/index.ts'
import { open, openTenant, refusal } from './open.ts'

const slot = { subject: 'mira', attribute: 'city', value: 'Oslo' }
const deep = (levels: number): unknown => (levels === 0 ? 1 : { in: deep(levels - 1) })
const wide = (keys: number): unknown => Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, i]))
const cyclic: Record<string, unknown> = {}
cyclic['self'] = cyclic

const asserts: readonly (readonly [what: string, input: unknown, code: string, field: string])[] = [
  ['a local time without an offset', { ...slot, validFrom: '2026-06-01T09:00:00' }, 'INVALID_INSTANT', 'validFrom'],
  ['a date that does not exist', { ...slot, validFrom: '2026-02-30' }, 'INVALID_INSTANT', 'validFrom'],
  ['an hour that does not exist', { ...slot, validFrom: '2026-02-03T24:00:00Z' }, 'INVALID_INSTANT', 'validFrom'],
  ['an invalid Date', { ...slot, validFrom: new Date(Number.NaN) }, 'INVALID_INSTANT', 'validFrom'],
  ['a number as an instant', { ...slot, validFrom: 5 }, 'INVALID_INSTANT', 'validFrom'],
  ['an end at the start', { ...slot, validFrom: '2026-01-01', validUntil: '2026-01-01' }, 'INVALID_INTERVAL', 'validUntil'],
  ['an end before the start', { ...slot, validFrom: '2026-01-02', validUntil: '2026-01-01' }, 'INVALID_INTERVAL', 'validUntil'],
  ['an empty subject', { ...slot, subject: '' }, 'INVALID_NAME', 'subject'],
  ['a blank subject', { ...slot, subject: ' \t ' }, 'INVALID_NAME', 'subject'],
  ['no subject', { attribute: 'a', value: 1 }, 'INVALID_NAME', 'subject'],
  ['a subject that is a number', { ...slot, subject: 5 }, 'INVALID_NAME', 'subject'],
  ['a subject with U+0000', { ...slot, subject: 'a\u0000b' }, 'INVALID_NAME', 'subject'],
  ['a subject with a lone surrogate', { ...slot, subject: 'a\ud800' }, 'INVALID_NAME', 'subject'],
  ['an empty attribute', { ...slot, attribute: '' }, 'INVALID_NAME', 'attribute'],
  ['a blank attribute', { ...slot, attribute: '\u00a0' }, 'INVALID_NAME', 'attribute'],
  ['no value', { subject: 'a', attribute: 'b' }, 'INVALID_VALUE', 'value'],
  ['NaN', { ...slot, value: Number.NaN }, 'INVALID_VALUE', 'value'],
  ['infinity', { ...slot, value: Number.NEGATIVE_INFINITY }, 'INVALID_VALUE', 'value'],
  ['an unsafe integer', { ...slot, value: 2 ** 53 }, 'INVALID_VALUE', 'value'],
  ['a bigint', { ...slot, value: 1n }, 'INVALID_VALUE', 'value'],
  ['a lone surrogate', { ...slot, value: '\udc00' }, 'INVALID_VALUE', 'value'],
  ['a lone surrogate in a key', { ...slot, value: { '\udc00': 1 } }, 'INVALID_VALUE', 'value'],
  ['a Map', { ...slot, value: new Map() }, 'INVALID_VALUE', 'value'],
  ['undefined inside', { ...slot, value: { a: undefined } }, 'INVALID_VALUE', 'value.a'],
  ['an own __proto__', { ...slot, value: JSON.parse('{"__proto__": 1}') }, 'INVALID_VALUE', 'value'],
  ['a cycle', { ...slot, value: cyclic }, 'TOO_LARGE', 'value'],
  ['16 levels in a value', { ...slot, value: deep(16) }, 'TOO_LARGE', 'value'],
  ['65 keys', { ...slot, value: wide(65) }, 'TOO_LARGE', 'value'],
  ['a value over 256 KiB', { ...slot, value: 'x'.repeat(256 * 1024) }, 'TOO_LARGE', 'value'],
  ['a source that is not there', { ...slot, from: 'nothing' }, 'NOT_FOUND', 'from'],
  ["another tenant's source", { ...slot, from: 'theirs' }, 'NOT_FOUND', 'from'],
  ['a quote that does not stand there', { ...slot, from: 'mine', quote: 'Bergen' }, 'QUOTE_NOT_FOUND', 'quote'],
  ['an empty quote', { ...slot, from: 'mine', quote: '' }, 'INVALID_ARGUMENT', 'quote'],
  ['a quote without a source', { ...slot, quote: 'I live' }, 'INVALID_ARGUMENT', 'from'],
  ['a confidence over 1', { ...slot, confidence: 1.1 }, 'INVALID_ARGUMENT', 'confidence'],
  ['a confidence that is no number', { ...slot, confidence: 'high' }, 'INVALID_ARGUMENT', 'confidence'],
  ['a blank id', { ...slot, id: ' ' }, 'INVALID_ARGUMENT', 'id'],
  ['null', null, 'INVALID_ARGUMENT', 'input'],
  ['a list', [slot], 'INVALID_ARGUMENT', 'input'],
]

async function prepared(): Promise<TenantMemory> {
  const memory = await open()
  await memory.tenant('other').record({ id: 'theirs', text: 'I live in Oslo', author: 'user' })
  const mine = memory.tenant('acme', { actor: 'user' })
  await mine.record({ id: 'mine', text: 'I live in Oslo', author: 'user' })
  return mine
}

test.each(asserts)('assert: %s', async (_, input, code, field) => {
  const mine = await prepared()
  const before = await mine.records()
  // A bigint and a function do not even travel: the transport refuses them.
  const error = await refusal(mine.assert(input as never))
  expect(error).toMatchObject({ code })
  expect(`${String(error.details['field'])} ${error.message}`).toContain(field)
  await expect(
    mine.batch(batch => {
      batch.record({ text: 'kept only with the rest', author: 'user' })
      batch.assert({ subject: 'a', attribute: 'b', value: 1 })
      batch.assert((input ?? {}) as never)
    }),
  ).rejects.toThrow()
  expect(await mine.records()).toEqual(before)
})

const episode = { text: 'hello', author: 'user' }
const episodes: readonly (readonly [what: string, input: unknown, code: string, field: string])[] = [
  ['no text', { author: 'user' }, 'INVALID_ARGUMENT', 'text'],
  ['a lone surrogate in the text', { ...episode, text: '\ud800' }, 'INVALID_VALUE', 'text'],
  ['a lone surrogate in a tag', { ...episode, tags: ['a', '\ud800'] }, 'INVALID_VALUE', 'tags[1]'],
  ['an author that is none', { ...episode, author: 'Mira' }, 'INVALID_ARGUMENT', 'author'],
  ['a kind that is none', { ...episode, kind: 'poem' }, 'INVALID_ARGUMENT', 'kind'],
  ['a local time', { ...episode, at: '2026-01-01T10:00' }, 'INVALID_INSTANT', 'at'],
  ['a time zone that is none', { ...episode, timeZone: 'Mars/Olympus' }, 'INVALID_ARGUMENT', 'timeZone'],
  ['a text over 1 MiB', { ...episode, text: 'x'.repeat(1024 * 1024) }, 'TOO_LARGE', 'episode'],
  ['tags that are no list', { ...episode, tags: 'a' }, 'INVALID_ARGUMENT', 'tags'],
  ['an id with a line break', { ...episode, id: 'a\nb' }, 'INVALID_ARGUMENT', 'id'],
]

test.each(episodes)('record: %s', async (_, input, code, field) => {
  const mine = await prepared()
  const before = await mine.records()
  const error = await refusal(mine.record(input as never))
  expect(error).toMatchObject({ code })
  expect(`${String(error.details['field'])} ${error.message}`).toContain(field)
  expect(await mine.records()).toEqual(before)
})

test('0, false and "" are values', async () => {
  const mine = await openTenant()
  for (const [index, value] of [0, false, '', null, [], {}].entries()) {
    await mine.assert({ subject: 's', attribute: `a${index}`, value })
    expect((await mine.get('s', `a${index}`))?.value).toEqual(value)
  }
  expect((await mine.facts()).facts).toHaveLength(6)
})

test('15 levels, 64 keys and just under 256 KiB are stored', async () => {
  const mine = await openTenant()
  for (const [index, value] of [deep(15), wide(64), 'x'.repeat(256 * 1024 - 2)].entries())
    await mine.assert({ subject: 's', attribute: `a${index}`, value: value as never })
  expect((await mine.facts()).facts).toHaveLength(3)
})

test('tenants: blank, not a string, ill-formed', async () => {
  const memory = await open()
  for (const name of ['', '  ', 5, undefined, null, 'a\ud800', 'x'.repeat(600)])
    expect(() => memory.tenant(name as string)).toThrow(/tenant/u)
  const error = await refusal(memory.tenant('a', { actor: 'root' as 'user' }).facts())
  expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' })
})

test('a closed memory says so, for every kind of call', async () => {
  const memory = await open()
  const mine = memory.tenant('acme')
  await memory.close()
  await memory.close()
  for (const call of [
    mine.assert(slot),
    mine.get('a', 'b'),
    mine.records(),
    memory.query('select 1'),
    memory.health(),
    memory.checkpoint(),
  ])
    await expect(call).rejects.toMatchObject({ code: 'CLOSED' })
})

test('the schema decides: values that do not fit, attributes it does not know', async () => {
  const schema = defineSchema({ version: 1, unknownAttributes: 'refuse', attributes: { age: { value: z.int().min(0) } } })
  const mine = await openTenant({ schema })
  expect(await refusal(mine.assert({ subject: 'mira', attribute: 'age', value: -1 }))).toMatchObject({
    code: 'VALUE_REFUSED',
    details: { field: 'value' },
  })
  expect(await refusal(mine.assert({ subject: 'mira', attribute: 'shoe' as 'age', value: 40 }))).toMatchObject({
    code: 'UNKNOWN_ATTRIBUTE',
  })
  expect(await refusal(mine.get('mira', 'shoe' as 'age'))).toMatchObject({ code: 'UNKNOWN_ATTRIBUTE' })
  await mine.assert({ subject: 'mira', attribute: 'age', value: 0 })
  expect(await mine.get('mira', 'age')).toMatchObject({ value: 0 })
})

test('reads: instants, limits and cursors are checked too', async () => {
  const mine = await openTenant()
  for (const [call, code] of [
    [mine.get('a', 'b', { at: '2026-01-01T00:00' }), 'INVALID_INSTANT'],
    [mine.facts({ knownAt: 'yesterday' }), 'INVALID_INSTANT'],
    [mine.facts({ limit: 0 }), 'INVALID_ARGUMENT'],
    [mine.facts({ limit: 1001 }), 'INVALID_ARGUMENT'],
    [mine.facts({ after: 'page 2' }), 'INVALID_ARGUMENT'],
    [mine.episodes({ after: '[1]' }), 'INVALID_ARGUMENT'],
    [mine.fact(''), 'INVALID_ARGUMENT'],
    [mine.why('nothing'), 'NOT_FOUND'],
  ] as const)
    expect(await refusal(call)).toMatchObject({ code })
})
