import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { openJournalOn } from '../../src/journal/open-directory.ts'
import { quickDisk } from './disks.ts'
import { entries, entry, textsIn } from './entries.ts'
import { copyOf, filesIn, pathsOf, scratch } from './scratch.ts'

// Files are written by the thousand here, and other tests do the same beside it.
vi.setConfig({ testTimeout: 60_000 })

const open = (directory: string) => openJournalOn(quickDisk, directory, {})

const whole = ['entry 1', 'entry 2']

/** A store as it lies there after its process was killed: entries 1 and 2, then one append of `count` entries. */
async function killedStore(count: number) {
  const directory = scratch()
  const journal = await open(directory)
  await journal.append([entry(1)])
  await journal.append([entry(2)])
  const file = pathsOf(directory, 'journal-')[0]!
  const wholeBytes = readFileSync(file).length
  await journal.append(entries(3, 2 + count))
  const killed = copyOf(directory)
  await journal.close()
  return {
    directory: killed,
    file: pathsOf(killed, 'journal-')[0]!,
    wholeBytes,
    content: readFileSync(pathsOf(killed, 'journal-')[0]!),
  }
}

/** What is torn is gone, nothing else is, and writing goes on where it stopped. */
async function expectCutOff(directory: string, hint: string, goOn: boolean = true): Promise<void> {
  const journal = await open(directory)
  expect(await textsIn(journal), hint).toEqual(whole)
  expect((await journal.state()).head, hint).toBe(2)
  if (!goOn) return await journal.close()
  expect(await journal.append([entry(3, 'again')]), hint).toBe('appended')
  await journal.close()
  const after = await open(directory)
  expect(await textsIn(after), hint).toEqual([...whole, 'again'])
  await after.close()
}

describe.each([1, 3])('the last append, of %i entries, was torn by a crash', count => {
  test('at every length of it', async () => {
    const { directory, file, wholeBytes, content } = await killedStore(count)
    for (let length = wholeBytes; length < content.length; length += 1) {
      const copy = copyOf(directory)
      truncateSync(pathsOf(copy, 'journal-')[0]!, length)
      await expectCutOff(copy, `${length} of ${content.length} bytes`, length % 8 === 0)
    }
    expect(readFileSync(file)).toEqual(content)
  })

  test('with its length already written, but from some byte on only zeros', async () => {
    const { directory, wholeBytes, content } = await killedStore(count)
    for (let from = wholeBytes; from < content.length - 1; from += 7) {
      const copy = copyOf(directory)
      writeFileSync(pathsOf(copy, 'journal-')[0]!, Buffer.from(content).fill(0, from))
      await expectCutOff(copy, `zeros from ${from}`)
    }
  })

  test('with its end on the disk and not its beginning', async () => {
    const { directory, wholeBytes, content } = await killedStore(count)
    for (let to = wholeBytes + 1; to < content.length; to += 11) {
      const copy = copyOf(directory)
      writeFileSync(pathsOf(copy, 'journal-')[0]!, Buffer.from(content).fill(0, wholeBytes, to))
      await expectCutOff(copy, `zeros up to ${to}`)
    }
  })
})

test('an append that is whole stays, acknowledged or not', async () => {
  const { directory } = await killedStore(3)
  const journal = await open(directory)
  expect(await textsIn(journal)).toEqual([...whole, 'entry 3', 'entry 4', 'entry 5'])
  await journal.close()
})

test('a first append that was torn leaves no file', async () => {
  const directory = scratch()
  const journal = await open(directory)
  await journal.append([entry(1)])
  const killed = copyOf(directory)
  await journal.close()
  truncateSync(pathsOf(killed, 'journal-')[0]!, 30)
  const after = await open(killed)
  expect(await after.state()).toEqual({ head: 0, floor: 0, generation: 0, deltas: 0 })
  expect(filesIn(killed)).toEqual(['lock.json', 'meta-copy.json', 'meta.json'])
  expect(await after.append([entry(1)])).toBe('appended')
  await after.close()
})

test('a crash in the file of one session costs nothing of the sessions before', async () => {
  const directory = scratch()
  for (const seq of [1, 2, 3]) {
    const journal = await open(directory)
    await journal.append([entry(seq)])
    await journal.close()
  }
  const journal = await open(directory)
  await journal.append([entry(4)])
  const killed = copyOf(directory)
  await journal.close()
  truncateSync(pathsOf(killed, 'journal-')[3]!, 100)
  const after = await open(killed)
  expect(await textsIn(after)).toEqual([...whole, 'entry 3'])
  await after.close()
})

test('a seal that was torn is cut off like an append', async () => {
  const directory = scratch()
  const journal = await open(directory)
  await journal.append([entry(1)])
  const file = pathsOf(directory, 'journal-')[0]!
  const unsealed = readFileSync(file).length
  const metas = ['meta.json', 'meta-copy.json'].map(name => join(directory, name))
  const notYetClosed = metas.map(path => readFileSync(path))
  await journal.close()
  const sealed = readFileSync(file)
  expect(sealed.subarray(unsealed).toString()).toMatch(/^\{"sealed":1,"check":"[0-9a-f]{16}"\}\n$/)
  for (let length = unsealed; length <= sealed.length; length += 1) {
    writeFileSync(file, sealed.subarray(0, length))
    for (const [i, path] of metas.entries()) writeFileSync(path, notYetClosed[i]!)
    const after = await open(directory)
    expect(await textsIn(after)).toEqual(['entry 1'])
    await after.close()
    expect(readFileSync(file)).toEqual(sealed)
  }
})
