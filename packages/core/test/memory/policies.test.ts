/** Another value at the same second: what each policy does with a local write, single- and many-valued; undated corrections. */
import * as z from 'zod'
import { describe, expect, test } from 'vitest'
import { defineSchema, type Actor, type Author, type Fact, type Memory, type TenantMemory } from '../../src/index.ts'
import { open, refusal } from './open.ts'
import { refuses } from './refused.ts'

const value = z.string()
const schema = defineSchema({
  version: 1,
  attributes: {
    default: { value },
    reject: { value, onEqualSecond: 'reject' },
    latest: { value, onEqualSecond: 'latest' },
    trusted: { value, onEqualSecond: 'trusted' },
    ask: { value, onEqualSecond: 'ask' },
    many: { value, many: true },
    'many latest': { value, many: true, onEqualSecond: 'latest' },
    'many ask': { value, many: true, onEqualSecond: 'ask' },
  },
})
type Attribute = keyof typeof schema.attributes
const AT = '2026-06-01T12:00:00Z'

interface Scene {
  readonly memory: Memory<typeof schema>
  readonly mine: TenantMemory<typeof schema>
  /** States a value that starts at AT, said by an author at AT plus some milliseconds. */
  state(attribute: Attribute, said: string, by?: Author, afterMs?: number): Promise<{ id: string; status: string }>
}

async function scene(): Promise<Scene> {
  const memory = await open({ schema })
  const mine = memory.tenant('acme', { actor: 'user' })
  const state: Scene['state'] = async (attribute, said, by = 'user', afterMs = 0) => {
    const at = new Date(Date.parse(AT) + afterMs)
    const from = await mine.record({ text: `it is ${said}`, author: by, at })
    return mine.assert({ subject: 's', attribute, value: said, validFrom: AT, from, quote: said })
  }
  return { memory, mine, state }
}

async function one(mine: TenantMemory<typeof schema>, attribute: Attribute): Promise<Fact<string> | undefined> {
  // The attributes asked for here have one value each; their union says less.
  const found: unknown = await mine.get('s', attribute)
  return found as Fact<string> | undefined
}

describe.each(['default', 'reject'] as const)('policy %s', attribute => {
  test('another value and a retraction are a CONFLICT, whatever their trust; nothing is written', async () => {
    const { memory, mine, state } = await scene()
    await state(attribute, 'a', 'assistant')
    const episode = await mine.record({ text: 'b', author: 'user', at: '2026-06-02T00:00:00Z' })
    const claim = { subject: 's', attribute, validFrom: AT, from: episode } as const
    await refuses(memory, mine, () => mine.assert({ ...claim, value: 'b' }), { code: 'CONFLICT' })
    await refuses(memory, mine, () => mine.retract(claim), { code: 'CONFLICT' })
    await refuses(memory, mine, () => mine.retract({ ...claim, validUntil: '2026-07-01' }), { code: 'CONFLICT' })
    expect(await one(mine, attribute)).toMatchObject({ value: 'a', contested: [] })
  })

  test('the same value is another piece of evidence; a second earlier or later is no conflict', async () => {
    const { mine, state } = await scene()
    await state(attribute, 'a')
    await state(attribute, 'a', 'tool')
    expect((await one(mine, attribute))?.sources).toHaveLength(2)
    await mine.assert({ subject: 's', attribute, value: 'b', validFrom: '2026-06-01T11:59:59Z' })
    await mine.assert({ subject: 's', attribute, value: 'c', validFrom: '2026-06-01T12:00:01Z' })
    const { facts } = await mine.facts({ history: true })
    expect(facts.map(fact => fact.value)).toEqual(['b', 'a', 'c'])
  })

  test('what was rejected is no rival; what it left free can be stated', async () => {
    const { mine, state } = await scene()
    const { id } = await state(attribute, 'a')
    await mine.reject(id)
    expect(await state(attribute, 'b')).toMatchObject({ status: 'accepted' })
    expect(await one(mine, attribute)).toMatchObject({ value: 'b', contested: [] })
  })
})

