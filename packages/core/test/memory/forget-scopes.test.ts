/** Forgetting by every scope: the preview is exactly what happens, and nothing else changes. */
import * as z from 'zod'
import { describe, expect, test } from 'vitest'
import { defineSchema, type Fact, type ForgetScope, type Memory, type TenantMemory } from '../../src/index.ts'
import { open } from './open.ts'

const schema = defineSchema({ version: 1, attributes: { tag: { value: z.string(), many: true } } })

interface Scene {
  readonly memory: Memory<typeof schema>
  readonly mine: TenantMemory<typeof schema>
  readonly other: TenantMemory<typeof schema>
  readonly ids: Readonly<Record<string, string>>
}

/**
 * mira.city: Oslo (e1), then Bergen (e2), then Turku (e2 and e3). mira.tag: a (e1), b (e3). john.city: Rome (e1).
 * e1 and e2 are of session s1, e3 of s2; e4 supports nothing.
 */
async function scene(): Promise<Scene> {
  const memory = await open({ schema })
  const [mine, other] = [memory.tenant('acme', { actor: 'user' }), memory.tenant('acme-corp', { actor: 'user' })]
  const ids: Record<string, string> = {}
  for (const tenant of [other, mine]) {
    const say = async (name: string, text: string, day: string, session: string): Promise<string> =>
      tenant.record({ id: name, text, author: 'user', at: `${day}T08:00:00Z`, session, uri: `mail:${name}` })
    await say('e1', 'Mira lives in Oslo and likes a. John lives in Rome.', '2026-01-01', 's1')
    await say('e2', 'Mira lives in Bergen, soon in Turku.', '2026-02-01', 's1')
    await say('e3', 'Mira lives in Turku now and likes b.', '2026-03-01', 's2')
    await say('e4', 'Nice weather in Oslo.', '2026-03-02', 's2')
    const state = async (name: string, input: Parameters<typeof tenant.assert>[0]): Promise<void> => {
      ids[name] = (await tenant.assert(input)).id
    }
    await state('oslo', { subject: 'mira', attribute: 'city', value: 'Oslo', from: 'e1', quote: 'Mira lives in Oslo' })
    await state('rome', { subject: 'john', attribute: 'city', value: 'Rome', from: 'e1', quote: 'John lives in Rome' })
    await state('a', { subject: 'mira', attribute: 'tag', value: 'a', from: 'e1', quote: 'likes a' })
    await state('bergen', { subject: 'mira', attribute: 'city', value: 'Bergen', from: 'e2', quote: 'Mira lives in Bergen' })
    const turku = { subject: 'mira', attribute: 'city', value: 'Turku', validFrom: '2026-03-01T08:00:00Z' } as const
    await state('soon', { ...turku, from: 'e2', quote: 'soon in Turku' })
    await state('now', { ...turku, from: 'e3', quote: 'Mira lives in Turku now' })
    await state('b', { subject: 'mira', attribute: 'tag', value: 'b', from: 'e3', quote: 'likes b' })
  }
  return { memory, mine, other, ids }
}

const history = async (tenant: TenantMemory<typeof schema>): Promise<readonly Fact[]> =>
  (await tenant.facts({ history: true, limit: 1000 })).facts

const values = (facts: readonly Fact[]): unknown[] =>
  facts.map(
    ({ subject, value, validFrom, validTo }) =>
      `${subject} ${value as string} ${validFrom.slice(0, 10)} ${validTo?.slice(0, 10) ?? 'open'}`,
  )

const ALL = [
  'john Rome 2026-01-01 open',
  'mira Oslo 2026-01-01 2026-02-01',
  'mira Bergen 2026-02-01 2026-03-01',
  'mira Turku 2026-03-01 open',
  'mira a 2026-01-01 open',
  'mira b 2026-03-01 open',
]

