/** Damage of what is stored: reported by name, and what verifies is kept; never a new store in silence. */
import { describe, expect, test } from 'vitest'
import { MemoryJournal, MemoryStore, type Memory } from '../../src/index.ts'
import { encodeEntry } from '../../src/journal/entry.ts'
import { open, refusal } from './open.ts'

const COMMITS = 12

/** Facts s1 … s12 (and more where checkpoints fold), one a commit. */
async function filled(checkpoints: readonly number[] = [], commits = COMMITS): Promise<MemoryStore> {
  const store = new MemoryStore()
  const memory = await open({ store })
  for (let i = 1; i <= commits; i++) {
    await memory.tenant('acme').assert({ subject: `s${i}`, attribute: 'x', value: i })
    if (checkpoints.includes(i)) await memory.checkpoint()
  }
  await memory.close()
  return store
}

const numbers = async (memory: Memory): Promise<number[]> =>
  (await memory.tenant('acme').facts({ limit: 1000 })).facts.map(fact => fact.value as number).toSorted((a, b) => a - b)

const upTo = (last: number, ...without: number[]): number[] =>
  Array.from({ length: last }, (_, i) => i + 1).filter(n => !without.includes(n))

const flipped = (bytes: Uint8Array, at: number): Uint8Array => {
  const copy = bytes.slice()
  const index = at < 0 ? copy.length + at : at
  copy[index] = (copy[index] ?? 0) ^ 0x20
  return copy
}

const kinds: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  'a flipped bit in its checksum': bytes => flipped(bytes, 3),
  'a flipped bit in its body': bytes => flipped(bytes, 60),
  'a flipped bit at its end': bytes => flipped(bytes, -1),
  'its second half missing': bytes => bytes.slice(0, bytes.length >> 1),
  'only its checksum left': bytes => bytes.slice(0, 32),
  'nothing left': () => new Uint8Array(0),
  'bytes behind it': bytes => new Uint8Array([...bytes, 0]),
  'zeros instead of it': bytes => new Uint8Array(bytes.length),
  'text instead of it': () => new TextEncoder().encode('not an entry at all, only a text that is long enough'),
}

describe.each(Object.entries(kinds))('an entry with %s', (_, damage) => {
  test.each([
    ['the first', [1]],
    ['one in the middle', [6]],
    ['two in a row', [6, 7]],
    ['the last', [COMMITS]],
    ['all', upTo(COMMITS)],
  ] as const)('%s: it is reported, the others are kept, writing goes on', async (_where, which) => {
    const store = await filled()
    for (const seq of which) store.entries.set(seq, damage(store.entries.get(seq) as Uint8Array))
    const memory = await open({ store })
    const { quarantine, head } = await memory.health()
    for (const seq of which) expect(quarantine.map(({ what }) => what)).toContain(`entry ${seq}`)
    expect(quarantine).toHaveLength(which.length)
    expect(head).toBe(COMMITS)
    expect(await numbers(memory)).toEqual(upTo(COMMITS, ...which))
    await memory.tenant('acme').assert({ subject: 's13', attribute: 'x', value: 13 })
    expect(await numbers(memory)).toEqual(upTo(13, ...which))
    expect(await numbers(await open({ store }))).toEqual(upTo(13, ...which))
    await memory.checkpoint()
    const folded = await open({ store })
    expect(await numbers(folded)).toEqual(upTo(13, ...which))
    expect(await folded.query('select * from pragma_integrity_check')).toEqual([{ integrity_check: 'ok' }])
  })
})

test('an entry that is gone is reported as missing, and the others are kept', async () => {
  const store = await filled()
  store.entries.delete(4)
  store.entries.delete(5)
  const memory = await open({ store })
  expect((await memory.health()).quarantine).toMatchObject([
    { what: expect.stringMatching(/4.*5/u) as string, reason: 'missing' },
  ])
  expect(await numbers(memory)).toEqual(upTo(COMMITS, 4, 5))
})

test('entries that changed places, and one that was copied over another, are reported', async () => {
  const store = await filled()
  const [four, five] = [store.entries.get(4) as Uint8Array, store.entries.get(5) as Uint8Array]
  store.entries.set(4, five).set(5, four)
  const swapped = await open({ store })
  expect((await swapped.health()).quarantine.length).toBeGreaterThan(0)
  expect(await numbers(swapped)).toEqual(upTo(COMMITS, 4, 5))
  store.entries.set(4, four).set(5, four)
  expect(await numbers(await open({ store }))).toEqual(upTo(COMMITS, 5))
})