describe('policy latest', () => {
  test('it is stored, and what was said later holds: to the millisecond, whatever its trust', async () => {
    const { mine, state } = await scene()
    await state('latest', 'a', 'user', 1)
    await state('latest', 'b', 'assistant', 2)
    expect(await one(mine, 'latest')).toMatchObject({ value: 'b', contested: [] })
    await state('latest', 'c', 'user', 0)
    expect(await one(mine, 'latest')).toMatchObject({ value: 'b' })
    expect((await mine.facts({ attribute: 'latest', history: true })).facts).toHaveLength(1)
  })

  test('in one text the passage that stands later holds, then what was recorded later', async () => {
    const { mine } = await scene()
    const from = await mine.record({ text: 'it is a, no, b', author: 'user', at: AT })
    const claim = { subject: 's', attribute: 'latest', validFrom: AT, from } as const
    await mine.assert({ ...claim, value: 'b', quote: 'b' })
    await mine.assert({ ...claim, value: 'a', quote: 'a' })
    expect(await one(mine, 'latest')).toMatchObject({ value: 'b' })
    await mine.assert({ ...claim, value: 'c', quote: 'b' })
    expect(await one(mine, 'latest')).toMatchObject({ value: 'c' })
  })

  test('a retraction that was said later ends it', async () => {
    const { mine, state } = await scene()
    await state('latest', 'a')
    const from = await mine.record({ text: 'not any more', author: 'user', at: '2026-06-01T12:00:00.500Z' })
    await mine.retract({ subject: 's', attribute: 'latest', validFrom: AT, from })
    expect(await one(mine, 'latest')).toBeUndefined()
  })
})

describe('policy trusted', () => {
  const order: readonly Author[] = ['assistant', 'document', 'tool', 'event', 'user']
  test.each(order.flatMap((first, i) => order.map((second, j) => [first, second, j > i] as const)))(
    'after %s, %s is stored: %s',
    async (first, second, stored) => {
      const { mine, state } = await scene()
      await state('trusted', 'a', first)
      if (stored) {
        await state('trusted', 'b', second)
        expect(await one(mine, 'trusted')).toMatchObject({ value: 'b', contested: [{ value: 'a', trust: first }] })
      } else {
        expect(await refusal(state('trusted', 'b', second))).toMatchObject({ code: 'CONFLICT' })
        expect(await one(mine, 'trusted')).toMatchObject({ value: 'a', contested: [] })
      }
    },
  )
})

describe('policy ask', () => {
  test('it is stored born held: withheld from every read, in review, until it is confirmed', async () => {
    const { memory, mine, state } = await scene()
    const first = await state('ask', 'a')
    const held = await state('ask', 'b')
    expect(held).toMatchObject({ status: 'held' })
    expect(await one(mine, 'ask')).toMatchObject({ id: first.id, contested: [] })
    expect((await mine.facts({ history: true })).facts.map(fact => fact.value)).toEqual(['a'])
    expect(await mine.fact(held.id)).toBeUndefined()
    expect(await memory.query('select value from memory_facts')).toEqual([{ value: 'a' }])
    expect(await mine.review()).toMatchObject([
      { id: held.id, subject: 's', attribute: 'ask', value: 'b', born: 'held', status: 'held' },
    ])
    await mine.confirm(held.id)
    expect(await one(mine, 'ask')).toMatchObject({ id: held.id, value: 'b' })
    expect(await mine.review()).toEqual([])
  })

  test('without a rival nobody is asked', async () => {
    const { state, mine } = await scene()
    expect(await state('ask', 'a')).toMatchObject({ status: 'accepted' })
    expect(await mine.assert({ subject: 's', attribute: 'ask', value: 'b', validFrom: '2026-06-02' })).toMatchObject({
      status: 'accepted',
    })
  })
})

