import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openDirectoryJournal } from '../../src/index.ts'
import { encodeAppend } from '../../src/journal/frame.ts'
import { copyOf, filesIn, flip, pathsOf, scratch } from './scratch.ts'
import { entries, entry, seqsIn } from './entries.ts'

// Files are written by the thousand here, and other tests do the same beside it.
vi.setConfig({ testTimeout: 60_000 })

const NOBODY_UID = 65_534

test.skipIf(process.platform === 'win32')('the directory and the files are for their owner alone', async () => {
  const directory = join(scratch(), 'new', 'store')
  const journal = await openDirectoryJournal(directory)
  await journal.append([entry(1)])
  await journal.saveBase({ generation: 1, segments: [Uint8Array.of(1)], floor: 1 })
  await journal.saveDelta({ generation: 1, n: 1, bytes: Uint8Array.of(1), floor: 1 })
  await journal.writeKeyring({ revision: 1, bytes: Uint8Array.of(1) })
  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
  expect(modeOf(directory)).toBe('700')
  const names = filesIn(directory)
  expect(names.map(name => name.replace(/^journal-0{15}1-[0-9a-f]{16}/, 'journal'))).toEqual([
    'base-1-0.bin',
    'delta-1-1.bin',
    'journal.bin',
    'keyring-1.bin',
    'lock.json',
    'meta-copy.json',
    'meta.json',
  ])
  for (const name of names) expect(`${name} ${modeOf(join(directory, name))}`).toBe(`${name} 600`)
  await journal.close()
})

test('the files can be read by a person', async () => {
  const directory = scratch()
  const journal = await openDirectoryJournal(directory)
  await journal.initMeta('storeId', 'the store')
  await journal.append(entries(1, 2))
  await journal.close()
  const text = readFileSync(pathsOf(directory, 'journal-')[0]!, 'utf8')
  expect(text).toMatch(/^\{"seq":1,"part":1,"parts":2,"sizeBytes":7,"sum":"\w{16}","check":"\w{16}"\}\nentry 1\n\{"seq":2,/)
  expect(JSON.parse(readFileSync(join(directory, 'meta.json'), 'utf8'))).toEqual({
    palimpsest: 'directory journal',
    version: 1,
    ids: { storeId: 'the store' },
    floor: 0,
    dropped: 0,
    generations: [],
    keyring: 0,
    closedHead: 2,
    sum: expect.stringMatching(/^\w{16}$/) as string,
  })
})

test('a path that is a file, or goes through one, is refused', async () => {
  const file = join(scratch(), 'file')
  writeFileSync(file, 'somebody else')
  const refused = { code: 'STORE_UNAVAILABLE', message: expect.stringContaining('not a directory') as string }
  await expect(openDirectoryJournal(file)).rejects.toMatchObject({ ...refused, details: { reason: 'EEXIST', directory: file } })
  await expect(openDirectoryJournal(join(file, 'below'))).rejects.toMatchObject({ ...refused, details: { reason: 'ENOTDIR' } })
  expect(readFileSync(file, 'utf8')).toBe('somebody else')
})

const mayChangeUser = process.platform !== 'win32' && (process.getuid?.() !== 0 || process.seteuid !== undefined)

test.skipIf(!mayChangeUser)('a directory that may not be written is refused with its reason', async () => {
  const directory = scratch()
  mkdirSync(join(directory, 'store'))
  chmodSync(join(directory, 'store'), 0o555)
  chmodSync(directory, 0o555)
  const isRoot = process.getuid?.() === 0
  if (isRoot) process.seteuid?.(NOBODY_UID)
  try {
    const refused = { code: 'STORE_UNAVAILABLE', details: { reason: 'EACCES' }, retryable: true }
    await expect(openDirectoryJournal(join(directory, 'store'))).rejects.toMatchObject(refused)
    await expect(openDirectoryJournal(join(directory, 'missing'))).rejects.toMatchObject(refused)
  } finally {
    if (isRoot) process.seteuid?.(0)
    chmodSync(directory, 0o755)
  }
  expect(filesIn(join(directory, 'store'))).toEqual([])
})

test('files of other names are left alone', async () => {
  const directory = scratch()
  const theirs = ['base-1.bin', 'keyring.bin', 'journal.bin', 'journal-1.bin', 'notes.txt', 'something.tmp', 'lock', '.hidden']
  for (const name of theirs) writeFileSync(join(directory, name), name)
  const journal = await openDirectoryJournal(directory)
  await journal.append([entry(1)])
  await journal.saveBase({ generation: 1, segments: [Uint8Array.of(1)], floor: 1 })
  await journal.dropBefore(1, 1)
  await journal.close()
  for (const name of theirs) expect(readFileSync(join(directory, name), 'utf8')).toBe(name)
})

test.each(['meta.json', 'lock.json'])('a %s of another program is refused, and nothing is left behind', async name => {
  const directory = scratch()
  writeFileSync(join(directory, name), '{"theirs":true}')
  await expect(openDirectoryJournal(directory)).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    details: { reason: 'foreign' },
  })
  expect(filesIn(directory)).toEqual([name])
  expect(readFileSync(join(directory, name), 'utf8')).toBe('{"theirs":true}')
})

