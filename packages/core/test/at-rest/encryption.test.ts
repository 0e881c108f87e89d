/** Encryption at rest, through the front door: what the journal holds, who can open it, and what changes of keys leave. */
import { describe, expect, test } from 'vitest'
import type { AtRest } from '../../src/at-rest/lock.ts'
import { createClient } from '../../src/client.ts'
import { MemoryJournal, MemoryStore } from '../../src/journal/memory-journal.ts'
import { localTransport } from '../../src/local-transport.ts'
import type { Memory } from '../../src/memory.ts'
import { openService } from '../../src/service.ts'

const CANARY = 'a canary that sings in the clear'
const DEVICE: AtRest = { kind: 'device' }
const OFF: AtRest = { kind: 'off' }
const PHRASE: AtRest = { kind: 'passphrase', passphrase: 'correct horse' }
const KEY: AtRest = { kind: 'key', key: Uint8Array.from({ length: 32 }, (_, i) => i) }

async function open(store: MemoryStore, atRest?: AtRest): Promise<Memory> {
  const journal = new MemoryJournal(store)
  // An engine that keeps nothing is not encrypted unless it is asked for; this one stands for one that keeps.
  Object.defineProperty(journal, 'engine', { value: 'directory' })
  return createClient(localTransport(await openService({ journal, ...(atRest === undefined ? {} : { atRest }) })))
}

async function fill(memory: Memory, from = 1): Promise<void> {
  const mine = memory.tenant('home', { actor: 'user' })
  for (let i = from; i < from + 3; i++) await mine.assert({ subject: 'me', attribute: `a${i}`, value: `${CANARY} ${i}` })
}

/** Everything that the journal holds, keyring aside. */
function blobs(store: MemoryStore): Uint8Array[] {
  const images = [...store.generations.values()].flatMap(({ segments, deltas }) => [...segments, ...deltas])
  return [...store.entries.values(), ...images]
}

const showsCanary = (store: MemoryStore): boolean => blobs(store).some(bytes => Buffer.from(bytes).includes(CANARY))

async function count(memory: Memory): Promise<number> {
  return (await memory.tenant('home').facts({ limit: 1000 })).facts.length
}

async function written(atRest?: AtRest): Promise<MemoryStore> {
  const store = new MemoryStore()
  const memory = await open(store, atRest)
  // Large enough for the next checkpoint to be a delta.
  for (let i = 0; i < 3; i++) await memory.tenant('home').record({ text: 'x'.repeat(200_000), author: 'user' })
  await memory.checkpoint()
  await fill(memory)
  await memory.checkpoint()
  await fill(memory, 4)
  await memory.close()
  expect(store.generations.get(1)?.deltas.length).toBe(1)
  return store
}

describe('what stands in the journal', () => {
  test('is encrypted unless that is turned off: entries, base and delta', async () => {
    expect(showsCanary(await written(OFF))).toBe(true)
    for (const lock of [undefined, DEVICE, PHRASE, KEY]) {
      const store = await written(lock)
      expect(showsCanary(store)).toBe(false)
      const memory = await open(store, lock)
      expect(await count(memory)).toBe(6)
      expect((await memory.health()).atRest).toEqual({ kind: lock?.kind ?? 'device', isChanging: false })
    }
  })

  test('does not open at another place, nor changed by one bit', async () => {
    const store = await written()
    const [first, second] = [store.entries.get(7), store.entries.get(8)]
    if (first === undefined || second === undefined) throw new Error('entries 7 and 8 are there')
    store.entries.set(7, second)
    store.entries.set(8, first)
    const last = store.entries.get(9)?.slice() ?? new Uint8Array(0)
    last[last.length - 1] = (last.at(-1) ?? 0) ^ 1
    store.entries.set(9, last)
    const memory = await open(store)
    expect((await memory.health()).quarantine.map(({ what }) => what)).toEqual(['entry 7', 'entry 8', 'entry 9'])
    expect(await count(memory)).toBe(3)
  })

  test('bytes that nobody encrypted are not believed', async () => {
    const plain = await written(OFF)
    const store = await written()
    // An entry of a store without encryption, put in the place of the last one.
    store.entries.set(9, plain.entries.get(9) ?? new Uint8Array(0))
    const memory = await open(store)
    expect((await memory.health()).quarantine.map(({ what }) => what)).toEqual(['entry 9'])
  })
})