interface Case {
  readonly name: string
  readonly scope: (ids: Scene['ids']) => ForgetScope
  /** Statements that go, by their names in the scene. */
  readonly statements: readonly string[]
  readonly episodes: readonly string[]
  readonly left: readonly string[]
  /** Quotes that are blacked out. */
  readonly quotes: readonly string[]
}

const cases: readonly Case[] = [
  {
    name: 'a fact',
    scope: ids => ({ fact: ids['bergen'] as string }),
    statements: ['bergen'],
    episodes: [],
    quotes: ['Mira lives in Bergen'],
    left: [ALL[0], 'mira Oslo 2026-01-01 2026-03-01', ...ALL.slice(3)] as string[],
  },
  {
    name: 'a fact with two pieces of evidence, by the second of its statements',
    scope: ids => ({ fact: ids['now'] as string }),
    statements: ['soon', 'now'],
    episodes: [],
    quotes: ['soon in Turku', 'Mira lives in Turku now'],
    left: [...ALL.slice(0, 2), 'mira Bergen 2026-02-01 open', ...ALL.slice(4)] as string[],
  },
  {
    name: 'one value of many',
    scope: ids => ({ fact: ids['b'] as string }),
    statements: ['b'],
    episodes: [],
    quotes: ['likes b'],
    left: ALL.slice(0, 5),
  },
  {
    name: 'a slot',
    scope: () => ({ subject: ' MIRA ', attribute: 'City' }),
    statements: ['oslo', 'bergen', 'soon', 'now'],
    episodes: [],
    quotes: ['Mira lives in Oslo', 'Mira lives in Bergen', 'soon in Turku', 'Mira lives in Turku now'],
    left: [ALL[0], ...ALL.slice(4)] as string[],
  },
  {
    name: 'a slot of many values',
    scope: () => ({ subject: 'mira', attribute: 'tag' }),
    statements: ['a', 'b'],
    episodes: [],
    quotes: ['likes a', 'likes b'],
    left: ALL.slice(0, 4),
  },
  {
    name: 'a subject',
    scope: () => ({ subject: 'Mira' }),
    statements: ['oslo', 'a', 'bergen', 'soon', 'now', 'b'],
    episodes: [],
    quotes: ['Mira lives in Oslo', 'likes a', 'Mira lives in Bergen', 'soon in Turku', 'Mira lives in Turku now', 'likes b'],
    left: ALL.slice(0, 1),
  },
  {
    name: 'an episode: what has no other evidence goes with it',
    scope: () => ({ episode: 'e2' }),
    statements: ['bergen', 'soon'],
    episodes: ['e2'],
    quotes: [],
    left: [ALL[0], 'mira Oslo 2026-01-01 2026-03-01', ...ALL.slice(3)] as string[],
  },
  {
    name: 'an episode that supports nothing',
    scope: () => ({ episode: 'e4' }),
    statements: [],
    episodes: ['e4'],
    quotes: [],
    left: ALL,
  },
  {
    name: 'a session',
    scope: () => ({ session: 's1' }),
    statements: ['oslo', 'rome', 'a', 'bergen', 'soon'],
    episodes: ['e1', 'e2'],
    quotes: [],
    left: [ALL[3], ALL[5]] as string[],
  },
  {
    name: 'the tenant',
    scope: () => ({ tenant: true }),
    statements: ['oslo', 'rome', 'a', 'bergen', 'soon', 'now', 'b'],
    episodes: ['e1', 'e2', 'e3', 'e4'],
    quotes: [],
    left: [],
  },
]

