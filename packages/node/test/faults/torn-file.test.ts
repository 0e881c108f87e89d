/** Scenario 11, for a journal of frames: what is no entry is kept beside it and reported, and what is one is there. */
import { expect, describe, test } from 'vitest'
import type { Disk } from '../../src/journal/disk.ts'
import { failure } from '../journal/disks.ts'
import { memoryDisk } from '../journal/memory-disk.ts'
import { closedStore, entriesIn, namesOf, withFile, type Files } from './closed-store.ts'
import { commit, DIRECTORY, expectIntact, numbersIn, openOn, quarantineOf, upTo } from './numbered.ts'

const COMMITS = 6
const join = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts))

/** The file of a store that was closed, or whose process died, and its third frame in it. */
async function store(left: 'files' | 'open' = 'files') {
  const { [left]: files } = await closedStore(COMMITS, [])
  const [name] = namesOf(files, 'journal-') as [string]
  const bytes = files.get(name) as Uint8Array
  const frames = entriesIn(name, bytes)
  const third = frames[2] as { readonly from: number; readonly to: number }
  const last = frames.at(-1) as { readonly from: number; readonly to: number }
  return { files, name, bytes, third: { from: third.from, to: third.to + 1 }, last: { from: last.from, to: last.to + 1 } }
}

const unreadable = (name: string) => ({
  what: expect.stringMatching(`^bytes \\d+ to \\d+ of ${name}$`) as string,
  reason: 'unreadable',
})

async function find(files: Files, name: string) {
  const disk = memoryDisk(files)
  const memory = await openOn(disk)
  const numbers = await numbersIn(memory)
  const quarantine = await quarantineOf(memory)
  await expectIntact(memory)
  const untouched = (await disk.names(DIRECTORY)).includes(name) ? await disk.read(`${DIRECTORY}/${name}`) : undefined
  const kept = await keptOn(disk)
  await commit(memory, 1_000)
  await memory.close()
  const again = await openOn(disk)
  expect(await numbersIn(again), 'after writing on').toEqual([...numbers, 1_000])
  await again.close()
  expect(await keptOn(disk), 'kept once').toEqual(kept)
  return { numbers, quarantine, untouched, kept }
}

/** What stands beside the journal as damaged, as sorted texts of bytes. */
async function keptOn(disk: Disk): Promise<string[]> {
  const names = (await disk.names(DIRECTORY)).filter(name => name.startsWith('quarantine-'))
  const contents = await Promise.all(names.map(name => disk.read(`${DIRECTORY}/${name}`)))
  return contents.map(hex).toSorted()
}

/** It has no room for what is damaged. */
const withoutRoom = (disk: Disk): Disk => ({
  ...disk,
  create: path => (path.includes('quarantine-') ? Promise.reject(failure('ENOSPC')) : disk.create(path)),
})

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