describe('a store that does not open', () => {
  test.each([
    ['a wrong passphrase', PHRASE, { kind: 'passphrase', passphrase: 'battery staple' }, 'KEY_WRONG'],
    ['no passphrase', PHRASE, undefined, 'KEY_NEEDED'],
    ['a key instead of the passphrase', PHRASE, KEY, 'KEY_WRONG'],
    ['a wrong key', KEY, { kind: 'key', key: new Uint8Array(32) }, 'KEY_WRONG'],
    ['no key', KEY, undefined, 'KEY_NEEDED'],
    ['a passphrase for a device lock', DEVICE, PHRASE, 'KEY_WRONG'],
    ['a passphrase where nothing is encrypted', OFF, PHRASE, 'KEY_WRONG'],
  ] as const)('%s: a typed error, and nothing changes', async (_what, lock, tried, code) => {
    const store = await written(lock)
    const before = structuredClone({ entries: store.entries, keyring: await new MemoryJournal(store).readKeyring() })
    await expect(open(store, tried)).rejects.toMatchObject({ code })
    expect({ entries: store.entries, keyring: await new MemoryJournal(store).readKeyring() }).toEqual(before)
    expect(await count(await open(store, lock))).toBe(6)
  })

  test('a keyring with one changed byte is KEY_DAMAGED, one that is gone KEY_MISSING; neither resets the store', async () => {
    const store = await written()
    const keyring = await new MemoryJournal(store).readKeyring()
    if (keyring === undefined) throw new Error('there is a keyring')
    const damaged = keyring.bytes.slice()
    damaged[100] = (damaged[100] ?? 0) ^ 0x10
    const journal = new MemoryJournal(store)
    expect(await journal.writeKeyring({ revision: 2, bytes: damaged })).toBe(true)
    const size = store.entries.size
    await expect(open(store)).rejects.toMatchObject({ code: 'KEY_DAMAGED' })
    store.keyring = undefined
    await expect(open(store)).rejects.toMatchObject({ code: 'KEY_MISSING' })
    expect(store.entries.size).toBe(size)
    await journal.writeKeyring({ revision: 1, bytes: keyring.bytes })
    expect(await count(await open(store))).toBe(6)
  })

  test.each([{ kind: 'passphrase', passphrase: '' }, { kind: 'key', key: new Uint8Array(31) }, { kind: 'sealing wax' }])(
    '%o is INVALID_ARGUMENT',
    async atRest => {
      await expect(open(new MemoryStore(), atRest as AtRest)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    },
  )
})

describe('a change of keys', () => {
  const LOCKS = [DEVICE, OFF, PHRASE, KEY]

  test.each(LOCKS.flatMap(from => LOCKS.map(to => [from.kind, to.kind, from, to] as const)))(
    'from %s to %s: everything is rewritten, and opens with the new lock alone',
    async (_from, _to, from, to) => {
      const store = await written(from)
      const old = new Set(blobs(store).map(bytes => Buffer.from(bytes).toString('hex')))
      const memory = await open(store, from)
      await memory.rekey(to)
      await fill(memory, 7)
      expect(await count(memory)).toBe(9)
      await memory.close()
      expect(blobs(store).filter(bytes => old.has(Buffer.from(bytes).toString('hex')))).toEqual([])
      expect(showsCanary(store)).toBe(to.kind === 'off')
      const again = await open(store, to)
      expect(await count(again)).toBe(9)
      expect((await again.health()).atRest).toEqual({ kind: to.kind, isChanging: false })
      if (from.kind === 'passphrase' && to.kind !== 'passphrase')
        await expect(open(store, from)).rejects.toMatchObject({ code: 'KEY_WRONG' })
    },
  )

  test('another replica that is open goes on, before, during and after', async () => {
    const store = new MemoryStore()
    const [one, two] = [await open(store), await open(store)]
    await fill(one)
    await fill(two, 4)
    const writing = (async (): Promise<void> => {
      for (let i = 0; i < 30; i++) await two.tenant('home').assert({ subject: 'two', attribute: `b${i}`, value: i })
    })()
    for (let i = 0; i < 5; i++) await one.rekey()
    await writing
    await two.rekey()
    await fill(one, 7)
    expect(await count(one)).toBe(39)
    await expect.poll(() => count(two)).toBe(39)
    const fresh = await open(store)
    expect(await count(fresh)).toBe(39)
    expect((await fresh.health()).quarantine).toEqual([])
  })

  test('both at once, again and again: no key is dropped that something is still under', async () => {
    for (let round = 0; round < 40; round++) {
      const store = new MemoryStore()
      const [one, two] = [await open(store), await open(store)]
      await Promise.all([one.rekey(), two.rekey(), fill(one, 4), fill(two, 7)])
      const fresh = await open(store)
      expect(await count(fresh)).toBe(6)
      expect((await fresh.health()).quarantine).toEqual([])
    }
  })
})

test('a store that was written before there was encryption is rewritten, and everything stays', async () => {
  const store = new MemoryStore()
  const journal = new MemoryJournal(store)
  const plain = createClient(localTransport(await openService({ journal })))
  await fill(plain)
  await plain.checkpoint()
  await fill(plain, 4)
  await plain.close()
  expect(showsCanary(store)).toBe(true)
  const memory = await open(store)
  expect(await count(memory)).toBe(6)
  await expect.poll(async () => (await memory.health()).atRest.isChanging).toBe(false)
  expect(showsCanary(store)).toBe(false)
  await memory.close()
  expect(await count(await open(store))).toBe(6)
})
