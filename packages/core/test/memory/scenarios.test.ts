/** The scenarios of the issue, by their numbers. 2 (a directory) is in packages/node, the tabs of 8 in test/e2e. */
import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineSchema, MemoryStore, type Fact } from '../../src/index.ts'
import { open, openTenant, tell } from './open.ts'

test('1. 20 successive values and one unrelated fact: every read path gives exactly the 2 current ones as current', async () => {
  const memory = await open()
  const mine = memory.tenant('acme', { actor: 'user' })
  for (let i = 0; i < 20; i++)
    await mine.assert({
      subject: 'mira',
      attribute: 'city',
      value: `city ${i}`,
      validFrom: `2026-01-${String(i + 1).padStart(2, '0')}T00:00:00Z`,
    })
  await mine.assert({ subject: 'mira', attribute: 'name', value: 'Mira', validFrom: '2026-01-01T00:00:00Z' })
  const expected = ['city 19', 'Mira']
  const values = (facts: readonly Fact[]): unknown[] => facts.map(fact => fact.value)
  expect(values((await mine.facts()).facts)).toEqual(expected)
  expect(values((await mine.facts({ subject: 'mira' })).facts)).toEqual(expected)
  expect(await mine.get('mira', 'city')).toMatchObject({ value: 'city 19' })
  expect(await mine.standing('mira', 'city')).toMatchObject({ state: 'known', facts: [{ value: 'city 19' }] })
  const sql = 'select value from memory_facts where valid_from <= ?1 and (valid_to is null or valid_to > ?1) order by attribute'
  expect((await memory.query(sql, ['2026-06-01T00:00:00Z'])).map(row => row['value'])).toEqual(expected)
  const { facts } = await mine.facts({ history: true })
  expect(facts).toHaveLength(21)
  expect(values(facts.filter(fact => fact.validTo === null))).toEqual(expected)
  const { fact, supersededBy } = await mine.why(facts[18]?.id as string)
  expect([fact.value, supersededBy?.value]).toEqual(['city 18', 'city 19'])
  const pages: unknown[] = []
  for (let after: string | null | undefined; after !== null;) {
    const page = await mine.facts({ limit: 1, ...(after === undefined ? {} : { after }) })
    pages.push(...values(page.facts))
    after = page.next
  }
  expect(pages).toEqual(expected)
})

test('3. team A from 03-01, team B from 05-01, told in two orders: the boundary belongs to B', async () => {
  for (const order of [
    ['A', 'B'],
    ['B', 'A'],
  ]) {
    const mine = await openTenant()
    for (const team of order)
      await mine.assert({
        subject: 'mira',
        attribute: 'team',
        value: team,
        validFrom: team === 'A' ? '2026-03-01' : '2026-05-01',
      })
    expect(await mine.get('mira', 'team', { at: '2026-05-01T00:00:00Z' })).toMatchObject({ value: 'B' })
    expect(await mine.get('mira', 'team', { at: '2026-04-30T23:59:59Z' })).toMatchObject({
      value: 'A',
      validTo: '2026-05-01T00:00:00Z',
    })
  }
})

test('4. a member of a group 2020-2021 and again from 2024: two facts; in 2022 nothing holds', async () => {
  const schema = defineSchema({ version: 1, attributes: { member_of: { value: z.string(), many: true } } })
  const mine = await openTenant({ schema })
  await mine.assert({
    subject: 'mira',
    attribute: 'member_of',
    value: 'choir',
    validFrom: '2020-01-01',
    validUntil: '2022-01-01',
  })
  await mine.assert({ subject: 'mira', attribute: 'member_of', value: 'choir', validFrom: '2024-01-01' })
  expect((await mine.facts({ history: true })).facts).toMatchObject([
    { value: 'choir', validFrom: '2020-01-01T00:00:00Z', validTo: '2022-01-01T00:00:00Z', supersedes: null },
    { value: 'choir', validFrom: '2024-01-01T00:00:00Z', validTo: null, supersedes: null },
  ])
  expect(await mine.get('mira', 'member_of', { at: '2022-06-01' })).toEqual([])
  expect(await mine.get('mira', 'member_of', { at: '2021-06-01' })).toHaveLength(1)
})

