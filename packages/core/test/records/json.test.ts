import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assertJson, canonicalJson, MAX_DEPTH, MAX_KEYS, utf8Bytes, type JsonValue } from '../../src/records/json.ts'
import { cases } from '../oracle/soak.ts'

const nested = (depth: number, kind: 'array' | 'object'): JsonValue => {
  let value: JsonValue = 1
  for (let level = 0; level < depth; level++) value = kind === 'array' ? [value] : { a: value }
  return value
}
const keys = (count: number): JsonValue => Object.fromEntries(Array.from({ length: count }, (_, nr) => [`k${nr}`, nr]))
const jsonValues = fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }).filter(value => {
  try {
    assertJson(value, 'value')
    return true
  } catch {
    return false
  }
}) as fc.Arbitrary<JsonValue>

function refusal(value: unknown): string | undefined {
  try {
    assertJson(value, 'value')
    return undefined
  } catch (error) {
    expect(error).toMatchObject({
      details: { field: expect.stringMatching(/^value/u) },
      message: expect.stringContaining('value'),
    })
    return (error as { code: string }).code
  }
}

describe('what is JSON', () => {
  test.each<[string, unknown]>([
    ['zero', 0],
    ['minus zero', -0],
    ['false', false],
    ['the empty text', ''],
    ['null', null],
    ['a fraction', 0.1],
    ['the greatest safe integer', Number.MAX_SAFE_INTEGER],
    ['the least', Number.MIN_SAFE_INTEGER],
    ['the least fraction', 5e-324],
    ['a pair of surrogates', '😀'],
    ['U+0000', '\u0000'],
    ['depth 16', nested(16, 'array')],
    ['depth 16 of objects', nested(16, 'object')],
    ['64 keys', keys(64)],
    ['an empty object', {}],
    ['an object without a prototype', Object.assign(Object.create(null) as object, { a: 1 })],
    ['one object twice', (one => [one, one])({ a: 1 })],
  ])('%s', (_, value) => {
    expect(refusal(value)).toBeUndefined()
  })

  const cycle: unknown[] = []
  cycle.push([cycle])
  const ring: Record<string, unknown> = {}
  ring['a'] = { ring }
  const holed = [1]
  holed[2] = 3

  test.each<[string, unknown, string]>([
    ['NaN', NaN, 'INVALID_VALUE'],
    ['infinity', Infinity, 'INVALID_VALUE'],
    ['minus infinity inside', [{ a: -Infinity }], 'INVALID_VALUE'],
    ['2^53', 2 ** 53, 'INVALID_VALUE'],
    ['-2^53', -(2 ** 53), 'INVALID_VALUE'],
    ['1e21', 1e21, 'INVALID_VALUE'],
    ['a lone surrogate', 'a\ud800', 'INVALID_VALUE'],
    ['a lone low surrogate in a key', { '\udc00': 1 }, 'INVALID_VALUE'],
    ['undefined', undefined, 'INVALID_VALUE'],
    ['undefined inside', { a: undefined }, 'INVALID_VALUE'],
    ['a bigint', 1n, 'INVALID_VALUE'],
    ['a symbol', Symbol('s'), 'INVALID_VALUE'],
    ['a function', () => 1, 'INVALID_VALUE'],
    ['a Date', new Date(), 'INVALID_VALUE'],
    ['a Map', new Map(), 'INVALID_VALUE'],
    ['bytes', new Uint8Array(1), 'INVALID_VALUE'],
    ['an instance', new (class Thing {})(), 'INVALID_VALUE'],
    ['a boxed text', Object('a'), 'INVALID_VALUE'],
    ['a hole', holed, 'INVALID_VALUE'],
    ['an own __proto__', JSON.parse('{"__proto__":1}'), 'INVALID_VALUE'],
    ['one deep inside', JSON.parse('[{"a":{"__proto__":{}}}]'), 'INVALID_VALUE'],
    ['depth 17', nested(17, 'array'), 'TOO_LARGE'],
    ['depth 17 of objects', nested(17, 'object'), 'TOO_LARGE'],
    ['65 keys', keys(65), 'TOO_LARGE'],
    ['65 keys inside', [keys(65)], 'TOO_LARGE'],
    ['a list in itself', cycle, 'TOO_LARGE'],
    ['an object in itself', ring, 'TOO_LARGE'],
  ])('not %s', (_, value, code) => {
    expect(refusal(value)).toBe(code)
  })

  test('the limits are those of the memory file', () => {
    expect([MAX_DEPTH, MAX_KEYS]).toEqual([16, 64])
  })
})

describe('canonical JSON (RFC 8785)', () => {
  test('reads back as what was written, and is written so again', () => {
    fc.assert(
      fc.property(jsonValues, value => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(JSON.parse(text) as JsonValue)).toBe(text)
      }),
      cases(1500, 50_000),
    )
  }, 600_000)

  test('does not know in which order keys were set', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ unit: 'binary' }).filter(key => key.isWellFormed() && key !== '__proto__'),
          fc.nat(),
        ),
        object => {
          expect(canonicalJson(Object.fromEntries(Object.entries(object).toReversed()))).toBe(canonicalJson(object))
        },
      ),
      cases(1000, 20_000),
    )
  }, 600_000)

  test.each<[JsonValue, string]>([
    [-0, '0'],
    [1.0, '1'],
    [1e-7, '1e-7'],
    [333333333.3333333, '333333333.3333333'],
    ['€$\u000f\nA\'B"\\\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [{ '\ufb33': 1, '😀': 2, '€': 3, '1': 4 }, '{"1":4,"€":3,"😀":2,"\ufb33":1}'],
    [[], '[]'],
    [{}, '{}'],
    [null, 'null'],
  ])('%j is %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text)
  })

  test('utf8Bytes is never too small, and exact where it matters', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }).filter(text => text.isWellFormed()),
        text => {
          const exact = Buffer.byteLength(text)
          expect(utf8Bytes(text)).toBeGreaterThanOrEqual(exact)
          if (text.length >= 64) expect(utf8Bytes(text)).toBe(exact)
        },
      ),
      cases(1000, 20_000),
    )
  }, 600_000)
})
