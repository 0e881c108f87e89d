/** Scenario 11, for a journal of frames: what is no entry is passed over and reported, and what is one is there. */
import { expect, describe, test } from 'vitest'
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
  await commit(memory, 1_000)
  await memory.close()
  const again = await openOn(disk)
  expect(await numbersIn(again), 'after writing on').toEqual([...numbers, 1_000])
  await again.close()
  return { numbers, quarantine, untouched }
}

describe('11. Half a frame, a cut frame, two on one place, a BOM, zeros: good entries in, the rest reported, the original untouched', () => {
  const half = ({ from, to }: { readonly from: number; readonly to: number }): number => (from + to) >> 1

  test('half a frame in the middle', async () => {
    const { files, name, bytes, third } = await store()
    const cut = join(bytes.subarray(0, half(third)), bytes.subarray(third.to))
    const found = await find(withFile(files, name, cut), name)
    expect(found.numbers).toEqual(upTo(COMMITS, [3]))
    expect(found.quarantine).toEqual([unreadable(name), { what: 'entries 3 to 3', reason: 'missing' }])
    expect(found.untouched).toEqual(cut)
  })

  test('the second half of a frame in the middle', async () => {
    const { files, name, bytes, third } = await store()
    const cut = join(bytes.subarray(0, third.from), bytes.subarray(half(third)))
    const found = await find(withFile(files, name, cut), name)
    expect(found.numbers).toEqual(upTo(COMMITS, [3]))
    expect(found.quarantine).toEqual([unreadable(name), { what: 'entries 3 to 3', reason: 'missing' }])
    expect(found.untouched).toEqual(cut)
  })

  test('a frame that is there twice is one entry', async () => {
    const { files, name, bytes, third } = await store()
    const twice = join(bytes.subarray(0, third.to), bytes.subarray(third.from, third.to), bytes.subarray(third.to))
    const found = await find(withFile(files, name, twice), name)
    expect(found.numbers).toEqual(upTo(COMMITS))
    expect(found.untouched).toEqual(twice)
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
  })

  test('zeros at the end of a file that was closed', async () => {
    const { files, name, bytes } = await store()
    const padded = join(bytes, new Uint8Array(4_096))
    const found = await find(withFile(files, name, padded), name)
    expect(found.numbers).toEqual(upTo(COMMITS))
    expect(found.quarantine).toEqual([unreadable(name)])
    expect(found.untouched).toEqual(padded)
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
  })

  test('damage that is passed over is reported although every entry is there', async () => {
    const { files, name, bytes, third } = await store()
    const noise = join(bytes.subarray(0, third.from), new TextEncoder().encode('{"not":"ours"}\n'), bytes.subarray(third.from))
    const found = await find(withFile(files, name, noise), name)
    expect(found.numbers).toEqual(upTo(COMMITS))
    expect(found.quarantine.length).toBeGreaterThan(0)
    expect(found.untouched).toEqual(noise)
  })
})