test('5. a message of 2019 imported in 2026: valid from then, recorded now; knownAt 2025 does not see it', async () => {
  const mine = await openTenant({ now: () => Date.parse('2026-11-01T00:00:00Z') })
  await tell(mine, { id: 'old', at: '2019-05-02T12:00:00Z', value: 'Oslo' }, 'city')
  const fact = (await mine.get('mira', 'city')) as Fact
  expect(fact).toMatchObject({ validFrom: '2019-05-02T12:00:00Z', recordedAt: '2026-11-01T00:00:00.000Z' })
  expect(await mine.get('mira', 'city', { at: '2020-01-01', knownAt: '2025-01-01' })).toBeUndefined()
  expect(await mine.get('mira', 'city', { at: '2020-01-01', knownAt: '2026-12-01' })).toMatchObject({ value: 'Oslo' })
  expect((await mine.episodes({ knownAt: '2025-01-01' })).episodes).toEqual([])
})

test('6. episode ids z, a, m at times 1, 2, 3: as-of 2 gives the first two; order never depends on ids', async () => {
  const mine = await openTenant()
  for (const [index, id] of ['z', 'a', 'm'].entries())
    await mine.record({ id, text: id, author: 'user', at: `2026-01-01T00:00:0${index + 1}Z` })
  expect((await mine.episodes({ at: '2026-01-01T00:00:02Z' })).episodes.map(episode => episode.id)).toEqual(['z', 'a'])
  expect((await mine.episodes()).episodes.map(episode => episode.id)).toEqual(['z', 'a', 'm'])
})

test('7. tenants that look alike: no cross read in any call, each with a positive control', async () => {
  const memory = await open()
  const names = ['acme', 'acme-corp', 'acme:x', 'acme%', 'acme_', 'ACME', 'acme\u0000', 'acme\\0']
  const ids = new Map<string, string>()
  for (const name of names) {
    const tenant = memory.tenant(name, { actor: 'user' })
    await tenant.record({
      id: `e of ${name.replace('\u0000', 'nul')}`,
      text: `secret of ${name}`,
      author: 'user',
      session: 's',
      tags: ['t'],
    })
    ids.set(name, (await tenant.assert({ subject: 'mira', attribute: 'secret', value: name })).id)
  }
  for (const name of names) {
    const tenant = memory.tenant(name, { actor: 'user' })
    expect(await tenant.get('mira', 'secret')).toMatchObject({ value: name })
    expect((await tenant.facts({ history: true })).facts.map(fact => fact.value)).toEqual([name])
    expect((await tenant.episodes({ session: 's' })).episodes.map(episode => episode.text)).toEqual([`secret of ${name}`])
    expect((await tenant.standing('mira', 'secret')).facts).toHaveLength(1)
    expect((await tenant.records()).filter(record => record.kind === 'assertion')).toHaveLength(1)
    for (const [other, id] of ids) {
      const found = await tenant.fact(id)
      expect(found?.value).toBe(other === name ? name : undefined)
      if (other === name) {
        expect((await tenant.why(id)).fact.value).toBe(name)
        continue
      }
      for (const call of [
        tenant.why(id),
        tenant.confirm(id),
        tenant.reject(id),
        tenant.correct(id, { value: 'x' }),
        tenant.forget({ fact: id }),
      ])
        await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(
        tenant.assert({ subject: 'a', attribute: 'b', value: 1, from: `e of ${other.replace('\u0000', 'nul')}` }),
      ).rejects.toMatchObject({ code: 'NOT_FOUND' })
      expect(await tenant.episode(`e of ${other.replace('\u0000', 'nul')}`)).toBeUndefined()
    }
  }
  const before = await memory.tenant('acme-corp').records()
  await (await memory.tenant('acme', { actor: 'user' }).forget({ tenant: true })).apply()
  expect(await memory.tenant('acme').get('mira', 'secret')).toBeUndefined()
  for (const name of names.slice(1)) expect(await memory.tenant(name).get('mira', 'secret')).toMatchObject({ value: name })
  expect(await memory.tenant('acme-corp').records()).toEqual(before)
})

