/** Bytes that change or go after a store was closed: what is not hit is there, what is hit is reported by name. */
import { MemoryError, type Memory } from '@palimpsest/core'
import { basename } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { failure, watchedDisk } from '../journal/disks.ts'
import { memoryDisk } from '../journal/memory-disk.ts'
import { closedStore, entriesIn, flipped, namesOf, withFile, type ClosedStore, type Files } from './closed-store.ts'
import { commit, DIRECTORY, expectIntact, numbersIn, openOn, quarantineOf, upTo } from './numbered.ts'
import { FULL, keepFigures } from '../../../../test/support/size.ts'

// Many bytes, and the store is opened for each.
if (FULL) vi.setConfig({ testTimeout: 3_600_000 })

let damages = 0
keepFigures('damage', () => ({ damages }))

interface Found {
  /** The commits that are there; undefined where the store was refused. */
  readonly numbers: readonly number[] | undefined
  readonly quarantine: readonly { readonly what: string; readonly reason: string }[]
  readonly code: string | undefined
}

/** Opens, looks, and where it opens writes on and looks again. */
async function find(files: Files): Promise<Found> {
  damages += 1
  const disk = memoryDisk(files)
  let memory: Memory
  try {
    memory = await openOn(disk)
  } catch (error) {
    if (!MemoryError.is(error) || error.code === 'INTERNAL') throw error
    return { numbers: undefined, quarantine: [], code: error.code }
  }
  const numbers = await numbersIn(memory)
  const quarantine = await quarantineOf(memory)
  await expectIntact(memory)
  await commit(memory, 5_000)
  await memory.checkpoint()
  await memory.close()
  const again = await openOn(disk)
  expect(await numbersIn(again), 'after writing on').toEqual([...numbers, 5_000])
  await again.close()
  return { numbers, quarantine, code: undefined }
}

/** Bytes of a file: all of what is short, some of what is long. */
function offsetsIn(sizeBytes: number): number[] {
  const count = FULL ? 400 : 7
  return [...new Set(Array.from({ length: count }, (_, i) => Math.floor((i * (sizeBytes - 1)) / (count - 1))))]
}

const COMMITS = 14
let store: ClosedStore

beforeAll(async () => {
  // A base, two deltas, and a tail in two files.
  store = await closedStore(COMMITS, [3, 6, 9], [11])
  expect(namesOf(store.files, 'base-1')).toHaveLength(2)
  expect(namesOf(store.files, 'delta-1')).toHaveLength(2)
  expect(store.floor).toBe(9)
})

test('nothing is reported where nothing is damaged', async () => {
  expect(await find(store.files)).toEqual({ numbers: upTo(COMMITS), quarantine: [], code: undefined })
})

describe('a byte that has changed', () => {
  test('in an entry costs that commit, and nothing where an image holds it', async () => {
    for (const name of namesOf(store.files, 'journal-')) {
      const bytes = store.files.get(name) as Uint8Array
      for (const { seq, from, to } of entriesIn(name, bytes)) {
        for (const offset of [from, from + 9, to - 1, ...offsetsIn(to - from).map(at => from + at)]) {
          const found = await find(withFile(store.files, name, flipped(bytes, offset)))
          const isFolded = seq <= store.floor
          expect(found.numbers, `entry ${seq}, byte ${offset}`).toEqual(upTo(COMMITS, isFolded ? [] : [seq]))
          if (!isFolded)
            expect(found.quarantine.map(({ what }) => what).join(), `entry ${seq}, byte ${offset}`).toContain(String(seq))
        }
      }
    }
  })

  test('in a delta costs nothing, and is reported', async () => {
    for (const name of namesOf(store.files, 'delta-')) {
      const bytes = store.files.get(name) as Uint8Array
      for (const offset of offsetsIn(bytes.length)) {
        const found = await find(withFile(store.files, name, flipped(bytes, offset)))
        expect(found.numbers, `${name}, byte ${offset}`).toEqual(upTo(COMMITS))
        expect(found.quarantine, `${name}, byte ${offset}`).toMatchObject([{ what: 'generation 1' }])
      }
    }
  })

  test('in the only base is never taken for a new store', async () => {
    for (const name of namesOf(store.files, 'base-')) {
      const bytes = store.files.get(name) as Uint8Array
      for (const offset of offsetsIn(bytes.length)) {
        const found = await find(withFile(store.files, name, flipped(bytes, offset)))
        // With the entries before it kept nothing would be lost; without them only an export helps.
        if (found.code === undefined) expect(found.numbers, `${name}, byte ${offset}`).toEqual(upTo(COMMITS))
        else expect(found.code).toBe('STORE_CORRUPT')
      }
    }
  })

  test('in either copy of meta.json costs nothing; in both it is never a new store', async () => {
    const bytes = store.files.get('meta.json') as Uint8Array
    for (const offset of offsetsIn(bytes.length)) {
      for (const name of ['meta.json', 'meta-copy.json']) {
        const found = await find(withFile(store.files, name, flipped(bytes, offset)))
        expect(found.numbers ?? found.code, `${name}, byte ${offset}`).toEqual(upTo(COMMITS))
      }
      const both = withFile(withFile(store.files, 'meta.json', flipped(bytes, offset)), 'meta-copy.json', flipped(bytes, offset))
      const found = await find(both)
      // White space means nothing.
      if (found.code === undefined) expect(found.numbers, `both, byte ${offset}`).toEqual(upTo(COMMITS))
      else expect(['STORE_CORRUPT', 'STORE_UNAVAILABLE']).toContain(found.code)
    }
  })
})

