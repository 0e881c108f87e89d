/** Scenario 7 in full: tenants that look alike, every call, each with a positive control. */
import * as z from 'zod'
import { describe, expect, test } from 'vitest'
import { defineSchema, type Memory, type TenantMemory } from '../../src/index.ts'
import type { ExtractionInput, Extractor } from '../../src/extractor.ts'
import { open, refusal } from './open.ts'

const NAMES = [
  'acme',
  'acme-corp',
  'acme:x',
  'acme%',
  'acme_',
  'ACME',
  'acme\u0000',
  // What an escape of the one above might be mistaken for, and forms that a careless comparison would fold together.
  'acme\\u0000',
  'acme\\0',
  'acme ',
  'acm\u00e9',
  'acme\u0301',
  '"acme"',
  "acme' or '1'='1",
] as const

const schema = defineSchema({
  version: 1,
  attributes: { secret: { value: z.string() }, asked: { value: z.string(), onEqualSecond: 'ask' } },
})
const AT = '2026-01-01T00:00:00Z'

interface Tenant {
  readonly name: string
  readonly mine: TenantMemory<typeof schema>
  /** Ids that only this tenant has. */
  readonly fact: string
  readonly held: string
  readonly decision: string
  readonly episode: string
  readonly session: string
}

/** Same ids in every tenant (shared-…), and ids of its own. */
async function settle(memory: Memory<typeof schema>, name: string, index: number): Promise<Tenant> {
  const mine = memory.tenant(name, { actor: 'user' })
  const text = `the secret of ${JSON.stringify(name)} is s${index}`
  const own = { episode: `episode-${index}`, session: `session-${index}` }
  const common = { text, author: 'user', at: AT, tags: ['t'], entities: ['n'], uri: 'u', place: 'p', retention: 'r' } as const
  await mine.record({ ...common, id: 'shared-episode', session: 'shared-session' }, { key: 'shared-key' })
  await mine.record({ ...common, id: own.episode, session: own.session })
  await mine.assert({ id: 'shared-fact', subject: 'mira', attribute: 'secret', value: `s${index}`, from: 'shared-episode' })
  const fact = await mine.assert({ subject: `only ${index}`, attribute: 'secret', value: `o${index}`, from: own.episode })
  await mine.assert({ subject: 'mira', attribute: 'asked', value: `a${index}`, validFrom: AT })
  const held = await mine.assert({ subject: 'mira', attribute: 'asked', value: `h${index}`, validFrom: AT })
  const [decision] = await mine.confirm(fact.id)
  return { name, mine, fact: fact.id, held: held.id, decision: decision as string, ...own }
}

const shown: ExtractionInput[] = []
const spy: Extractor = {
  name: 'spy',
  version: 1,
  extract: input => {
    shown.push(input)
    return Promise.resolve([])
  },
}

async function settled(): Promise<{ memory: Memory<typeof schema>; tenants: Tenant[] }> {
  const memory = await open({ schema, extractors: [spy] })
  const tenants: Tenant[] = []
  for (const [index, name] of NAMES.entries()) tenants.push(await settle(memory, name, index))
  return { memory, tenants }
}