async function closedStore(): Promise<string> {
  const directory = scratch()
  const journal = await openDirectoryJournal(directory)
  await journal.initMeta('storeId', 'the store')
  await journal.append(entries(1, 3))
  await journal.saveBase({ generation: 1, segments: [Uint8Array.of(1)], floor: 2 })
  await journal.dropBefore(1, 1)
  await journal.close()
  return directory
}

async function expectWhole(directory: string): Promise<void> {
  const journal = await openDirectoryJournal(directory)
  expect(await journal.state()).toEqual({ head: 3, floor: 2, generation: 1, deltas: 0 })
  expect(await seqsIn(journal)).toEqual([2, 3])
  expect(await journal.getMeta('storeId')).toBe('the store')
  await journal.close()
}

test('meta.json damaged, empty or lost: its copy stands in, and both are whole again', async () => {
  const directory = await closedStore()
  const harms: ((path: string) => void)[] = [path => flip(path, 60), path => writeFileSync(path, ''), path => rmSync(path)]
  for (const name of ['meta.json', 'meta-copy.json']) {
    for (const harm of harms) {
      const copy = copyOf(directory)
      harm(join(copy, name))
      await expectWhole(copy)
      expect(readFileSync(join(copy, 'meta.json'))).toEqual(readFileSync(join(copy, 'meta-copy.json')))
    }
  }
})

test('without any meta.json the files of a store are not a new store: nothing is touched', async () => {
  const harms: ((path: string) => void)[] = [path => flip(path, 60), path => rmSync(path)]
  for (const harm of harms) {
    const directory = await closedStore()
    for (const path of pathsOf(directory, 'meta')) harm(path)
    const before = filesIn(directory)
    await expect(openDirectoryJournal(directory)).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    expect(filesIn(directory)).toEqual(before)
  }
})

test('a store of a newer version is refused, and says so', async () => {
  const directory = scratch()
  const { sumOf } = await import('../../src/journal/frame.ts')
  const content = { palimpsest: 'directory journal', version: 2, whatever: 'comes' }
  writeFileSync(join(directory, 'meta.json'), JSON.stringify({ ...content, sum: sumOf(JSON.stringify(content)) }))
  await expect(openDirectoryJournal(directory)).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    details: { reason: 'newer' },
    message: expect.stringContaining('newer version') as string,
  })
})

test('what a crash left of checkpoints and of shortened files is removed', async () => {
  const directory = await closedStore()
  const strays = [
    'base-2-0.bin',
    'delta-1-1.bin',
    'base-1-1.bin',
    'keyring-1.bin',
    'keyring-3.bin',
    'keyring-3.bin.0123abcd.tmp',
    'meta.json.0123abcd.tmp',
    'base-2-1.bin.0123abcd.tmp',
  ]
  for (const name of strays) writeFileSync(join(directory, name), 'stray')
  const kept = filesIn(directory).filter(name => !strays.includes(name))
  // The original of a file that had been shortened: its copy has the same salt and a higher first number.
  const [, salt] = /journal-0*2-(\w+)\.bin/.exec(kept.join()) ?? []
  const original = join(directory, `journal-${'1'.padStart(16, '0')}-${salt}.bin`)
  writeFileSync(original, encodeAppend(entries(1, 3), salt ?? '', 0).bytes)
  await expectWhole(directory)
  expect(filesIn(directory)).toEqual(kept)
})

test('parts of an image that are lost are empty, so that they are judged as damage', async () => {
  const directory = scratch()
  const journal = await openDirectoryJournal(directory)
  await journal.saveBase({ generation: 1, segments: [Uint8Array.of(1), Uint8Array.of(2)], floor: 0 })
  await journal.saveDelta({ generation: 1, n: 1, bytes: Uint8Array.of(3), floor: 0 })
  rmSync(join(directory, 'base-1-1.bin'))
  expect(await journal.image()).toEqual({
    generation: 1,
    segments: [Uint8Array.of(1), new Uint8Array(0)],
    deltas: [Uint8Array.of(3)],
  })
  await journal.close()
})

test('dropped entries leave no byte behind, in whichever files they lay', async () => {
  const directory = scratch()
  for (const [first, last] of [
    [1, 2],
    [3, 6],
    [7, 8],
  ] as const) {
    const journal = await openDirectoryJournal(directory)
    await journal.append(entries(first, last))
    await journal.close()
  }
  const journal = await openDirectoryJournal(directory)
  await journal.append(entries(9, 10))
  await journal.saveBase({ generation: 1, segments: [Uint8Array.of(1)], floor: 9 })
  const content = (): string =>
    pathsOf(directory, 'journal-')
      .map(path => readFileSync(path, 'latin1'))
      .join('')
  for (const upTo of [1, 4, 6, 9]) {
    await journal.dropBefore(1, upTo)
    const left = Array.from({ length: 10 }, (_, i) => i + 1).filter(seq => seq > upTo)
    expect(await seqsIn(journal)).toEqual(left)
    expect([...content().matchAll(/entry (\d+)/g)].map(([, seq]) => Number(seq))).toEqual(left)
  }
  await journal.close()
})