describe('images', () => {
  const generation = (store: MemoryStore): { segments: readonly Uint8Array[]; deltas: Uint8Array[] } =>
    store.generations.get(store.generation) as { segments: readonly Uint8Array[]; deltas: Uint8Array[] }

  test.each(Object.entries(kinds))('the newest delta with %s costs nothing', async (_, damage) => {
    const store = await filled([4, 8])
    const { deltas } = generation(store)
    if (deltas.length === 0) return
    deltas[deltas.length - 1] = damage(deltas.at(-1) as Uint8Array)
    const memory = await open({ store })
    expect((await memory.health()).quarantine.map(({ what }) => what)).toEqual([`generation ${store.generation}`])
    expect(await numbers(memory)).toEqual(upTo(COMMITS))
    await memory.checkpoint()
    const again = await open({ store })
    expect((await again.health()).quarantine).toEqual([])
    expect(await numbers(again)).toEqual(upTo(COMMITS))
  })

  test('there are deltas to damage', async () => {
    expect(generation(await filled([4, 8])).deltas.length).toBeGreaterThan(0)
  })

  test('an older delta that is damaged is reported, and everything that verifies is kept', async () => {
    const store = new MemoryStore()
    const memory = await open({ store })
    // A base that is large enough for several small deltas.
    await memory.tenant('big').batch(batch => {
      for (let i = 0; i < 2000; i++) batch.assert({ subject: `s${i}`, attribute: 'x', value: 'y'.repeat(100) })
    })
    await memory.checkpoint()
    for (let i = 1; i <= 6; i++) {
      await memory.tenant('acme').assert({ subject: `s${i}`, attribute: 'x', value: i })
      if (i <= 4) await memory.checkpoint()
    }
    await memory.close()
    const { deltas } = generation(store)
    expect(deltas.length).toBeGreaterThanOrEqual(3)
    deltas[1] = flipped(deltas[1] as Uint8Array, -1)
    const again = await open({ store })
    const { quarantine } = await again.health()
    expect(quarantine.length).toBeGreaterThan(0)
    const kept = await numbers(again)
    expect(kept).toContain(1)
    // What came after the newest delta is in the journal.
    expect(kept).toEqual(expect.arrayContaining([5, 6]))
    // What is lost is named: no gap without a report.
    const lost = upTo(6).filter(n => !kept.includes(n))
    if (lost.length > 0) expect(quarantine.some(({ reason }) => reason === 'missing')).toBe(true)
    expect((await again.tenant('big').facts({ limit: 1000 })).facts).toHaveLength(1000)
    await again.tenant('acme').assert({ subject: 's7', attribute: 'x', value: 7 })
    await again.checkpoint()
    expect(await numbers(await open({ store }))).toEqual([...kept, 7])
  })

  test.each(Object.entries(kinds))('the only base with %s is STORE_CORRUPT, and nothing is overwritten', async (_, damage) => {
    for (const index of [0, 1]) {
      const store = await filled([12])
      const whole = generation(store)
      expect(whole.segments.length).toBeGreaterThan(1)
      const segments = whole.segments.map((segment, i) => (i === index ? damage(segment) : segment))
      store.generations.set(store.generation, { segments, deltas: whole.deltas })
      const before = JSON.stringify([[...store.entries], [...store.generations], store.generation, store.floor])
      expect(await refusal(open({ store }))).toMatchObject({ code: 'STORE_CORRUPT' })
      expect(JSON.stringify([[...store.entries], [...store.generations], store.generation, store.floor])).toBe(before)
    }
  })
})

/** Where the JSON header of a blob ends. */
function headerEnd(blob: Uint8Array, delta: boolean): number {
  return delta ? 4 + new DataView(blob.buffer, blob.byteOffset).getUint32(0, true) : blob.length
}

