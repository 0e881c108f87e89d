/** Commit, checkpoint and open against a journal that fails, and against damage of what is stored. */
import { expect, test } from 'vitest'
import {
  createClient,
  localTransport,
  MemoryError,
  MemoryJournal,
  MemoryStore,
  openService,
  type AppendOutcome,
  type Journal,
  type StoredEntry,
} from '../../src/index.ts'
import { decodeEntry, encodeEntry } from '../../src/journal/entry.ts'
import { open, refusal } from './open.ts'

type Fault = 'before' | 'after' | 'collision'

/** A journal whose appends go wrong as the test says, in turn; null lets one pass. */
class FaultyJournal extends MemoryJournal {
  readonly faults: (Fault | null)[] = []

  override async append(entries: readonly StoredEntry[]): Promise<AppendOutcome> {
    const fault = this.faults.shift()
    if (fault === 'before') throw new MemoryError('NOT_STORED', 'the disk is full', { reason: 'quota' })
    if (fault === 'collision') return 'collision'
    const outcome = await super.append(entries)
    if (fault === 'after') throw new MemoryError('NOT_STORED', 'the answer was lost', { reason: 'lost', outcome: 'unknown' })
    return outcome
  }
}

async function openOn(journal: Journal): Promise<ReturnType<typeof createClient>> {
  return createClient(localTransport(await openService({ journal })))
}

test('a failed append is a typed error and leaves nothing; a lost answer is found in the journal; both exactly once', async () => {
  const store = new MemoryStore()
  const journal = new FaultyJournal(store)
  const memory = await openOn(journal)
  const mine = memory.tenant('acme')
  const acknowledged: number[] = []
  for (let i = 0; i < 60; i++) {
    journal.faults.push(...(['before', 'after', 'collision', null] as const).slice(i % 4, (i % 4) + 1))
    try {
      await mine.assert({ subject: 's', attribute: `a${i}`, value: i })
      acknowledged.push(i)
    } catch (error) {
      expect(error).toMatchObject({ code: 'NOT_STORED', retryable: true })
      expect(i % 4).toBe(0)
    }
  }
  const expected = acknowledged.map(i => `a${i}`).toSorted()
  for (const each of [memory, await open({ store })]) {
    const rows = await each.query('select attribute, count(*) as n from memory_facts group by 1 order by 1')
    expect(rows).toEqual(expected.map(attribute => ({ attribute, n: 1 })))
    expect(await each.query('select * from pragma_integrity_check')).toEqual([{ integrity_check: 'ok' }])
  }
})

test('a group in which one append fails for another reason is tried again one by one', async () => {
  const journal = new FaultyJournal(new MemoryStore())
  const memory = await openOn(journal)
  const mine = memory.tenant('acme')
  journal.faults.push('before', null, 'before', null)
  const results = await Promise.allSettled([0, 1, 2].map(value => mine.assert({ subject: 's', attribute: `a${value}`, value })))
  expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect((await mine.facts()).facts.map(fact => fact.value)).toEqual([0, 2])
})

test('operations asked for in one turn share an append, and a refusal among them harms nobody', async () => {
  const store = new MemoryStore()
  const mine = (await open({ store })).tenant('acme')
  const results = await Promise.allSettled([
    mine.assert({ subject: 's', attribute: 'a', value: 1, validFrom: '2026-01-01' }),
    mine.assert({ subject: 's', attribute: 'a', value: 2, validFrom: '2026-01-01' }),
    mine.assert({ subject: 's', attribute: 'b', value: 3 }),
    mine.get('s', 'b'),
  ])
  expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(results[3]).toMatchObject({ value: { value: 3 } })
})

async function filled(store: MemoryStore, commits: number): Promise<void> {
  const memory = await open({ store })
  for (let i = 0; i < commits; i++) {
    await memory.tenant('acme').assert({ subject: 's', attribute: `a${i}`, value: i })
    if (i === 2 || i === 4) await memory.checkpoint()
  }
  await memory.close()
}

