/** What the compiler knows of a schema. The calls are checked, not made, unless a test says otherwise. */
import * as z from 'zod'
import { expect, expectTypeOf, test } from 'vitest'
import { defineSchema, type Fact, type JsonValue, type Memory, type Standing, type TenantMemory } from '../../src/index.ts'
import { open } from './open.ts'

const strict = defineSchema({
  version: 1,
  unknownAttributes: 'refuse',
  attributes: {
    age: { value: z.int() },
    plan: { value: z.enum(['free', 'paid']) },
    likes: { value: z.string(), many: true },
    address: { value: z.object({ street: z.string(), zip: z.string().optional() }) },
  },
})
const loose = defineSchema({ version: 1, attributes: { age: { value: z.int() }, likes: { value: z.string(), many: true } } })

/** Names the types of calls without making them. */
declare const refusing: TenantMemory<typeof strict>
declare const accepting: TenantMemory<typeof loose>
declare const untyped: TenantMemory

test('get: one fact or undefined, many as a readonly array, each with its value', () => {
  expectTypeOf(() => refusing.get('mira', 'age')).returns.resolves.toEqualTypeOf<Fact<number> | undefined>()
  expectTypeOf(() => refusing.get('mira', 'plan')).returns.resolves.toEqualTypeOf<Fact<'free' | 'paid'> | undefined>()
  expectTypeOf(() => refusing.get('mira', 'likes')).returns.resolves.toEqualTypeOf<readonly Fact<string>[]>()
  expectTypeOf(() => accepting.get('mira', 'age')).returns.resolves.toEqualTypeOf<Fact<number> | undefined>()
  expectTypeOf(() => accepting.get('mira', 'likes')).returns.resolves.toEqualTypeOf<readonly Fact<string>[]>()
  expectTypeOf(() => accepting.get('mira', 'shoe size')).returns.resolves.toEqualTypeOf<Fact | undefined>()
  expectTypeOf(() => untyped.get('mira', 'anything')).returns.resolves.toEqualTypeOf<Fact | undefined>()
})

test('standing and facts', () => {
  expectTypeOf(() => refusing.standing('mira', 'age')).returns.resolves.toEqualTypeOf<Standing<number>>()
  expectTypeOf<Fact['value']>().toEqualTypeOf<JsonValue>()
})

test('assert and retract take the values of the schema', () => {
  const calls = [
    () => refusing.assert({ subject: 'mira', attribute: 'age', value: 40 }),
    () => refusing.assert({ subject: 'mira', attribute: 'plan', value: 'free' }),
    () => refusing.assert({ subject: 'mira', attribute: 'likes', value: 'tea' }),
    () => refusing.assert({ subject: 'mira', attribute: 'address', value: { street: 'Main' } }),
    () => refusing.retract({ subject: 'mira', attribute: 'likes', value: 'tea' }),
    () => accepting.assert({ subject: 'mira', attribute: 'shoe size', value: { eu: 40 } }),
    // @ts-expect-error a number is wanted
    () => refusing.assert({ subject: 'mira', attribute: 'age', value: 'forty' }),
    // @ts-expect-error not one of the enum
    () => refusing.assert({ subject: 'mira', attribute: 'plan', value: 'gold' }),
    // @ts-expect-error one value of many, not all of them
    () => refusing.assert({ subject: 'mira', attribute: 'likes', value: ['tea'] }),
    // @ts-expect-error the street is missing
    () => refusing.assert({ subject: 'mira', attribute: 'address', value: {} }),
    // @ts-expect-error a number is wanted here too
    () => accepting.assert({ subject: 'mira', attribute: 'age', value: 'forty' }),
    // @ts-expect-error a string is wanted
    () => refusing.retract({ subject: 'mira', attribute: 'likes', value: 5 }),
    // @ts-expect-error a value is needed
    () => refusing.assert({ subject: 'mira', attribute: 'age' }),
    // @ts-expect-error undefined is no JSON
    () => accepting.assert({ subject: 'mira', attribute: 'shoe size', value: undefined }),
    // @ts-expect-error a function is no JSON
    () => untyped.assert({ subject: 'mira', attribute: 'x', value: () => 1 }),
  ]
  expect(calls).toHaveLength(15)
})

test('attributes that the schema refuses are refused by the compiler', () => {
  const calls = [
    // @ts-expect-error not declared
    () => refusing.get('mira', 'shoe size'),
    // @ts-expect-error not declared
    () => refusing.standing('mira', 'shoe size'),
    // @ts-expect-error not declared
    () => refusing.assert({ subject: 'mira', attribute: 'shoe size', value: 40 }),
    // @ts-expect-error not declared
    () => refusing.retract({ subject: 'mira', attribute: 'shoe size' }),
    // @ts-expect-error not declared
    () => refusing.batch(batch => batch.assert({ subject: 'mira', attribute: 'shoe size', value: 40 })),
    // @ts-expect-error a number is wanted
    () => refusing.batch(batch => batch.assert({ subject: 'mira', attribute: 'age', value: 'forty' })),
    () => refusing.batch(batch => batch.assert({ subject: 'mira', attribute: 'age', value: 40 })),
  ]
  expect(calls).toHaveLength(7)
})

test('defineSchema refuses what is no policy', () => {
  // @ts-expect-error not a policy
  expect(() => defineSchema({ version: 1, attributes: { a: { value: z.string(), onEqualSecond: 'first' } } })).toThrow('a')
})

test('the types say what really comes back', async () => {
  const memory: Memory<typeof strict> = await open({ schema: strict })
  const mine = memory.tenant('acme', { actor: 'user' })
  await mine.assert({ subject: 'mira', attribute: 'age', value: 40 })
  await mine.assert({ subject: 'mira', attribute: 'likes', value: 'tea' })
  const [age, likes] = [await mine.get('mira', 'age'), await mine.get('mira', 'likes')]
  expect(age?.value.toFixed(1)).toBe('40.0')
  expect(likes.map(fact => fact.value.toUpperCase())).toEqual(['TEA'])
  expect(await mine.get('mira', 'plan')).toBeUndefined()
  expect(await mine.get('john', 'likes')).toEqual([])
})
