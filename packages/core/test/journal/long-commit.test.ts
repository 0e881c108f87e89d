/** Commits larger than one append: parts in the journal, without effect before the last. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from '../../src/client.ts'
import { MemoryError } from '../../src/errors.ts'
import { decodeEntry, type Entry } from '../../src/journal/entry.ts'
import { MemoryJournal, MemoryStore } from '../../src/journal/memory-journal.ts'
import type { AppendOutcome, StoredEntry } from '../../src/journal/port.ts'
import { localTransport } from '../../src/local-transport.ts'
import type { Memory } from '../../src/memory.ts'
import { openService } from '../../src/service.ts'

/** 72 episodes of 250 kB: about 18 MB, five or six entries. */
const EPISODES = 72
const TEXT = 'long '.repeat(50_000)

class HookedJournal extends MemoryJournal {
  before: (entry: Entry) => void | Promise<void> = () => undefined

  override async append(entries: readonly StoredEntry[]): Promise<AppendOutcome> {
    for (const { seq, bytes } of entries) {
      const decoded = decodeEntry(seq, bytes)
      if ('entry' in decoded) await this.before(decoded.entry)
    }
    return super.append(entries)
  }
}

async function open(store: MemoryStore): Promise<{ memory: Memory; journal: HookedJournal }> {
  const journal = new HookedJournal(store)
  return { memory: createClient(localTransport(await openService({ journal }))), journal }
}

/** Episodes that get their ids with every call: said twice, they would be there twice. */
async function writeUnnamed(memory: Memory, key: string): Promise<readonly string[]> {
  const recorded = await memory.tenant('home').batch(
    batch => {
      for (let i = 0; i < EPISODES; i++) batch.record({ text: TEXT, author: 'user' })
    },
    { key },
  )
  return recorded.map(({ id }) => id)
}

function writeLong(memory: Memory, options: { key?: string; signal?: AbortSignal } = {}): Promise<unknown> {
  return memory.tenant('home').batch(batch => {
    for (let i = 0; i < EPISODES; i++) batch.record({ id: `long-${i}`, text: TEXT, author: 'user' })
  }, options)
}

async function episodes(memory: Memory): Promise<string[]> {
  const { episodes: found } = await memory.tenant('home').episodes({ limit: 1000 })
  return found.map(({ id }) => id)
}

const staged = async (memory: Memory): Promise<unknown> => (await memory.query('select count(*) as n from staged_part'))[0]?.['n']

test('a commit of 18 MB is several entries under one id, and whole', async () => {
  const store = new MemoryStore()
  const { memory, journal } = await open(store)
  const entries: Entry[] = []
  journal.before = entry => void entries.push(entry)
  await writeLong(memory)
  expect(entries.length).toBeGreaterThan(4)
  expect(new Set(entries.map(({ commit, attempt }) => `${commit} ${attempt}`)).size).toBe(1)
  expect(entries.map(({ part }) => part)).toEqual(entries.map((_, i) => i + 1))
  expect((await episodes(memory)).length).toBe(EPISODES)
  expect(await staged(memory)).toBe(0)
  const { memory: fresh } = await open(store)
  expect((await episodes(fresh)).length).toBe(EPISODES)
})

