/** A store whose journal came back empty is restored from its mirrors, and never taken for a new one. */
import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client.ts'
import { MemoryError } from '../../src/errors.ts'
import { MemoryJournal, MemoryStore } from '../../src/journal/memory-journal.ts'
import { localTransport } from '../../src/local-transport.ts'
import type { Memory } from '../../src/memory.ts'
import { MemoryFiles, MemoryPlace } from '../../src/mirror/memory-place.ts'
import { openService, type ServiceOptions } from '../../src/service.ts'

const DEVICE = { kind: 'device' } as const

async function open(store: MemoryStore, files: MemoryFiles, options: Partial<ServiceOptions> = {}): Promise<Memory> {
  const service = await openService({
    journal: new MemoryJournal(store),
    mirror: new MemoryPlace(files),
    atRest: DEVICE,
    durability: 'mirrored',
    ...options,
  })
  return createClient(localTransport(service))
}

async function say(memory: Memory, from: number, to: number): Promise<void> {
  const mine = memory.tenant('home', { actor: 'user' })
  for (let i = from; i <= to; i++) await mine.assert({ subject: 'me', attribute: `a${i}`, value: i })
}

async function values(memory: Memory): Promise<unknown[]> {
  const mine = memory.tenant('home')
  const { facts } = await mine.facts({ limit: 1000 })
  return facts.map(({ value }) => value as number).toSorted((a, b) => Number(a) - Number(b))
}

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1)

describe('a store that was wiped', () => {
  test('comes back from its log, base or no base', async () => {
    for (const checkpointAfter of [0, 5, 9]) {
      const files = new MemoryFiles()
      const memory = await open(new MemoryStore(), files)
      const { storeId, deviceId } = await memory.health()
      await say(memory, 1, checkpointAfter)
      if (checkpointAfter > 0) await memory.checkpoint()
      await say(memory, checkpointAfter + 1, 9)
      await memory.close()

      const back = await open(new MemoryStore(), files)
      expect(await values(back)).toEqual(upTo(9))
      const health = await back.health()
      expect(health).toMatchObject({ storeId, deviceId, quarantine: [], restored: { wasEmpty: true, damaged: 0 } })
      // What is written afterwards is kept, and the next opening has nothing to restore.
      await say(back, 10, 12)
      await back.close()
    }
  })

  test('comes back again and again, each time with what was added', async () => {
    const files = new MemoryFiles()
    for (let round = 1; round <= 6; round++) {
      const memory = await open(new MemoryStore(), files)
      expect(await values(memory)).toEqual(upTo((round - 1) * 3))
      expect((await memory.health()).restored?.wasEmpty).toBe(round > 1 ? true : undefined)
      await say(memory, (round - 1) * 3 + 1, round * 3)
      if (round % 2 === 0) await memory.checkpoint()
      await memory.close()
    }
  })

  test('two replicas: the union of both logs', async () => {
    const store = new MemoryStore()
    const files = new MemoryFiles()
    const [one, two] = [await open(store, files), await open(store, files)]
    for (let i = 1; i <= 10; i++) await say(i % 2 === 0 ? one : two, i, i)
    await one.close()
    // The second is killed: it lets nothing go, and its log stays held until the process is gone.
    files.held.clear()
    expect(await values(await open(new MemoryStore(), files))).toEqual(upTo(10))
  })

  test('without readable mirrors it is STORE_LOST, and nothing is written', async () => {
    const files = new MemoryFiles()
    const memory = await open(new MemoryStore(), files)
    await say(memory, 1, 3)
    await memory.close()
    for (const [name, bytes] of files.files) if (name.startsWith('log')) bytes.fill(0xff, 40)
    const store = new MemoryStore()
    await expect(open(store, files)).rejects.toMatchObject({ code: 'STORE_LOST' })
    expect([store.entries.size, store.generation, store.meta.size]).toEqual([0, 0, 0])
    await expect(open(store, files)).rejects.toMatchObject({ code: 'STORE_LOST' })
    const anew = await open(store, files, { ifLost: 'startNew' })
    expect(await values(anew)).toEqual([])
    await say(anew, 1, 1)
    await anew.close()
    expect(await values(await open(store, files))).toEqual([1])
  })

  test('known only by its id, it is STORE_LOST', async () => {
    const store = new MemoryStore()
    const opening = openService({ journal: new MemoryJournal(store), atRest: DEVICE, knownStoreId: 'an id' })
    await expect(opening).rejects.toMatchObject({ code: 'STORE_LOST' })
    expect(store.meta.size).toBe(0)
  })

  test('locked by a passphrase, it asks for it, and comes back with it', async () => {
    const files = new MemoryFiles()
    const atRest = { kind: 'passphrase', passphrase: 'correct horse' } as const
    const memory = await open(new MemoryStore(), files, { atRest })
    await say(memory, 1, 4)
    await memory.close()
    const store = new MemoryStore()
    await expect(openService({ journal: new MemoryJournal(store), mirror: new MemoryPlace(files) })).rejects.toSatisfy(
      (error: unknown) => MemoryError.is(error, 'KEY_NEEDED') || MemoryError.is(error, 'STORE_LOST'),
    )
    await expect(open(store, files)).rejects.toMatchObject({ code: 'KEY_NEEDED' })
    await expect(open(store, files, { atRest: { kind: 'passphrase', passphrase: 'battery' } })).rejects.toMatchObject({
      code: 'KEY_WRONG',
    })
    expect(await values(await open(store, files, { atRest }))).toEqual(upTo(4))
  })
})