function damage(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice()
  copy[copy.length - 5] = (copy.at(-5) ?? 0) ^ 1
  return copy
}

test('a damaged entry is set aside and reported; later ones that verify are kept, and writing goes on', async () => {
  const store = new MemoryStore()
  await filled(store, 8)
  store.entries.set(7, damage(store.entries.get(7) as Uint8Array))
  const memory = await open({ store })
  expect((await memory.health()).quarantine).toEqual([{ what: 'entry 7', reason: 'checksum mismatch' }])
  const values = async (): Promise<unknown[]> => (await memory.tenant('acme').facts()).facts.map(fact => fact.value)
  expect(await values()).toEqual([0, 1, 2, 3, 4, 5, 7])
  await memory.tenant('acme').assert({ subject: 's', attribute: 'a9', value: 9 })
  expect(await values()).toEqual([0, 1, 2, 3, 4, 5, 7, 9])
})

test('a last entry that is gone is reported, and the next append still finds its place', async () => {
  const store = new MemoryStore()
  await filled(store, 8)
  const head = 8
  class Blind extends MemoryJournal {
    override async read(after: number): Promise<readonly StoredEntry[]> {
      return (await super.read(after)).filter(entry => entry.seq !== head)
    }
  }
  const memory = await openOn(new Blind(store))
  expect((await memory.health()).quarantine).toEqual([{ what: 'entries 8 to 8', reason: 'missing' }])
  await memory.tenant('acme').assert({ subject: 's', attribute: 'a9', value: 9 })
  expect((await memory.health()).head).toBe(9)
})

test('a damaged delta costs nothing: the entries behind it are still there', async () => {
  const store = new MemoryStore()
  await filled(store, 8)
  const generation = store.generations.get(store.generation)
  expect(generation?.deltas).toHaveLength(1)
  if (generation !== undefined) generation.deltas[0] = damage(generation.deltas[0] as Uint8Array)
  const memory = await open({ store })
  expect((await memory.health()).quarantine).toEqual([{ what: 'generation 1', reason: 'delta 1.1: checksum mismatch' }])
  expect((await memory.tenant('acme').facts()).facts).toHaveLength(8)
  await memory.checkpoint()
  expect((await memory.health()).generation).toBe(2)
  expect((await (await open({ store })).health()).quarantine).toEqual([])
})

test('a store whose every generation is damaged is STORE_CORRUPT, never a new store', async () => {
  const store = new MemoryStore()
  await filled(store, 8)
  const generation = store.generations.get(1)
  store.generations.set(1, { segments: (generation?.segments ?? []).map(damage), deltas: [] })
  expect(await refusal(open({ store }))).toMatchObject({ code: 'STORE_CORRUPT' })
})

test('a bad base falls back a generation', async () => {
  const store = new MemoryStore()
  const journal = new MemoryJournal(store)
  // Stops between the new base and the end of the old one: both generations are there, and the entries between them.
  journal.dropBefore = () => Promise.reject(new MemoryError('NOT_STORED', 'the tab was closed', { reason: 'closed' }))
  const memory = await openOn(journal)
  const mine = memory.tenant('acme')
  await mine.assert({ subject: 's', attribute: 'a', value: 1 })
  await memory.checkpoint().catch(() => undefined)
  await mine.batch(batch => {
    for (let i = 0; i < 3000; i++) batch.assert({ subject: `s${i}`, attribute: 'a', value: i })
  })
  await memory.checkpoint().catch(() => undefined)
  expect((await memory.health()).generation).toBe(2)
  const second = store.generations.get(2)
  store.generations.set(2, { segments: (second?.segments ?? []).map(damage), deltas: [] })
  const again = await open({ store })
  expect((await again.health()).quarantine).toMatchObject([{ what: 'generation 2' }])
  expect(await again.query('select count(*) as n from memory_facts')).toEqual([{ n: 3001 }])
  await again.checkpoint()
  expect((await again.health()).generation).toBe(3)
  expect(await (await open({ store })).query('select count(*) as n from memory_facts')).toEqual([{ n: 3001 }])
})

