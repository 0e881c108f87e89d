/**
 * Commits of several entries, and storages that are wiped: what comes back from the mirror is all of a commit, or nothing of it
 * and then all of it once it is said again.
 */
import { describe, expect, test, vi } from 'vitest'
import { createClient } from '../../src/client.ts'
import { MemoryError } from '../../src/errors.ts'
import { MemoryJournal, MemoryStore } from '../../src/journal/memory-journal.ts'
import type { AppendOutcome, StoredEntry } from '../../src/journal/port.ts'
import { localTransport } from '../../src/local-transport.ts'
import type { Memory } from '../../src/memory.ts'
import { readFrames } from '../../src/mirror/frames.ts'
import { MemoryFiles, MemoryPlace } from '../../src/mirror/memory-place.ts'
import type { MirrorFile } from '../../src/mirror/port.ts'
import { findBases } from '../../src/mirror/read-mirror.ts'
import { openService } from '../../src/service.ts'

// No two records share an entry, and the commit below is more than one append.
vi.mock('../../src/journal/limits.ts', () => ({ ENTRY_BYTES: 150, APPEND_BYTES: 700 }))

const IDS = ['e1', 'e2', 'e3', 'e4', 'e5']
/** One entry for each episode, and one for the key. */
const PARTS = IDS.length + 1
const EVERY_PART = Array.from({ length: PARTS }, (_, i) => i + 1)
const KEY = 'the import'

/** Says what was appended, and is gone from some append on. */
class CutJournal extends MemoryJournal {
  /** Appends that it still takes. */
  left = Infinity
  appended = 0
  after: (appended: number) => Promise<void> = () => Promise.resolve()

  override async append(entries: readonly StoredEntry[]): Promise<AppendOutcome> {
    if (this.appended === this.left) throw new MemoryError('STORE_UNAVAILABLE', 'gone', { reason: 'gone' })
    const outcome = await super.append(entries)
    this.appended += 1
    await this.after(this.appended)
    return outcome
  }
}

/** A place of which one append of a log fails after half of its bytes: the log is left, and a new one begun. */
class TearingPlace extends MemoryPlace {
  /** Appends to logs before that. */
  left = Infinity

  override async create(name: string): Promise<MirrorFile> {
    const file = await super.create(name)
    if (!name.startsWith('log')) return file
    return {
      append: async (bytes, options) => {
        this.left -= 1
        await file.append(this.left === 0 ? bytes.subarray(0, bytes.length >> 1) : bytes, options)
        if (this.left === 0) throw new MemoryError('NOT_STORED', 'torn', { reason: 'torn' })
      },
      close: () => file.close(),
    }
  }
}

interface Opened {
  readonly memory: Memory
  readonly journal: CutJournal
}

async function open(store: MemoryStore, place: MemoryPlace): Promise<Opened> {
  const journal = new CutJournal(store)
  const service = await openService({ journal, mirror: place, atRest: { kind: 'device' }, durability: 'mirrored' })
  return { memory: createClient(localTransport(service)), journal }
}

/** As after a wipe, and after the death of every process before. */
async function restored(files: MemoryFiles): Promise<Memory> {
  files.held.clear()
  const { memory } = await open(new MemoryStore(), new MemoryPlace(files))
  expect(await memory.health()).toMatchObject({ restored: { wasEmpty: true }, quarantine: [] })
  return memory
}

async function say(memory: Memory, attribute: string): Promise<void> {
  await memory.tenant('home', { actor: 'user' }).assert({ subject: 'me', attribute, value: 1 })
}

function writeLong(memory: Memory): Promise<unknown> {
  return memory.tenant('home').batch(
    batch => {
      for (const id of IDS) batch.record({ id, text: `the text of ${id}`, author: 'user' })
    },
    { key: KEY },
  )
}

async function held(memory: Memory): Promise<{ episodes: string[]; facts: string[]; staged: unknown }> {
  const mine = memory.tenant('home')
  const { episodes } = await mine.episodes({ limit: 100 })
  const { facts } = await mine.facts({ limit: 100 })
  const [parts] = await memory.query('select count(*) as n from staged_part')
  return {
    episodes: episodes.map(({ id }) => id).toSorted(),
    facts: facts.map(({ attribute }) => attribute).toSorted(),
    staged: parts?.['n'],
  }
}

/** Said again it is there once, and so it stays, also when the storage is wiped again. */
async function expectOnceSaidAgain(memory: Memory, files: MemoryFiles, facts: readonly string[]): Promise<void> {
  // The parts of the try that was cut off stay for a day, and mean nothing.
  const whole = { episodes: IDS, facts }
  for (const time of ['first', 'second']) {
    await writeLong(memory)
    expect(await held(memory), time).toMatchObject(whole)
  }
  await memory.close()
  const back = await restored(files)
  expect(await held(back)).toMatchObject(whole)
  expect(await back.query('select * from pragma_integrity_check')).toEqual([{ integrity_check: 'ok' }])
  await back.close()
}