test.each(['base', 'delta'] as const)('no flipped bit in the header of a %s goes unnoticed and does harm', async which => {
  const store = await filled([4, 8])
  const { segments, deltas } = store.generations.get(store.generation) as {
    segments: readonly Uint8Array[]
    deltas: Uint8Array[]
  }
  const blob = (which === 'base' ? segments[0] : deltas.at(-1)) as Uint8Array
  const harmful: string[] = []
  for (let at = 0; at < headerEnd(blob, which === 'delta'); at++) {
    for (const bit of [1, 2, 4, 16]) {
      const copy = blob.slice()
      copy[at] = (copy[at] ?? 0) ^ bit
      const damaged = new MemoryStore()
      for (const [seq, bytes] of store.entries) damaged.entries.set(seq, bytes)
      damaged.floor = store.floor
      damaged.generation = store.generation
      damaged.generations.set(store.generation, {
        segments: which === 'base' ? [copy, ...segments.slice(1)] : segments,
        deltas: which === 'base' ? [...deltas] : [...deltas.slice(0, -1), copy],
      })
      const where = `${which}[${at}] ${JSON.stringify(new TextDecoder().decode(blob.slice(at, at + 1)))} ^ ${bit}`
      const memory = await open({ store: damaged }).catch((error: unknown) => ({
        code: (error as { code?: string }).code ?? String(error),
      }))
      if ('code' in memory) {
        if (memory.code !== 'STORE_CORRUPT') harmful.push(`${where}: ${memory.code}`)
        continue
      }
      const { quarantine } = await memory.health()
      const right = await numbers(memory).then(
        found => found.join() === upTo(COMMITS).join(),
        () => false,
      )
      const ok = await memory.query('select * from pragma_integrity_check').then(
        rows => rows[0]?.['integrity_check'] === 'ok',
        () => false,
      )
      const goesOn = await memory
        .tenant('acme')
        .record({ text: 'x', author: 'user' })
        .then(
          () => true,
          () => false,
        )
      // Noticed or harmless: a memory that is not told of it must show everything and take writes.
      if (!ok || !goesOn || (!right && quarantine.length === 0))
        harmful.push(`${where}: ${JSON.stringify({ ok, goesOn, right, quarantine })}`)
      await memory.close()
    }
  }
  expect(harmful).toEqual([])
})

describe('what a newer version wrote', () => {
  const append = async (store: MemoryStore, change: object): Promise<void> => {
    const { head } = store
    const entry = { v: 1, seq: head + 1, commit: 'newer', part: 1, parts: 1, prev: '0'.repeat(64), items: [], ...change }
    await new MemoryJournal(store).append([{ seq: head + 1, bytes: encodeEntry(entry).bytes }])
  }
  test.each([
    ['an entry of version 2', { v: 2 }],
    ['a record of an unknown kind', { items: [{ tenant: 'acme', records: [{ kind: 'link', id: 'l' }] }] }],
  ])('%s makes every write READ_ONLY; reads go on, and the entries after it are read', async (_, change) => {
    const store = await filled([6])
    await append(store, change)
    const memory = await open({ store })
    const mine = memory.tenant('acme', { actor: 'user' })
    const { id } = (await mine.get('s1', 'x')) as { id: string }
    const plan = await mine.forget({ fact: id })
    const { head } = store
    for (const write of [
      () => mine.record({ text: 'x', author: 'user' }),
      () => mine.assert({ subject: 'n', attribute: 'x', value: 1 }),
      () => mine.retract({ subject: 's1', attribute: 'x' }),
      () => mine.batch(batch => void batch.record({ text: 'x', author: 'user' })),
      () => mine.confirm(id),
      () => mine.reject(id),
      () => mine.correct(id, { value: 2 }),
      () => plan.apply(),
      async () => mine.merge(await mine.records()),
    ])
      expect(await refusal(write())).toMatchObject({ code: 'READ_ONLY', retryable: false })
    expect(await numbers(memory)).toEqual(upTo(COMMITS))
    expect(await memory.query('select count(*) as n from memory_facts')).toEqual([{ n: COMMITS }])
    // Folding it in would lose what this version does not know.
    await memory.checkpoint().catch(() => undefined)
    expect(store.entries.has(head)).toBe(true)
    expect(store.floor).toBeLessThan(head)
    expect(await refusal((await open({ store })).tenant('acme').record({ text: 'x', author: 'user' }))).toMatchObject({
      code: 'READ_ONLY',
    })
  })

  test('a replica that is open meets it with its next write', async () => {
    const store = await filled()
    const memory = await open({ store })
    await append(store, { v: 2 })
    const before = store.head
    expect(await refusal(memory.tenant('acme').record({ text: 'x', author: 'user' }))).toMatchObject({ code: 'READ_ONLY' })
    expect(store.head).toBe(before)
    expect(await numbers(memory)).toEqual(upTo(COMMITS))
  })
})