describe('a file that was cut or is gone', () => {
  const cutsOf = (bytes: Uint8Array): (Uint8Array | undefined)[] => [
    undefined,
    ...offsetsIn(bytes.length - 1).map(sizeBytes => bytes.slice(0, sizeBytes)),
  ]

  test('a delta: nothing is lost, and it is reported', async () => {
    for (const name of namesOf(store.files, 'delta-')) {
      for (const cut of cutsOf(store.files.get(name) as Uint8Array)) {
        const found = await find(withFile(store.files, name, cut))
        expect(found.numbers, `${name}, ${cut?.length} bytes left`).toEqual(upTo(COMMITS))
        expect(found.quarantine).toMatchObject([{ what: 'generation 1' }])
      }
    }
  })

  test('a base: never a new store', async () => {
    for (const name of namesOf(store.files, 'base-')) {
      for (const cut of cutsOf(store.files.get(name) as Uint8Array)) {
        const found = await find(withFile(store.files, name, cut))
        if (found.code === undefined) expect(found.numbers).toEqual(upTo(COMMITS))
        else expect(found.code).toBe('STORE_CORRUPT')
      }
    }
  })

  test('one copy of meta.json: nothing is lost', async () => {
    for (const name of ['meta.json', 'meta-copy.json']) {
      for (const cut of cutsOf(store.files.get(name) as Uint8Array)) {
        const found = await find(withFile(store.files, name, cut))
        expect(found.numbers ?? found.code, `${name}, ${cut?.length} bytes left`).toEqual(upTo(COMMITS))
      }
    }
  })

  test('a journal file that is not the last: exactly what it lost is missing and reported', async () => {
    const name = namesOf(store.files, 'journal-').at(-2) as string
    const bytes = store.files.get(name) as Uint8Array
    for (const cut of cutsOf(bytes)) {
      const found = await find(withFile(store.files, name, cut))
      const lost = entriesIn(name, bytes)
        .filter(({ to }) => to >= (cut?.length ?? 0))
        .map(({ seq }) => seq)
      const where = `${cut?.length} bytes left`
      expect(found.numbers, where).toEqual(
        upTo(
          COMMITS,
          lost.filter(seq => seq > store.floor),
        ),
      )
      if (lost.some(seq => seq > store.floor)) expect(found.quarantine.length, where).toBeGreaterThan(0)
    }
  })

  test('the last journal file: exactly what it lost is missing and reported', async () => {
    const name = namesOf(store.files, 'journal-').at(-1) as string
    const bytes = store.files.get(name) as Uint8Array
    for (const cut of cutsOf(bytes)) {
      const found = await find(withFile(store.files, name, cut))
      const lost = entriesIn(name, bytes)
        .filter(({ to }) => to >= (cut?.length ?? 0))
        .map(({ seq }) => seq)
      const where = `${cut?.length} bytes left`
      expect(found.numbers, where).toEqual(upTo(COMMITS, lost))
      // It was closed, so this was no torn append: somebody has to be told.
      if (lost.length > 0) expect(found.quarantine.length, where).toBeGreaterThan(0)
    }
  })
})

test('a damaged second base: the first, and the entries that are kept behind it, hold everything', async () => {
  const { files } = await closedStore(COMMITS, [3])
  const inMemory = memoryDisk(files)
  // It stops between the new base and the end of the old one: both are there.
  const renamed: string[] = []
  const disk = watchedDisk(change => {
    if (change.op !== 'rename') return
    const name = basename(change.to)
    if (name === 'meta.json' && renamed.includes('base-2-0.bin') && renamed.at(-1) !== 'base-2-1.bin') throw failure('EIO')
    renamed.push(name)
  }, inMemory)
  const memory = await openOn(disk)
  const padding = `.${'padding '.repeat(20_000)}`
  for (let n = COMMITS + 1; n <= COMMITS + 3; n += 1) await commit(memory, n, padding)
  await expect(memory.checkpoint()).rejects.toMatchObject({ code: 'NOT_STORED' })
  expect((await memory.health()).generation).toBe(2)
  await memory.close()
  const left = new Map<string, Uint8Array>()
  for (const name of await disk.names(DIRECTORY)) left.set(name, await disk.read(`${DIRECTORY}/${name}`))
  expect(namesOf(left, 'base-1')).toHaveLength(2)
  for (const name of namesOf(left, 'base-2')) {
    const found = await find(withFile(left, name, flipped(left.get(name) as Uint8Array, 20)))
    expect(found.numbers ?? found.code, name).toEqual(upTo(COMMITS + 3))
    expect(found.quarantine).toMatchObject([{ what: 'generation 2' }])
  }
})