describe('11. Half a frame, a cut frame, two on one place, a BOM, zeros: good entries in, the rest quarantined beside the file and reported, the original untouched', () => {
  const half = ({ from, to }: { readonly from: number; readonly to: number }): number => (from + to) >> 1

  test('half a frame in the middle', async () => {
    const { files, name, bytes, third } = await store()
    const cut = join(bytes.subarray(0, half(third)), bytes.subarray(third.to))
    const found = await find(withFile(files, name, cut), name)
    expect(found.numbers).toEqual(upTo(COMMITS, [3]))
    expect(found.quarantine).toEqual([unreadable(name), { what: 'entries 3 to 3', reason: 'missing' }])
    expect(found.untouched).toEqual(cut)
    expect(found.kept).toEqual([hex(bytes.subarray(third.from, half(third)))])
  })

  test('the second half of a frame in the middle', async () => {
    const { files, name, bytes, third } = await store()
    const cut = join(bytes.subarray(0, third.from), bytes.subarray(half(third)))
    const found = await find(withFile(files, name, cut), name)
    expect(found.numbers).toEqual(upTo(COMMITS, [3]))
    expect(found.quarantine).toEqual([unreadable(name), { what: 'entries 3 to 3', reason: 'missing' }])
    expect(found.untouched).toEqual(cut)
    expect(found.kept).toEqual([hex(bytes.subarray(half(third), third.to))])
  })

  test('a frame that is there twice is one entry', async () => {
    const { files, name, bytes, third } = await store()
    const twice = join(bytes.subarray(0, third.to), bytes.subarray(third.from, third.to), bytes.subarray(third.to))
    const found = await find(withFile(files, name, twice), name)
    expect(found.numbers).toEqual(upTo(COMMITS))
    expect(found.untouched).toEqual(twice)
    expect(found.kept).toEqual([])
  })

  test('two frames without the line feed between them', async () => {
    const { files, name, bytes, third } = await store()
    const glued = join(bytes.subarray(0, third.to - 1), bytes.subarray(third.to))
    const found = await find(withFile(files, name, glued), name)
    // It is for human readers: no byte of an entry is missing.
    expect(found.numbers).toEqual(upTo(COMMITS))
    expect(found.untouched).toEqual(glued)
  })

  test('a byte order mark at the start', async () => {
    const { files, name, bytes } = await store()
    const marked = join(Uint8Array.of(0xef, 0xbb, 0xbf), bytes)
    const found = await find(withFile(files, name, marked), name)
    expect(found.numbers).toEqual(upTo(COMMITS))
    expect(found.quarantine).toEqual([unreadable(name)])
    expect(found.untouched).toEqual(marked)
    expect(found.kept).toEqual(['efbbbf'])
  })

  test('zeros at the end of a file that was closed', async () => {
    const { files, name, bytes } = await store()
    const padded = join(bytes, new Uint8Array(4_096))
    const found = await find(withFile(files, name, padded), name)
    expect(found.numbers).toEqual(upTo(COMMITS))
    expect(found.quarantine).toEqual([unreadable(name)])
    expect(found.untouched).toEqual(padded)
    expect(found.kept).toEqual([hex(new Uint8Array(4_096))])
  })

  test('zeros behind the last append of a process that died', async () => {
    const { files, name, bytes, last } = await store('open')
    const padded = join(bytes.subarray(0, last.to), new Uint8Array(4_096))
    const found = await find(withFile(files, name, padded), name)
    expect(found.numbers).toEqual(upTo(COMMITS))
  })

  test('half a frame at the end of a process that died: the append was not acknowledged, and is not there', async () => {
    const { files, name, bytes, last } = await store('open')
    const found = await find(withFile(files, name, bytes.slice(0, half(last))), name)
    expect(found.numbers).toEqual(upTo(COMMITS - 1))
    expect(found.quarantine).toEqual([])
  })

  test('a file of zeros in the place of the journal', async () => {
    const { files, name, bytes } = await store()
    const zeros = new Uint8Array(bytes.length)
    const found = await find(withFile(files, name, zeros), name)
    // Nothing of it can be read, and somebody has to be told; what is left stays for who wants to look.
    expect(found.quarantine.length).toBeGreaterThan(0)
    expect(found.untouched).toEqual(zeros)
    expect(found.kept).toEqual([hex(zeros)])
  })

  test('damage that is passed over is reported although every entry is there', async () => {
    const { files, name, bytes, third } = await store()
    const theirs = new TextEncoder().encode('{"not":"ours"}\n')
    const noise = join(bytes.subarray(0, third.from), theirs, bytes.subarray(third.from))
    const found = await find(withFile(files, name, noise), name)
    expect(found.numbers).toEqual(upTo(COMMITS))
    expect(found.quarantine.length).toBeGreaterThan(0)
    expect(found.untouched).toEqual(noise)
    expect(found.kept).toEqual([hex(theirs)])
  })

  test('what is quarantined outlives the journal file, and goes when the keys are changed', async () => {
    const { files, name, bytes, third } = await store()
    const cut = join(bytes.subarray(0, half(third)), bytes.subarray(third.to))
    const disk = memoryDisk(withFile(files, name, cut))
    const first = await openOn(disk)
    await first.checkpoint()
    await first.close()
    expect(await disk.names(DIRECTORY)).not.toContain(name)
    const second = await openOn(disk)
    const kept = (await disk.names(DIRECTORY)).find(each => each.startsWith('quarantine-'))
    expect(await keptOn(disk)).toEqual([hex(bytes.subarray(third.from, half(third)))])
    const inFile = { what: `the bytes in ${kept}`, reason: 'unreadable' }
    expect(await quarantineOf(second)).toEqual([inFile, { what: 'entries 3 to 3', reason: 'missing' }])
    // Whoever erases something changes the keys: nothing may be left that was written before.
    await second.rekey()
    await second.close()
    expect(await keptOn(disk)).toEqual([])
    const last = await openOn(disk)
    expect(await quarantineOf(last)).toEqual([{ what: 'entries 3 to 3', reason: 'missing' }])
    await last.close()
  })

  test('a disk that is full keeps nobody from opening; what it had no room for is quarantined by a later opening', async () => {
    const { files, name, bytes } = await store()
    const disk = memoryDisk(withFile(files, name, join(Uint8Array.of(0xef, 0xbb, 0xbf), bytes)))
    const first = await openOn(withoutRoom(disk))
    expect(await numbersIn(first)).toEqual(upTo(COMMITS))
    expect(await quarantineOf(first)).toEqual([unreadable(name)])
    await first.close()
    expect(await keptOn(disk)).toEqual([])
    const second = await openOn(disk)
    expect(await quarantineOf(second)).toEqual([unreadable(name)])
    await second.close()
    expect(await keptOn(disk)).toEqual(['efbbbf'])
  })

  test('two places, one of them kept already and no room for the other: each is reported once', async () => {
    const { files, name, bytes, third } = await store()
    const marked = join(Uint8Array.of(0xef, 0xbb, 0xbf), bytes)
    const [from, to] = [third.from + 3, third.to + 3]
    const torn = join(marked.subarray(0, half({ from, to })), marked.subarray(to))
    const disk = memoryDisk(withFile(files, name, torn))
    await (await openOn(disk)).close()
    const kept = await keptOn(disk)
    expect(kept).toEqual(['efbbbf', hex(marked.subarray(from, half({ from, to })))].toSorted())
    const there = (await disk.names(DIRECTORY)).find(each => each.startsWith('quarantine-'))
    await disk.remove(`${DIRECTORY}/${there}`)
    const memory = await openOn(withoutRoom(disk))
    expect(await quarantineOf(memory)).toEqual([
      unreadable(name),
      unreadable(name),
      { what: 'entries 3 to 3', reason: 'missing' },
    ])
    await memory.close()
  })
})