describe('7. tenants that look alike: no cross read in any call', () => {
  test('7. every read shows a tenant its own and nothing else', async () => {
    const { memory, tenants } = await settled()
    for (const [index, { mine, name, held, ...own }] of tenants.entries()) {
      expect(mine.tenant).toBe(name)
      const text = `the secret of ${JSON.stringify(name)} is s${index}`
      expect(await mine.get('mira', 'secret')).toMatchObject({
        id: 'shared-fact',
        value: `s${index}`,
        sources: [{ quote: text }],
      })
      expect(await mine.fact('shared-fact')).toMatchObject({ value: `s${index}` })
      expect(await mine.why('shared-fact')).toMatchObject({ fact: { value: `s${index}` }, assertions: [{ value: `s${index}` }] })
      expect(await mine.standing('mira', 'secret')).toMatchObject({ state: 'known', facts: [{ value: `s${index}` }] })
      expect((await mine.facts({ history: true })).facts.map(fact => fact.value)).toEqual([`a${index}`, `s${index}`, `o${index}`])
      expect((await mine.facts({ value: `s${index}` })).facts).toHaveLength(1)
      expect((await mine.review()).map(each => each.id)).toEqual([held])
      expect((await mine.episodes()).episodes.map(each => each.text)).toEqual([text, text])
      for (const filter of [{ tag: 't' }, { entity: 'n' }, { uri: 'u' }, { place: 'p' }, { retention: 'r' }])
        expect((await mine.episodes(filter)).episodes.map(each => each.text)).toEqual([text, text])
      expect((await mine.episodes({ session: 'shared-session' })).episodes.map(each => each.text)).toEqual([text])
      expect(await mine.episode('shared-episode')).toMatchObject({ text })
      const records = JSON.stringify(await mine.records())
      expect(records).toContain(`"o${index}"`)
      for (const [other, theirs] of tenants.entries()) {
        if (other === index) continue
        expect(records).not.toContain(`"o${other}"`)
        expect(await mine.get(`only ${other}`, 'secret')).toBeUndefined()
        expect(await mine.standing(`only ${other}`, 'secret')).toEqual({ state: 'never', facts: [] })
        expect((await mine.facts({ subject: `only ${other}`, history: true })).facts).toEqual([])
        expect((await mine.facts({ value: `s${other}`, history: true })).facts).toEqual([])
        expect(await mine.fact(theirs.fact)).toBeUndefined()
        expect(await mine.episode(theirs.episode)).toBeUndefined()
        expect((await mine.episodes({ session: theirs.session })).episodes).toEqual([])
        expect(await refusal(mine.why(theirs.fact))).toMatchObject({ code: 'NOT_FOUND' })
      }
      expect(await mine.fact(own.fact)).toMatchObject({ value: `o${index}` })
    }
    const rows = await memory.query('select tenant_id, count(*) as n from memory_facts group by 1')
    expect(rows).toHaveLength(NAMES.length)
    expect(rows.every(row => row['n'] === 3)).toBe(true)
    for (const name of NAMES.filter(each => !each.includes('\u0000') && !each.includes('\\')))
      expect(await memory.query('select distinct tenant_id from memory_facts where tenant_id = ?', [name])).toHaveLength(1)
  })

  test('7. every write takes ids of its own and refuses those of another', async () => {
    const { tenants } = await settled()
    for (const [index, { mine, ...own }] of tenants.entries()) {
      const theirs = tenants[(index + 1) % tenants.length] as Tenant
      const before = await mine.records()
      const others = await theirs.mine.records()
      const slot = { subject: 'x', attribute: 'secret', value: 'v' } as const
      for (const [code, call] of [
        ['NOT_FOUND', (): Promise<unknown> => mine.assert({ ...slot, from: theirs.episode })],
        ['NOT_FOUND', (): Promise<unknown> => mine.retract({ subject: 'x', attribute: 'secret', from: theirs.episode })],
        ['NOT_FOUND', (): Promise<unknown> => mine.batch(work => void work.assert({ ...slot, from: theirs.episode }))],
        ['NOT_FOUND', (): Promise<unknown> => mine.confirm(theirs.fact)],
        ['NOT_FOUND', (): Promise<unknown> => mine.confirm(theirs.held)],
        ['NOT_FOUND', (): Promise<unknown> => mine.reject(theirs.fact)],
        ['NOT_FOUND', (): Promise<unknown> => mine.reject(theirs.held)],
        ['NOT_FOUND', (): Promise<unknown> => mine.undo(theirs.decision)],
        ['NOT_FOUND', (): Promise<unknown> => mine.correct(theirs.fact, { value: 'v' })],
        ['NOT_FOUND', (): Promise<unknown> => mine.correct(own.fact, { value: 'v', from: theirs.episode })],
        ['NOT_FOUND', (): Promise<unknown> => mine.forget({ fact: theirs.fact })],
        ['NOT_FOUND', (): Promise<unknown> => mine.forget({ fact: theirs.held })],
        ['NOT_FOUND', (): Promise<unknown> => mine.forget({ episode: theirs.episode })],
        ['NOT_FOUND', (): Promise<unknown> => mine.forget({ session: theirs.session })],
        ['NOT_FOUND', (): Promise<unknown> => mine.forget({ subject: `only ${(index + 1) % tenants.length}` })],
        ['FACT_CHANGED', (): Promise<unknown> => mine.assert({ ...slot, subject: `only ${index}`, ifFact: theirs.fact })],
      ] as const)
        expect(await refusal(call())).toMatchObject({ code })
      expect(await mine.records()).toEqual(before)
      expect(await theirs.mine.records()).toEqual(others)
      // The same calls with its own ids are done.
      await mine.assert({ ...slot, validFrom: '2026-03-01', from: own.episode })
      await mine.assert({ ...slot, subject: `only ${index}`, value: 'w', validFrom: '2026-03-01', ifFact: own.fact })
      await mine.undo(own.decision)
      await mine.confirm(own.held)
      await mine.reject(own.held)
      await mine.correct(own.fact, { value: 'v', from: own.episode })
      await mine.retract({ subject: 'x', attribute: 'secret', validFrom: '2026-04-01', from: own.episode })
      expect((await mine.forget({ episode: own.episode })).preview.episodes).toHaveLength(1)
      expect(await theirs.mine.records()).toEqual(others)
    }
  })

  test("7. idempotency keys are a tenant's own", async () => {
    const { tenants } = await settled()
    for (const { mine, name } of tenants) {
      const common = { author: 'user', at: AT, tags: ['t'], entities: ['n'], uri: 'u', place: 'p', retention: 'r' } as const
      const again = { ...common, id: 'shared-episode', session: 'shared-session' }
      const index = NAMES.indexOf(name as (typeof NAMES)[number])
      const text = `the secret of ${JSON.stringify(name)} is s${index}`
      expect(await mine.record({ ...again, text }, { key: 'shared-key' })).toBe('shared-episode')
      const other = mine.record({ ...again, text: `${text}!` }, { key: 'shared-key' })
      expect(await refusal(other)).toMatchObject({ code: 'KEY_REUSED' })
      const fresh = await mine.assert({ subject: 'k', attribute: 'secret', value: name.toWellFormed() }, { key: 'k' })
      expect(await mine.fact(fresh.id)).toMatchObject({ value: name })
    }
  })

  test('7. an extractor is shown what its tenant holds', async () => {
    const { tenants } = await settled()
    for (const [index, { mine }] of tenants.entries()) {
      shown.length = 0
      await mine.remember({ text: 'and now?', author: 'user', session: 'shared-session' })
      const text = JSON.stringify(shown)
      expect(shown[0]?.current.map(each => each.value)).toContain(`o${index}`)
      expect(shown[0]?.previous).toEqual([{ author: 'user', text: `the secret of ${JSON.stringify(mine.tenant)} is s${index}` }])
      for (const other of NAMES.keys()) if (other !== index) expect(text).not.toContain(`"o${other}"`)
    }
  })

  test('7. merging and forgetting everything leave the others as they are, to the byte', async () => {
    const { memory, tenants } = await settled()
    const states = async (): Promise<Map<string, string>> =>
      new Map(await Promise.all(tenants.map(async ({ name, mine }) => [name, JSON.stringify(await mine.records())] as const)))
    let before = await states()
    const target = tenants[3] as Tenant
    await target.mine.merge(await (tenants[0] as Tenant).mine.records())
    let after = await states()
    for (const { name } of tenants) expect(after.get(name) === before.get(name)).toBe(name !== target.name)
    expect(await target.mine.fact((tenants[0] as Tenant).fact)).toMatchObject({ value: 'o0' })
    for (const { name, mine } of tenants) {
      before = after
      await (await mine.forget({ tenant: true })).apply()
      after = await states()
      for (const each of tenants) expect(after.get(each.name) === before.get(each.name)).toBe(each.name !== name)
      expect((await mine.facts({ history: true })).facts).toEqual([])
      expect((await mine.episodes()).episodes).toEqual([])
    }
    expect(await memory.query('select * from memory_facts')).toEqual([])
  })

  test('7. events name the tenant that was touched', async () => {
    const { memory, tenants } = await settled()
    for (const { name, mine } of tenants) {
      const heard: (readonly string[])[] = []
      const stop = memory.on(event => void (event.type === 'changed' && heard.push(event.tenants)))
      await mine.record({ text: 'x', author: 'user' })
      stop()
      await mine.record({ text: 'y', author: 'user' })
      expect(heard).toEqual([[name]])
    }
  })

  test('7. memory_facts names every tenant as it is called', async () => {
    const { memory } = await settled()
    const named = await memory.query('select distinct tenant_id from memory_facts')
    const names = new Set(named.map(row => row['tenant_id']))
    // SQLite ends a text at U+0000: such a name needs another form, which must be no other tenant's name.
    for (const name of NAMES) if (!name.includes('\u0000')) expect(names).toContain(name)
    expect(names.size).toBe(NAMES.length)
  })
})
