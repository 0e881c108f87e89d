/** Scenario 1 on every path that can show what is current, however the twenty values were told. */
import { expect, test } from 'vitest'
import type { ExtractionInput } from '../../src/extractor.ts'
import { MemoryStore, type Fact, type Memory, type TenantMemory } from '../../src/index.ts'
import { open } from './open.ts'
import { randomFrom } from '../../../../test/support/random.ts'

const NOW = Date.parse('2026-06-01T00:00:00Z')
const day = (n: number): string => `2026-01-${String(n).padStart(2, '0')}T00:00:00Z`

const sorted = (values: readonly unknown[]): unknown[] => values.map(String).toSorted((a, b) => (a < b ? -1 : 1))

/** Every path, each as the set of values that it shows as current. */
async function paths(memory: Memory, mine: TenantMemory, shown: ExtractionInput[]): Promise<Record<string, unknown[]>> {
  const values = (facts: readonly (Fact | undefined)[]): unknown[] => sorted(facts.map(fact => fact?.value))
  const { facts: history } = await mine.facts({ history: true })
  const paged: Fact[] = []
  for (let after: string | null = ''; after !== null;) {
    const page: Awaited<ReturnType<typeof mine.facts>> = await mine.facts({ limit: 1, ...(after === '' ? {} : { after }) })
    paged.push(...page.facts)
    after = page.next
  }
  const now = new Date(NOW).toISOString().replace('.000Z', 'Z')
  const sql = `select value from memory_facts where tenant_id = ?1 and valid_from <= ?2 and (valid_to is null or valid_to > ?2)`
  const published = `select value from memory_facts where tenant_id = ? and subject = ? and attribute = ? and valid_from <= ?
    and (valid_to is null or valid_to > ?) limit 1`
  const byPublished = async (attribute: string): Promise<unknown> =>
    (await memory.query(published, ['acme', 'mira', attribute, now, now]))[0]?.['value']
  const standing = await Promise.all(['city', 'name'].map(attribute => mine.standing('mira', attribute)))
  const byId = await Promise.all(history.map(({ id }) => mine.fact(id, { at: now })))
  const whys = await Promise.all(history.map(({ id }) => mine.why(id)))
  shown.length = 0
  await mine.remember({ text: 'hello', author: 'user' })
  const copy = await open({ now: () => NOW })
  await copy.tenant('copy').merge(await mine.records())
  return {
    get: values([await mine.get('mira', 'city'), await mine.get('mira', 'name')]),
    'get at now': values([await mine.get('mira', 'city', { at: now }), await mine.get('mira', 'name', { at: now })]),
    'get known by now': values([
      await mine.get('mira', 'city', { knownAt: new Date(NOW + 1000) }),
      await mine.get('mira', 'name', { knownAt: new Date(NOW + 1000) }),
    ]),
    facts: values((await mine.facts()).facts),
    'facts of the subject': values((await mine.facts({ subject: 'Mira' })).facts),
    'facts by attribute': values(
      [(await mine.facts({ attribute: 'city' })).facts, (await mine.facts({ attribute: 'name' })).facts].flat(),
    ),
    'facts in pages': values(paged),
    'facts known by now': values((await mine.facts({ knownAt: new Date(NOW + 1000) })).facts),
    'history that is open': values(history.filter(fact => fact.validTo === null)),
    standing: values(standing.flatMap(each => (each.state === 'known' ? each.facts : []))),
    'fact by id at now': values(byId.filter(fact => fact !== undefined)),
    'why, not superseded': values(whys.filter(each => each.supersededBy === null).map(each => each.fact)),
    memory_facts: sorted((await memory.query(sql, ['acme', now])).map(row => row['value'])),
    'the published read': sorted([await byPublished('city'), await byPublished('name')]),
    'what an extractor is shown': sorted((shown[0]?.current ?? []).map(each => each.value)),
    'exported and imported': values((await copy.tenant('copy').facts()).facts),
  }
}

test.each([
  ['in order', (list: number[]): number[] => list],
  ['in reverse', (list: number[]): number[] => list.toReversed()],
  [
    'in any order',
    (list: number[]): number[] => {
      const random = randomFrom(7)
      return list
        .map(n => [random(1000), n] as const)
        .toSorted((a, b) => a[0] - b[0])
        .map(([, n]) => n)
    },
  ],
])(
  '1. 20 successive values told %s, and one unrelated fact: every read path gives exactly the 2 current ones',
  async (_, order) => {
    const shown: ExtractionInput[] = []
    const spy = {
      name: 'spy',
      version: 1,
      extract: (input: ExtractionInput): Promise<never[]> => {
        shown.push(input)
        return Promise.resolve([])
      },
    }
    const store = new MemoryStore()
    const options = { store, extractors: [spy], now: (): number => NOW }
    const memory = await open(options)
    const mine = memory.tenant('acme', { actor: 'user' })
    for (const n of order(Array.from({ length: 20 }, (_each, i) => i + 1)))
      await mine.assert({ subject: 'mira', attribute: 'city', value: `city ${String(n).padStart(2, '0')}`, validFrom: day(n) })
    await mine.assert({ subject: 'mira', attribute: 'name', value: 'Mira', validFrom: day(1) })
    const check = async (each: Memory): Promise<void> => {
      const found = await paths(each, each.tenant('acme', { actor: 'user' }), shown)
      for (const [path, values] of Object.entries(found)) expect(values, path).toEqual(['Mira', 'city 20'])
    }
    await check(memory)
    const { facts } = await mine.facts({ attribute: 'city', history: true })
    expect(facts).toHaveLength(20)
    for (const [i, fact] of facts.entries()) {
      expect(fact).toMatchObject({ validFrom: day(i + 1), validTo: i === 19 ? null : day(i + 2) })
      expect(fact.supersedes).toBe(i === 0 ? null : facts[i - 1]?.id)
    }
    await memory.checkpoint()
    await check(await open(options))
  },
)

test('a fact of the future is open and not current, and becomes current by itself', async () => {
  let now = NOW
  const mine = (await open({ now: () => now })).tenant('acme', { actor: 'user' })
  const old = await mine.assert({ subject: 'mira', attribute: 'city', value: 'Oslo', validFrom: day(1) })
  const next = await mine.assert({ subject: 'mira', attribute: 'city', value: 'Bergen', validFrom: '2026-06-01T00:00:10Z' })
  await mine.assert({
    subject: 'mira',
    attribute: 'trip',
    value: 'Rome',
    validFrom: '2026-06-01T00:00:10Z',
    validUntil: '2026-06-01T00:00:20Z',
  })
  const current = async (): Promise<unknown[]> => (await mine.facts()).facts.map(fact => fact.value)
  expect(await current()).toEqual(['Oslo'])
  expect(await mine.get('mira', 'trip')).toBeUndefined()
  expect(await mine.standing('mira', 'trip')).toEqual({ state: 'never', facts: [] })
  expect(await mine.get('mira', 'city')).toMatchObject({ id: old.id, validTo: '2026-06-01T00:00:10Z' })
  now = NOW + 9_999
  expect(await current()).toEqual(['Oslo'])
  now = NOW + 10_000
  expect(await current()).toEqual(['Bergen', 'Rome'])
  expect(await mine.get('mira', 'city')).toMatchObject({ id: next.id, supersedes: old.id })
  now = NOW + 20_000
  expect(await current()).toEqual(['Bergen'])
  expect(await mine.standing('mira', 'trip')).toMatchObject({ state: 'ended', facts: [{ value: 'Rome' }] })
})
