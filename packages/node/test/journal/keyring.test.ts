import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { openDirectoryJournal } from '../../src/index.ts'
import { sumOf } from '../../src/journal/frame.ts'
import { openJournalOn } from '../../src/journal/open-directory.ts'
import { failure, quickDisk, watchedDisk } from './disks.ts'
import { filesIn, flip, pathsOf, scratch } from './scratch.ts'

const keyring = (revision: number) => ({ revision, bytes: Uint8Array.of(revision, revision, revision) })

async function closedStore(): Promise<string> {
  const directory = scratch()
  const journal = await openDirectoryJournal(directory)
  await journal.writeKeyring(keyring(1))
  await journal.writeKeyring(keyring(2))
  await journal.close()
  return directory
}

test.each([
  ['damaged', (path: string) => flip(path, 1), Uint8Array.of(2, 2 ^ 0x40, 2)],
  ['cut', (path: string) => truncateSync(path, 1), Uint8Array.of(2)],
  ['lost', (path: string) => rmSync(path), new Uint8Array(0)],
])('a keyring that is %s keeps its revision, and another can take its place', async (_what, harm, left) => {
  const directory = await closedStore()
  harm(join(directory, 'keyring-2.bin'))
  const journal = await openDirectoryJournal(directory)
  expect(await journal.readKeyring()).toEqual({ revision: 2, bytes: left })
  expect(await journal.writeKeyring(keyring(1))).toBe(false)
  expect(await journal.writeKeyring(keyring(3))).toBe(true)
  expect(await journal.readKeyring()).toEqual(keyring(3))
  await journal.close()
})

test('the one before leaves no byte behind', async () => {
  const directory = scratch()
  const journal = await openDirectoryJournal(directory)
  await journal.writeKeyring({ revision: 1, bytes: Buffer.from('the first keys') })
  await journal.writeKeyring({ revision: 2, bytes: Buffer.from('the next keys') })
  const content = pathsOf(directory, '').map(path => readFileSync(path, 'latin1'))
  expect(content.filter(text => text.includes('the next keys')).length).toBe(1)
  expect(content.filter(text => text.includes('the first keys'))).toEqual([])
  await journal.close()
})

test('where the one before cannot be deleted, that is said, and the next open deletes it', async () => {
  const directory = await closedStore()
  const disk = watchedDisk(({ op, path }) => {
    if (op === 'remove' && basename(path) === 'keyring-2.bin') throw failure('EIO')
  }, quickDisk)
  const journal = await openJournalOn(disk, directory, {})
  const unknown = { code: 'NOT_STORED', details: { reason: 'EIO', outcome: 'unknown' } }
  await expect(journal.writeKeyring(keyring(3))).rejects.toMatchObject(unknown)
  expect(await journal.readKeyring()).toEqual(keyring(3))
  await journal.close()
  const after = await openDirectoryJournal(directory)
  expect(await after.readKeyring()).toEqual(keyring(3))
  expect(filesIn(directory).filter(name => name.startsWith('keyring'))).toEqual(['keyring-3.bin'])
  await after.close()
})

test('a store that is older than keyrings has none, and can get one', async () => {
  const directory = scratch()
  const content = { palimpsest: 'directory journal', version: 1, ids: {}, floor: 0, dropped: 0, generations: [] }
  writeFileSync(join(directory, 'meta.json'), JSON.stringify({ ...content, sum: sumOf(JSON.stringify(content)) }))
  const journal = await openDirectoryJournal(directory)
  expect(await journal.readKeyring()).toBe(undefined)
  expect(await journal.writeKeyring(keyring(1))).toBe(true)
  await journal.close()
})