test('8. 20 parallel asserts, and 200 + 200 from two replicas: all there, one open fact a slot, no gap in the journal', async () => {
  const store = new MemoryStore()
  const [a, b] = await Promise.all([open({ store }), open({ store })])
  await Promise.all(Array.from({ length: 20 }, (_, i) => a.tenant('t').assert({ subject: `p${i}`, attribute: 'x', value: i })))
  const write = async (memory: typeof a, who: string): Promise<void> => {
    const tenant = memory.tenant('t')
    await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        if (i % 7 === 0) await memory.checkpoint()
        await tenant.assert({
          subject: 'shared',
          attribute: `slot ${i % 10}`,
          value: `${who}${i}`,
          validFrom: new Date(1.7e12 + (i * 2 + (who === 'a' ? 0 : 1)) * 1000),
        })
      }),
    )
  }
  await Promise.all([write(a, 'a'), write(b, 'b')])
  for (const memory of [a, b]) {
    const counts = await memory.query(
      'select (select count(*) from assertion) as assertions, (select count(*) from fact where valid_to is null) as open',
    )
    expect(counts).toEqual([{ assertions: 420, open: 30 }])
    expect((await memory.tenant('t').facts({ subject: 'shared' })).facts).toHaveLength(10)
  }
  expect(await a.tenant('t').records()).toEqual(await b.tenant('t').records())
  const { head } = await a.health()
  const c = await open({ store })
  expect((await c.health()).quarantine).toEqual([])
  expect((await c.health()).head).toBe(head)
  expect(await c.tenant('t').records()).toEqual(await a.tenant('t').records())
})

test('9. values are kept byte for byte; subjects and attributes are equal under the documented normalisation', async () => {
  const mine = await openTenant()
  const values = ['Jos\u00e9', 'Jose\u0301', 'ß', 'SS', '李雷', 'שלום עולם', '\u202eabc', 'a\u0000b', '  two  spaces ']
  for (const [i, value] of values.entries()) {
    await mine.assert({ subject: `s${i}`, attribute: 'name', value })
    expect(((await mine.get(`s${i}`, 'name')) as Fact).value).toBe(value)
  }
  await mine.assert({ subject: 'Jos\u00e9', attribute: 'Straße', value: 1 })
  for (const subject of ['Jose\u0301', 'JOSÉ', ' josé ']) expect(await mine.get(subject, 'STRASSE')).toMatchObject({ value: 1 })
  await mine.assert({ subject: '李雷', attribute: 'שם', value: 2 })
  expect(await mine.get('李雷', 'שם')).toMatchObject({ value: 2 })
  expect(await mine.get('jose', 'strasse')).toBeUndefined()
})

test('10. Oslo from e1, Bergen from e2, forget e2: Oslo holds again', async () => {
  const mine = await openTenant()
  const oslo = await tell(mine, { id: 'e1', at: '2026-01-01T00:00:00Z', value: 'Oslo' }, 'city')
  await tell(mine, { id: 'e2', at: '2026-02-01T00:00:00Z', value: 'Bergen' }, 'city')
  const old = await mine.records()
  const plan = await mine.forget({ episode: 'e2' })
  expect(plan.preview).toMatchObject({
    episodes: [{ id: 'e2' }],
    assertions: [{ value: 'Bergen' }],
    gone: [{ value: 'Bergen' }],
    resumed: [{ id: oslo, validTo: null }],
  })
  await plan.apply()
  expect(await mine.get('mira', 'city')).toMatchObject({ id: oslo, value: 'Oslo', validTo: null })
  // An old backup cannot bring it back, and neither can the old id.
  await mine.merge(old)
  expect(await mine.get('mira', 'city')).toMatchObject({ value: 'Oslo' })
  await expect(mine.record({ id: 'e2', text: 'city is Bergen', author: 'user' })).rejects.toMatchObject({ code: 'ERASED' })
})

test('11. a laptop whose clock is four minutes fast says July 15, then the phone corrects it: the correction holds', async () => {
  const noon = Date.parse('2026-06-01T12:00:00Z')
  const laptop = await openTenant({ now: () => noon + 4 * 60_000 })
  const phone = await openTenant({ now: () => noon + 30_000 })
  await laptop.assert({ subject: 'mira', attribute: 'passport_deadline', value: '2026-07-15' })
  await phone.merge(await laptop.records())
  await phone.assert({ subject: 'mira', attribute: 'passport_deadline', value: '2026-06-30' })
  await laptop.merge(await phone.records())
  for (const device of [phone, laptop])
    expect(await device.get('mira', 'passport_deadline')).toMatchObject({ value: '2026-06-30' })
  expect(await laptop.records()).toEqual(await phone.records())
})

test('12. two undated statements of one person in the same second: the later one holds, no error', async () => {
  const mine = await openTenant({ now: () => Date.parse('2026-06-01T12:00:00.100Z') })
  await mine.assert({ subject: 'mira', attribute: 'city', value: 'Oslo' })
  await mine.assert({ subject: 'mira', attribute: 'city', value: 'Bergen' })
  expect(await mine.get('mira', 'city')).toMatchObject({ value: 'Bergen', contested: [] })
  expect(await mine.standing('mira', 'city')).toMatchObject({ state: 'known' })
})