describe.each(['in the log', 'folded into a base'])('parts that are %s of the mirror', where => {
  test.each(EVERY_PART)(`with %i of ${PARTS}: nothing before the last`, async stored => {
    const [files, store] = [new MemoryFiles(), new MemoryStore()]
    const { memory, journal } = await open(store, new MemoryPlace(files))
    await say(memory, 'before')
    journal.left = journal.appended + stored
    const isWhole = stored === PARTS
    if (isWhole) await writeLong(memory)
    else await expect(writeLong(memory)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(journal.appended).toBe(1 + stored)
    if (where !== 'in the log') {
      files.held.clear()
      const { memory: next } = await open(store, new MemoryPlace(files))
      await next.checkpoint()
      await next.close()
      expect(await findBases(new MemoryPlace(files))).toMatchObject([{ floor: 1 + stored }])
    }
    const back = await restored(files)
    expect(await held(back)).toEqual({ episodes: isWhole ? IDS : [], facts: ['before'], staged: isWhole ? 0 : stored })
    await expectOnceSaidAgain(back, files, ['before'])
  })
})

describe('parts of one commit in two places', () => {
  /** How many entries each log holds. */
  const logged = (files: MemoryFiles): number[] =>
    [...files.files].filter(([name]) => name.startsWith('log')).map(([, bytes]) => readFrames(bytes).frames.length - 1)

  test.each(EVERY_PART.slice(0, -1))('the log is left after %i of them: whole', async first => {
    const files = new MemoryFiles()
    const place = new TearingPlace(files)
    const { memory } = await open(new MemoryStore(), place)
    await say(memory, 'before')
    place.left = first + 1
    await writeLong(memory)
    expect(logged(files)).toEqual([1 + first, PARTS - first])
    expect((await memory.health()).mirror).toMatchObject({ state: 'current' })
    const back = await restored(files)
    expect(await held(back)).toEqual({ episodes: IDS, facts: ['before'], staged: 0 })
    await expectOnceSaidAgain(back, files, ['before'])
  })

  test.each(EVERY_PART.slice(0, -1))('this tab copies a base after %i of them: whole', async first => {
    const files = new MemoryFiles()
    const { memory } = await open(new MemoryStore(), new MemoryPlace(files))
    await say(memory, 'before')
    // Asked for as soon as the part is there, so that it is the next that is done.
    let copying: Promise<void> | undefined
    memory.on(event => {
      if (event.type === 'changed' && event.head === 1 + first) copying = memory.checkpoint()
    })
    await writeLong(memory)
    await copying
    // The log went with the base: no part stands in both.
    expect(await findBases(new MemoryPlace(files))).toMatchObject([{ floor: 1 + first }])
    expect(logged(files)).toEqual([PARTS - first])
    const back = await restored(files)
    expect(await held(back)).toEqual({ episodes: IDS, facts: ['before'], staged: 0 })
    await expectOnceSaidAgain(back, files, ['before'])
  })

  test.each(EVERY_PART)('another tab copies a base before part %i is in the log: whole', async next => {
    const [files, store] = [new MemoryFiles(), new MemoryStore()]
    const { memory, journal } = await open(store, new MemoryPlace(files))
    await say(memory, 'before')
    journal.after = async appended => {
      if (appended !== 1 + next) return
      const { memory: other } = await open(store, new MemoryPlace(files))
      await other.checkpoint()
      await other.close()
    }
    await writeLong(memory)
    expect(await findBases(new MemoryPlace(files))).toMatchObject([{ floor: 1 + next }])
    const back = await restored(files)
    expect(await held(back)).toEqual({ episodes: IDS, facts: ['before'], staged: 0 })
    await expectOnceSaidAgain(back, files, ['before'])
  })
})

test.each(EVERY_PART)('part %i is damaged in the log: no half effect, it is counted, and the rest is there', async damaged => {
  const files = new MemoryFiles()
  const { memory } = await open(new MemoryStore(), new MemoryPlace(files))
  await say(memory, 'before')
  await writeLong(memory)
  await say(memory, 'after')
  await memory.close()
  const [bytes = new Uint8Array(0)] = [...files.files].filter(([name]) => name.startsWith('log')).map(([, log]) => log)
  // Behind the header and what was said before.
  const payload = readFrames(bytes).frames[1 + damaged] as Uint8Array
  payload[20] = (payload[20] ?? 0) ^ 1
  const back = await restored(files)
  // One entry for each thing that was said.
  expect((await back.health()).restored).toEqual({ wasEmpty: true, entries: PARTS - 1 + 2, damaged: 1 })
  expect(await held(back)).toEqual({ episodes: [], facts: ['after', 'before'], staged: PARTS - 1 })
  await expectOnceSaidAgain(back, files, ['after', 'before'])
})