describe.each(cases)('forgetting $name', ({ scope, statements, episodes, left, quotes }) => {
  test('the preview says exactly what happens; nothing happens before apply', async () => {
    const { mine, ids, other } = await scene()
    const before = await mine.records()
    const others = JSON.stringify(await other.records())
    const was = await history(mine)
    expect(values(was)).toEqual(ALL)
    const { preview, apply } = await mine.forget(scope(ids))
    expect(await mine.records()).toEqual(before)
    expect(preview.assertions.map(each => each.id).toSorted()).toEqual(statements.map(name => ids[name] as string).toSorted())
    expect(preview.episodes.map(each => each.id).toSorted()).toEqual([...episodes].toSorted())
    expect(preview.redactions.map(each => each.quote).toSorted()).toEqual([...quotes].toSorted())
    const done = await apply()
    expect(done).toMatchObject({ assertions: statements.length, episodes: episodes.length, redactions: quotes.length })
    const is = await history(mine)
    expect(values(is)).toEqual(left)
    expect(JSON.stringify(await other.records())).toBe(others)
    // gone and resumed are the difference between before and after, no more and no less.
    const spans = (facts: readonly Fact[]): string[] => values(facts) as string[]
    // A fact that stays, with less evidence, may be named by another of its statements afterwards.
    const expectedGone = was.filter(
      fact => !is.some(each => each.id === fact.id) && !spans(is).includes(spans([fact])[0] as string),
    )
    expect(preview.gone.map(fact => fact.id).toSorted()).toEqual(expectedGone.map(fact => fact.id).toSorted())
    const expectedResumed = is.filter(fact => !spans(was).includes(spans([fact])[0] as string))
    expect(preview.resumed).toEqual(expectedResumed)
  })

  test('no read returns what went, in the same commit and after opening again', async () => {
    const { memory, mine, ids } = await scene()
    const { head } = await memory.health()
    await (await mine.forget(scope(ids))).apply()
    expect((await memory.health()).head).toBe(head + 1)
    const records = JSON.stringify(await mine.records())
    for (const name of statements) {
      expect(await mine.fact(ids[name] as string)).toBeUndefined()
      await expect(mine.why(ids[name] as string)).rejects.toMatchObject({ code: 'ERASED' })
    }
    for (const quote of quotes) {
      expect(records).not.toContain(quote)
      expect(JSON.stringify(await mine.episodes())).not.toContain(quote)
    }
    for (const id of episodes) {
      expect(await mine.episode(id)).toBeUndefined()
      expect(records).not.toContain(`mail:${id}`)
    }
    expect((await mine.episodes()).episodes.map(each => each.id)).toEqual(
      ['e1', 'e2', 'e3', 'e4'].filter(id => !episodes.includes(id)),
    )
    const query = 'select count(*) as n from memory_facts where tenant_id = ?'
    expect(await memory.query(query, ['acme'])).toEqual([{ n: left.length }])
    expect(await memory.query(query, ['acme-corp'])).toEqual([{ n: ALL.length }])
    // Facts that stay keep every piece of evidence that stays.
    for (const fact of await history(mine)) expect(fact.sources.every(source => !episodes.includes(source.episode))).toBe(true)
  })

  test('an old file cannot bring it back, in any order, here or on a new device; saying it again is allowed', async () => {
    const { mine, ids } = await scene()
    const old = await mine.records()
    await (await mine.forget(scope(ids))).apply()
    const now = await mine.records()
    const facts = await history(mine)
    await mine.merge(old)
    expect(await mine.records()).toEqual(now)
    await mine.merge(old.toReversed())
    expect(await mine.records()).toEqual(now)
    for (const order of [
      [old, now],
      [now, old],
      [old.toReversed(), now.toReversed(), old],
    ]) {
      const fresh = (await open({ schema })).tenant('acme', { actor: 'user' })
      for (const part of order) await fresh.merge(part)
      expect(await fresh.records()).toEqual(now)
      expect(await history(fresh)).toEqual(facts)
    }
    const again = await mine
      .assert({ subject: 'mira', attribute: 'city', value: 'Bergen', validFrom: '2026-02-01T08:00:00Z' })
      .catch(() => mine.assert({ subject: 'mira', attribute: 'city', value: 'Bergen', validFrom: '2026-02-01T08:00:01Z' }))
    expect(await mine.fact(again.id)).toMatchObject({ value: 'Bergen' })
    await mine.merge(old)
    expect(await mine.fact(again.id)).toMatchObject({ value: 'Bergen' })
  })
})