test('cut off after any part it has no effect, and folding the parts in changes nothing; said again it is there once', async () => {
  for (const cutAt of [1, 4]) {
    const store = new MemoryStore()
    const { memory, journal } = await open(store)
    // The process is gone: nothing that it tries reaches the journal any more.
    journal.before = ({ part }) => {
      if (part > cutAt || part === 0) throw new MemoryError('STORE_UNAVAILABLE', 'gone', { reason: 'gone' })
    }
    await expect(writeLong(memory, { key: 'the import' })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    const { memory: next } = await open(store)
    expect(await episodes(next)).toEqual([])
    expect(await staged(next)).toBe(cutAt)
    await next.checkpoint()
    await next.close()
    const { memory: again } = await open(store)
    expect(await episodes(again)).toEqual([])
    await writeLong(again, { key: 'the import' })
    expect((await episodes(again)).length).toBe(EPISODES)
    await writeLong(again, { key: 'the import' })
    expect((await episodes(again)).length).toBe(EPISODES)
  }
})

test('the parts that were folded into an image are completed by the last one', async () => {
  const store = new MemoryStore()
  const [{ memory: writer, journal }, { memory: folder }] = [await open(store), await open(store)]
  journal.before = async ({ part }) => {
    if (part === 4) await folder.checkpoint()
  }
  await writeLong(writer)
  expect((await folder.health()).generation).toBe(1)
  await expect.poll(async () => (await episodes(folder)).length).toBe(EPISODES)
  const { memory: fresh } = await open(store)
  expect((await episodes(fresh)).length).toBe(EPISODES)
  expect((await fresh.health()).quarantine).toEqual([])
})

test('short writes, here and in another replica, go in between: neither waits for the other', async () => {
  const store = new MemoryStore()
  const [{ memory: one, journal }, { memory: two }] = [await open(store), await open(store)]
  const order: string[] = []
  const short: Promise<unknown>[] = []
  const say = (memory: Memory, name: string): Promise<unknown> =>
    memory
      .tenant('home')
      .assert({ subject: 'me', attribute: name, value: 1 })
      .then(() => order.push(name))
  let last = 0
  journal.before = async ({ part, parts }) => {
    // The next try of a part that collided is left alone.
    if (parts === 1 || part === last) return
    last = part
    short.push(say(one, `one-${part}`))
    await say(two, `two-${part}`)
  }
  await writeLong(one).then(() => order.push('long'))
  await Promise.all(short)
  // Each short write of this replica was done before the part after the next.
  expect(order.indexOf('one-1')).toBeLessThan(order.indexOf('two-3'))
  expect(order.indexOf('one-2')).toBeLessThan(order.indexOf('long'))
  const { memory: fresh } = await open(store)
  expect((await episodes(fresh)).length).toBe(EPISODES)
  expect((await fresh.tenant('home').facts({ limit: 1000 })).facts.length).toBe(order.length - 1)
})

test('aborted between two parts it says ABORTED, nothing is there, and the parts are given up', async () => {
  const store = new MemoryStore()
  const { memory, journal } = await open(store)
  const abort = new AbortController()
  journal.before = ({ part }) => {
    if (part === 3) abort.abort()
  }
  await expect(writeLong(memory, { signal: abort.signal })).rejects.toMatchObject({ code: 'ABORTED' })
  expect(await episodes(memory)).toEqual([])
  expect(await staged(memory)).toBe(0)
  const { memory: fresh } = await open(store)
  expect(await episodes(fresh)).toEqual([])
  expect(await staged(fresh)).toBe(0)
})

test('close waits for it', async () => {
  const store = new MemoryStore()
  const { memory } = await open(store)
  const writing = writeLong(memory)
  await memory.close()
  await writing
  const { memory: fresh } = await open(store)
  expect((await episodes(fresh)).length).toBe(EPISODES)
})

test('asked for in two tabs at once under one key it is there once, and both get the one answer', async () => {
  const store = new MemoryStore()
  const { memory: one } = await open(store)
  const { memory: other } = await open(store)
  const answers = await Promise.all([writeUnnamed(one, 'the import'), writeUnnamed(other, 'the import')])
  expect(answers[0]).toEqual(answers[1])
  for (const memory of [one, other, (await open(store)).memory]) {
    expect((await episodes(memory)).toSorted()).toEqual(answers[0]?.toSorted())
    expect(await staged(memory)).toBe(0)
  }
})

test('parts that another tab takes for abandoned are written again, and only then is it acknowledged', async () => {
  const store = new MemoryStore()
  const { memory, journal } = await open(store)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  let isFrozen = false
  journal.before = async ({ part }) => {
    if (part !== 3 || isFrozen) return
    isFrozen = true
    // Another one folds the parts in; two days later the next takes them for those of a tab that has gone.
    const { memory: folding } = await open(store)
    await folding.checkpoint()
    await folding.close()
    vi.setSystemTime(Date.now() + 2 * 24 * 60 * 60 * 1000)
    const { memory: other } = await open(store)
    while ((await staged(other)) !== 0) await new Promise(resolve => void setImmediate(resolve))
    await other.close()
  }
  await writeLong(memory)
  expect(isFrozen).toBe(true)
  for (const each of [memory, (await open(store)).memory]) {
    expect((await episodes(each)).length).toBe(EPISODES)
    expect(await staged(each)).toBe(0)
  }
})