test('a journal that lost only its end takes it back', async () => {
  const store = new MemoryStore()
  const files = new MemoryFiles()
  const memory = await open(store, files)
  await say(memory, 1, 4)
  await memory.checkpoint()
  await say(memory, 5, 8)
  await memory.close()
  for (const seq of [...store.entries.keys()].toSorted((a, b) => b - a).slice(0, 3)) store.entries.delete(seq)
  const back = await open(store, files)
  expect(await values(back)).toEqual(upTo(8))
  expect((await back.health()).restored).toEqual({ wasEmpty: false, entries: 3, damaged: 0 })
})

test('a journal of which no generation can be read takes the base from the mirror, and the commits from everywhere', async () => {
  const store = new MemoryStore()
  const files = new MemoryFiles()
  const memory = await open(store, files)
  await say(memory, 1, 4)
  await memory.checkpoint()
  await say(memory, 5, 8)
  await memory.close()
  for (const { segments } of store.generations.values()) for (const segment of segments) segment.fill(0)
  // And one of the entries behind the base.
  store.entries.delete(Math.max(...store.entries.keys()) - 1)
  const back = await open(store, files)
  expect(await values(back)).toEqual(upTo(8))
  expect((await back.health()).restored).toEqual({ wasEmpty: true, entries: 1, damaged: 0 })
  expect((await back.health()).generation).toBe(2)
  await say(back, 9, 9)
  await back.close()
  const again = await open(store, files)
  expect(await values(again)).toEqual(upTo(9))
  expect(await again.health()).toMatchObject({ quarantine: [] })
})

test('a journal that went back behind a base that the mirror holds takes that base', async () => {
  const store = new MemoryStore()
  const files = new MemoryFiles()
  const memory = await open(store, files)
  await say(memory, 1, 4)
  await memory.checkpoint()
  const { entries, generations, meta, keyring, generation, floor } = store
  const earlier = structuredClone({ entries, generations, meta, keyring, generation, floor })
  await say(memory, 5, 8)
  await memory.rekey()
  await say(memory, 9, 10)
  await memory.close()
  for (const same of [true, false]) {
    const older = Object.assign(new MemoryStore(), structuredClone(earlier))
    // With the keyring of then, or with none: the mirror has the one of now.
    if (!same) older.keyring = undefined
    const copies = new MemoryFiles()
    for (const [name, bytes] of files.files) copies.files.set(name, bytes)
    const back = await open(older, copies)
    expect(await values(back)).toEqual(upTo(10))
    expect((await back.health()).restored).toMatchObject({ wasEmpty: true, damaged: 0 })
    await say(back, 11, 12)
    await back.close()
    expect(await values(await open(older, copies))).toEqual(upTo(12))
  }
})

test('what was not mirrored when its tab died is mirrored before the next tab acknowledges anything', async () => {
  const store = new MemoryStore()
  const files = new MemoryFiles()
  await (await open(store, files)).close()
  // Without its mirror, as if it had died before it came to it.
  const service = await openService({ journal: new MemoryJournal(store), atRest: DEVICE })
  await say(createClient(localTransport(service)), 1, 5)
  await service.close()
  await open(store, files)
  // The process dies as soon as it has opened.
  files.held.clear()
  expect(await values(await open(new MemoryStore(), files))).toEqual(upTo(5))
})

test('a log in which nothing was written yet restores to nothing; it is no damage', async () => {
  const files = new MemoryFiles()
  const memory = await open(new MemoryStore(), files)
  await say(memory, 1, 1)
  await memory.close()
  for (const [name, bytes] of files.files)
    if (name.startsWith('log')) files.files.set(name, bytes.subarray(0, 12 + new DataView(bytes.buffer).getUint32(0, true)))
  const back = await open(new MemoryStore(), files)
  expect(await values(back)).toEqual([])
  expect((await back.health()).restored).toEqual({ wasEmpty: true, entries: 0, damaged: 0 })
})

test('a half-written line at the end of a log costs that line alone', async () => {
  const files = new MemoryFiles()
  const memory = await open(new MemoryStore(), files)
  await say(memory, 1, 4)
  await memory.close()
  const [name, bytes] = [...files.files].find(([file]) => file.startsWith('log')) ?? ['', new Uint8Array(0)]
  files.files.set(name, bytes.subarray(0, -7))
  const back = await open(new MemoryStore(), files)
  expect(await values(back)).toEqual(upTo(3))
  expect((await back.health()).restored).toMatchObject({ wasEmpty: true, damaged: 1 })
})

test('a base that covers them replaces the logs of tabs that are gone', async () => {
  const store = new MemoryStore()
  const files = new MemoryFiles()
  for (let round = 0; round < 5; round++) {
    const memory = await open(store, files)
    await say(memory, round * 2 + 1, round * 2 + 2)
    await memory.close()
  }
  expect([...files.files.keys()].filter(name => name.startsWith('log')).length).toBe(5)
  const memory = await open(store, files)
  await memory.rekey()
  await memory.close()
  expect([...files.files.keys()].map(name => name.split('-')[0]).toSorted()).toEqual(['base', 'identity', 'keyring', 'whole'])
  expect(await values(await open(new MemoryStore(), files))).toEqual(upTo(10))
})