test('an entry of a newer version makes this one read-only; reads go on', async () => {
  const store = new MemoryStore()
  await filled(store, 3)
  const journal = new MemoryJournal(store)
  const { head } = await journal.state()
  const entry = { v: 2, seq: head + 1, commit: 'c', part: 1, parts: 1, prev: '0'.repeat(64), items: [] }
  await journal.append([{ seq: head + 1, bytes: encodeEntry(entry).bytes }])
  const memory = await open({ store })
  const mine = memory.tenant('acme')
  expect((await mine.facts()).facts).toHaveLength(3)
  expect(await refusal(mine.assert({ subject: 's', attribute: 'x', value: 1 }))).toMatchObject({ code: 'READ_ONLY' })
  expect((await mine.facts()).facts).toHaveLength(3)
})

test('a commit larger than one entry is several entries without effect before the last', async () => {
  const store = new MemoryStore()
  const memory = await open({ store })
  await memory.tenant('acme').batch(batch => {
    for (let i = 0; i < 40; i++) batch.record({ id: `e${i}`, text: 'x'.repeat(250_000), author: 'user' })
  })
  const written = [...store.entries]
  const entries = written.map(([seq, bytes]) => decodeEntry(seq, bytes))
  const parts = entries.flatMap(each => ('entry' in each ? [each.entry] : []))
  expect(parts.length).toBeGreaterThan(2)
  expect(new Set(parts.map(part => part.commit)).size).toBe(1)
  expect((await (await open({ store })).tenant('acme').episodes()).episodes).toHaveLength(40)
  const torn = new MemoryStore()
  for (const [seq, bytes] of written.slice(0, -1)) torn.entries.set(seq, bytes)
  const cut = await open({ store: torn })
  expect((await cut.tenant('acme').episodes()).episodes).toHaveLength(0)
})

test('a replica whose image is below the floor opens again and goes on', async () => {
  const store = new MemoryStore()
  const [a, b] = [await open({ store }), await open({ store })]
  // b hears nothing: as a tab that was frozen.
  store.listeners.clear()
  for (let i = 0; i < 6; i++) {
    await a.tenant('acme').assert({ subject: 's', attribute: `a${i}`, value: i })
    await a.checkpoint()
  }
  await b.tenant('acme').assert({ subject: 's', attribute: 'b', value: 'b' })
  expect((await b.tenant('acme').facts()).facts).toHaveLength(7)
  await a.checkpoint()
  expect(await a.tenant('acme').records()).toEqual(await b.tenant('acme').records())
})

test('reopening gives the same facts after any mix of operations and checkpoints; pragmas survive the export', async () => {
  const store = new MemoryStore()
  const memory = await open({ store })
  const mine = memory.tenant('acme', { actor: 'user' })
  for (let i = 0; i < 120; i++) {
    await mine.record({ id: `e${i}`, text: `text ${i}`, author: 'user' })
    const { id } = await mine.assert({
      subject: `s${i % 7}`,
      attribute: 'a',
      value: i,
      from: `e${i}`,
      validFrom: new Date(1.7e12 + ((i * 37) % 100) * 60_000 + i * 1000),
    })
    if (i % 11 === 0) await mine.reject(id)
    if (i % 13 === 0) await mine.correct(id, { value: `c${i}` }).catch(() => undefined)
    if (i % 17 === 0) await (await mine.forget({ episode: `e${i}` })).apply()
    if (i % 10 === 0) await memory.checkpoint()
  }
  expect(await memory.query('select * from pragma_secure_delete')).toEqual([{ secure_delete: 1 }])
  const again = (await open({ store })).tenant('acme')
  expect(await again.records()).toEqual(await mine.records())
  expect(await again.facts({ history: true, limit: 1000 })).toEqual(await mine.facts({ history: true, limit: 1000 }))
})
