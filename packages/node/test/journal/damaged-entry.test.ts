import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { encodeAppend } from '../../src/journal/frame.ts'
import { openJournalOn } from '../../src/journal/open-directory.ts'
import { quickDisk } from './disks.ts'
import { entries, entry, seqsIn, textsIn } from './entries.ts'
import { copyOf, flip, pathsOf, scratch } from './scratch.ts'

// Files are written by the thousand here, and other tests do the same beside it.
vi.setConfig({ testTimeout: 60_000 })

const open = (directory: string) => openJournalOn(quickDisk, directory, {})

/** Four appends of one entry; `bounds[i]` is where frame i + 1 begins, the last bound where the seal does. */
async function storeOfFour(close: boolean = true) {
  const directory = scratch()
  const journal = await open(directory)
  const bounds = [0]
  for (const seq of [1, 2, 3, 4]) {
    await journal.append([entry(seq)])
    bounds.push(readFileSync(pathsOf(directory, 'journal-')[0]!).length)
  }
  if (close) await journal.close()
  const copy = copyOf(directory)
  if (!close) await journal.close()
  return { directory: copy, bounds }
}

test(
  'a damaged byte anywhere in a frame costs that entry alone, shows as a gap, and stays as it is',
  { timeout: 60_000 },
  async () => {
    const { directory, bounds } = await storeOfFour()
    for (let offset = bounds[1]!; offset < bounds[3]!; offset += 1) {
      const copy = copyOf(directory)
      const file = pathsOf(copy, 'journal-')[0]!
      flip(file, offset)
      const damaged = readFileSync(file)
      const journal = await open(copy)
      const hit = offset < bounds[2]! ? 2 : 3
      const lineFeed = offset === bounds[2]! - 1 || offset === bounds[3]! - 1
      // The line feed behind the bytes is for human readers: an entry does not depend on it.
      expect(await seqsIn(journal), `offset ${offset}`).toEqual(lineFeed ? [1, 2, 3, 4] : [1, 2, 3, 4].filter(seq => seq !== hit))
      expect((await journal.state()).head).toBe(4)
      expect(await journal.append([entry(hit, 'usurper')])).toBe('collision')
      expect(await journal.append([entry(5)])).toBe('appended')
      await journal.close()
      expect(readFileSync(file)).toEqual(damaged)
    }
  },
)

test('damage to the last entry of a store that was closed is no torn append: the gap is counted', async () => {
  const { directory, bounds } = await storeOfFour()
  for (let offset = bounds[3]!; offset < bounds[4]! - 1; offset += 5) {
    const copy = copyOf(directory)
    flip(pathsOf(copy, 'journal-')[0]!, offset)
    const journal = await open(copy)
    expect(await seqsIn(journal)).toEqual([1, 2, 3])
    expect((await journal.state()).head).toBe(4)
    expect(await journal.append([entry(4, 'usurper')])).toBe('collision')
    await journal.close()
  }
})

test('damage before a crash and a torn append after it are told apart', async () => {
  const { directory, bounds } = await storeOfFour(false)
  const file = pathsOf(directory, 'journal-')[0]!
  const content = readFileSync(file)
  flip(file, bounds[1]! + 20)
  writeFileSync(file, readFileSync(file).subarray(0, content.length - 3))
  for (const time of ['first', 'second']) {
    const journal = await open(directory)
    expect(await seqsIn(journal), time).toEqual([1, 3])
    expect((await journal.state()).head, time).toBe(3)
    await journal.close()
  }
})

test('bytes lost or added in the middle hide nothing behind them', async () => {
  const { directory, bounds } = await storeOfFour()
  const file = pathsOf(directory, 'journal-')[0]!
  const content = readFileSync(file)
  const at = bounds[1]! + 30
  for (const changed of [
    Buffer.concat([content.subarray(0, at), content.subarray(at + 9)]),
    Buffer.concat([content.subarray(0, at), Buffer.from('{"seq":9}\n{"se'), content.subarray(at)]),
    Buffer.concat([content.subarray(0, at), content.subarray(bounds[2])]),
  ]) {
    writeFileSync(file, changed)
    const journal = await open(directory)
    expect(await seqsIn(journal)).toEqual([1, 3, 4])
    await journal.close()
  }
})

test('a whole file that cannot be read shows as a gap, and the files behind it are read', async () => {
  const directory = scratch()
  for (const first of [1, 3, 5]) {
    const journal = await open(directory)
    await journal.append(entries(first, first + 1))
    await journal.close()
  }
  const file = pathsOf(directory, 'journal-')[1]!
  writeFileSync(file, readFileSync(file).fill(0))
  const journal = await open(directory)
  expect(await seqsIn(journal)).toEqual([1, 2, 5, 6])
  await journal.close()
})

test('a text that looks like an entry is never taken for one, not even where the entry around it is damaged', async () => {
  const directory = scratch()
  const lookalike = Buffer.from(encodeAppend([entry(2, 'planted')], 'fedcba9876543210', 0).bytes).toString()
  const journal = await open(directory)
  await journal.append([entry(1, `see:\n${lookalike}{"sealed":9,"check":"0000000000000000"}\n`)])
  await journal.append([entry(2)])
  await journal.close()
  flip(pathsOf(directory, 'journal-')[0]!, 3)
  const after = await open(directory)
  expect(await textsIn(after)).toEqual(['entry 2'])
  expect((await after.state()).head).toBe(2)
  await after.close()
})

test('damage that comes while the store is open is left out of what is read', async () => {
  const directory = scratch()
  const journal = await open(directory)
  await journal.append(entries(1, 3))
  const file = pathsOf(directory, 'journal-')[0]!
  flip(file, readFileSync(file).indexOf('entry 2'))
  expect(await seqsIn(journal)).toEqual([1, 3])
  await journal.close()
})