describe('many values', () => {
  test('different values of one second are no conflict; a retraction of one of them is', async () => {
    const { memory, mine, state } = await scene()
    for (const said of ['a', 'b', 'c']) await state('many', said)
    expect((await mine.get('s', 'many')).map(fact => fact.value).toSorted()).toEqual(['a', 'b', 'c'])
    await refuses(memory, mine, () => mine.retract({ subject: 's', attribute: 'many', value: 'a', validFrom: AT }), {
      code: 'CONFLICT',
    })
    await refuses(memory, mine, () => mine.retract({ subject: 's', attribute: 'many', validFrom: AT }), { code: 'CONFLICT' })
    await mine.retract({ subject: 's', attribute: 'many', value: 'z', validFrom: AT })
    expect(await mine.get('s', 'many')).toHaveLength(3)
  })

  test('a value that starts with a retraction of all is a conflict under reject, held under ask, later wins under latest', async () => {
    const { mine, state } = await scene()
    for (const attribute of ['many', 'many ask', 'many latest'] as const) {
      const from = await mine.record({ text: 'nothing', author: 'user', at: AT })
      await mine.retract({ subject: 's', attribute, validFrom: AT, from })
    }
    expect(await refusal(state('many', 'a'))).toMatchObject({ code: 'CONFLICT' })
    expect(await state('many ask', 'a')).toMatchObject({ status: 'held' })
    await state('many latest', 'a', 'user', 5)
    expect((await mine.get('s', 'many latest')).map(fact => fact.value)).toEqual(['a'])
  })
})

describe('two undated statements of one second', () => {
  const slot = { subject: 's', value: 'a' }
  const fixed = (): number => Date.parse(`${AT.slice(0, -1)}.100Z`)
  const actors = async (...names: Actor[]): Promise<TenantMemory<typeof schema>[]> => {
    const memory = await open({ schema, now: fixed })
    return names.map(actor => memory.tenant('acme', { actor }))
  }

  test.each(['default', 'reject', 'latest', 'trusted', 'ask'] as const)(
    '12. by one actor they are a correction under policy %s: the later one holds, no error',
    async attribute => {
      const [mine] = (await actors('user')) as [TenantMemory<typeof schema>]
      for (const said of ['a', 'b', 'c', 'b'])
        expect(await mine.assert({ ...slot, attribute, value: said })).toMatchObject({ status: 'accepted' })
      expect(await one(mine, attribute)).toMatchObject({ value: 'b' })
      expect(await mine.standing('s', attribute)).toMatchObject({ state: 'known' })
      expect(await mine.review()).toEqual([])
      expect(await mine.retract({ subject: 's', attribute })).toMatchObject({ status: 'accepted' })
      expect(await one(mine, attribute)).toBeUndefined()
    },
  )

  test('by two actors the policy decides', async () => {
    const [user, assistant] = (await actors('user', 'assistant')) as [TenantMemory<typeof schema>, TenantMemory<typeof schema>]
    await user.assert({ ...slot, attribute: 'reject' })
    expect(await refusal(assistant.assert({ ...slot, attribute: 'reject', value: 'b' }))).toMatchObject({ code: 'CONFLICT' })
    await assistant.assert({ ...slot, attribute: 'trusted' })
    await user.assert({ ...slot, attribute: 'trusted', value: 'b' })
    expect(await one(user, 'trusted')).toMatchObject({ value: 'b', trust: 'user' })
    expect(await refusal(assistant.assert({ ...slot, attribute: 'trusted', value: 'c' }))).toMatchObject({ code: 'CONFLICT' })
  })

  test('where one of them is dated the policy decides', async () => {
    for (const dated of [0, 1]) {
      const [mine] = (await actors('user')) as [TenantMemory<typeof schema>]
      const said = (index: number): Promise<unknown> =>
        mine.assert({ ...slot, attribute: 'reject', value: `v${index}`, ...(index === dated ? { validFrom: AT } : {}) })
      await said(0)
      expect(await refusal(said(1))).toMatchObject({ code: 'CONFLICT' })
    }
  })

  test('a clock that runs backwards does not turn a correction round', async () => {
    let now = fixed()
    const mine = (await open({ schema, now: () => now })).tenant('acme', { actor: 'user' })
    await mine.assert({ ...slot, attribute: 'reject' })
    now -= 3_600_000
    await mine.assert({ ...slot, attribute: 'reject', value: 'b' })
    expect(await one(mine, 'reject')).toMatchObject({ value: 'b' })
    now += 3_600_000 + 5_000
    expect(await one(mine, 'reject')).toMatchObject({ value: 'b' })
  })
})
