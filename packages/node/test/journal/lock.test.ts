import { existsSync, linkSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MemoryError } from '@palimpsest/core'
import type { Journal } from '@palimpsest/core'
import { expect, test, vi } from 'vitest'
import { openDirectoryJournal } from '../../src/index.ts'
import type { LockHolder } from '../../src/journal/lock-holder.ts'
import { stateOf, thisProcess } from '../../src/journal/lock-holder.ts'
import { openJournalOn } from '../../src/journal/open-directory.ts'
import { Child } from './child.ts'
import { failure, quickDisk } from './disks.ts'
import { entry, textsIn } from './entries.ts'
import { filesIn, scratch } from './scratch.ts'

// Files are written by the thousand here, and other tests do the same beside it.
vi.setConfig({ testTimeout: 60_000 })

const NOBODY = 4_194_304 + 7

async function writeLock(path: string, change: Partial<LockHolder> = {}): Promise<void> {
  const nonce = Array.from({ length: 16 }, () => Math.floor(Math.random() * 16).toString(16)).join('')
  writeFileSync(path, JSON.stringify({ ...(await thisProcess(nonce)), ...change }))
}

async function outcomeOf(opening: Promise<Journal>): Promise<Journal | MemoryError> {
  try {
    return await opening
  } catch (error) {
    if (MemoryError.is(error)) return error
    throw error
  }
}

test('a second open in the same process is refused, until the first is closed', async () => {
  const directory = scratch()
  const first = await openDirectoryJournal(directory)
  await expect(openDirectoryJournal(directory)).rejects.toMatchObject({ code: 'LOCKED', details: { pid: process.pid } })
  await first.append([entry(1)])
  await first.close()
  expect(existsSync(join(directory, 'lock.json'))).toBe(false)
  const second = await openDirectoryJournal(directory)
  expect(await textsIn(second)).toEqual(['entry 1'])
  await second.close()
})

test(
  'another process is refused while one has it open, is named, and gets it when that one is killed',
  { timeout: 60_000 },
  async () => {
    const directory = scratch()
    const holder = new Child('lock-contender.ts', [directory])
    await holder.line(1)
    expect(await holder.ask('open')).toBe('open')
    await expect(openDirectoryJournal(directory)).rejects.toMatchObject({ code: 'LOCKED', details: { pid: holder.pid } })
    await holder.kill()
    const journal = await openDirectoryJournal(directory)
    await journal.close()
  },
)

test('processes that race for the lock of a dead one: exactly one gets it, every time', { timeout: 300_000 }, async () => {
  const directory = scratch()
  const children = [1, 2, 3].map(() => new Child('lock-contender.ts', [directory]))
  for (const child of children) await child.line(1)
  for (let round = 0; round < 45; round += 1) {
    const dead = { pid: NOBODY, nonce: String(round).padStart(16, '0') }
    await writeLock(join(directory, 'lock.json'), dead)
    // In some rounds one had died before while it was taking over, and one while it was taking over from that.
    if (round % 3 > 0)
      await writeLock(join(directory, `lock-${dead.nonce}.guard`), { pid: NOBODY, nonce: `a${dead.nonce.slice(1)}` })
    if (round % 3 > 1) await writeLock(join(directory, `lock-a${dead.nonce.slice(1)}.guard`), { pid: NOBODY })
    const answers = await Promise.all(children.map(child => child.ask('open')))
    const winner = children[answers.indexOf('open')]
    expect(answers.toSorted(), `round ${round}`).toEqual([`LOCKED ${winner?.pid}`, `LOCKED ${winner?.pid}`, 'open'])
    if (round % 2 === 0) expect(await winner?.ask('close')).toBe('closed')
    else {
      // Left as a dead one leaves it: the next round writes another over it.
      rmSync(join(directory, 'lock.json'))
      expect(await winner?.ask('close')).toBe('closed')
    }
  }
  expect(filesIn(directory)).toEqual(['meta-copy.json', 'meta.json'])
})

test('many openings at once in one process: exactly one gets it', async () => {
  for (let round = 0; round < 20; round += 1) {
    const directory = scratch()
    if (round % 2 === 0) await writeLock(join(directory, 'lock.json'), { pid: NOBODY })
    const openings = Array.from({ length: 8 }, () => outcomeOf(openJournalOn(quickDisk, directory, {})))
    const outcomes = await Promise.all(openings)
    expect(outcomes.filter(outcome => MemoryError.is(outcome, 'LOCKED')).length).toBe(7)
    for (const outcome of outcomes) if (!MemoryError.is(outcome)) await outcome.close()
  }
})

test('a pid that was given to another process, or another run of the system, does not keep the lock', async () => {
  const own = await thisProcess('0123456789abcdef')
  expect(await stateOf(own)).toBe('alive')
  expect(await stateOf({ ...own, pid: NOBODY })).toBe('dead')
  if (own.start !== undefined) expect(await stateOf({ ...own, start: '1' })).toBe('dead')
  if (own.boot !== undefined) expect(await stateOf({ ...own, boot: 'an earlier one' })).toBe('dead')
})

test('where we cannot look, the lock is respected, and the message says what to do', async () => {
  const own = await thisProcess('0123456789abcdef')
  const elsewhere = { ...own, host: 'elsewhere', ...(own.boot === undefined ? {} : { boot: 'of another machine' }) }
  expect(await stateOf(elsewhere)).toBe('unknown')
  if (own.namespace !== undefined) expect(await stateOf({ ...own, pid: NOBODY, namespace: 'pid:[1]' })).toBe('unknown')
  const directory = scratch()
  await writeLock(join(directory, 'lock.json'), elsewhere)
  const refused = await outcomeOf(openDirectoryJournal(directory))
  expect(refused).toMatchObject({ code: 'LOCKED', details: { pid: process.pid, host: 'elsewhere' } })
  expect((refused as MemoryError).message).toContain(`delete ${join(directory, 'lock.json')}`)
})

test('a lock that was taken away stops every write, and leaves the new holder alone', async () => {
  const directory = scratch()
  const journal = await openDirectoryJournal(directory)
  await journal.append([entry(1)])
  rmSync(join(directory, 'lock.json'))
  await expect(journal.append([entry(2)])).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    details: { reason: 'lock removed' },
  })
  const other = await openDirectoryJournal(directory)
  await expect(journal.append([entry(2)])).rejects.toMatchObject({ code: 'LOCKED', details: { pid: process.pid } })
  await expect(journal.saveBase({ generation: 1, segments: [Uint8Array.of(1)], floor: 1 })).rejects.toMatchObject({
    code: 'LOCKED',
  })
  await journal.close()
  expect(await other.append([entry(2, 'of the new holder')])).toBe('appended')
  await other.close()
  const after = await openDirectoryJournal(directory)
  expect(await textsIn(after)).toEqual(['entry 1', 'of the new holder'])
  await after.close()
})

test('a lock file that was replaced by its own copy is still ours', async () => {
  const directory = scratch()
  const journal = await openDirectoryJournal(directory)
  const lock = join(directory, 'lock.json')
  writeFileSync(`${lock}.copy`, readFileSync(lock))
  renameSync(`${lock}.copy`, lock)
  expect(await journal.append([entry(1)])).toBe('appended')
  await journal.close()
})

test('where files cannot have two names, the lock works too', async () => {
  const disk = { ...quickDisk, link: () => Promise.reject(failure('EPERM')) }
  const directory = scratch()
  const first = await openJournalOn(disk, directory, {})
  await expect(openJournalOn(disk, directory, {})).rejects.toMatchObject({ code: 'LOCKED' })
  await first.close()
  await writeLock(join(directory, 'lock.json'), { pid: NOBODY })
  const outcomes = await Promise.all([1, 2, 3, 4].map(() => outcomeOf(openJournalOn(disk, directory, {}))))
  expect(outcomes.filter(outcome => MemoryError.is(outcome, 'LOCKED')).length).toBe(3)
  for (const outcome of outcomes) if (!MemoryError.is(outcome)) await outcome.close()
})

test('an empty lock, as a power cut may leave it, is taken over once it is not new any more', async () => {
  const directory = scratch()
  await (await openDirectoryJournal(directory)).close()
  writeFileSync(join(directory, 'lock.json'), '')
  const journal = await openDirectoryJournal(directory)
  await journal.close()
})

test('guards and temporary files of openings that were killed are removed; those of running ones stay', async () => {
  const directory = scratch()
  await writeLock(join(directory, 'lock-0123456789abcdef.guard'), { pid: NOBODY })
  await writeLock(join(directory, 'lock.json.01234567.tmp'), { pid: NOBODY })
  await writeLock(join(directory, 'lock.json.89abcdef.tmp'))
  // Made and not filled yet, a moment ago and long ago.
  writeFileSync(join(directory, 'lock.json.aaaaaaaa.tmp'), '')
  writeFileSync(join(directory, 'lock.json.bbbbbbbb.tmp'), '')
  utimesSync(join(directory, 'lock.json.bbbbbbbb.tmp'), 1, 1)
  linkSync(join(directory, 'lock.json.01234567.tmp'), join(directory, 'lock.json'))
  const journal = await openDirectoryJournal(directory)
  const running = ['lock.json.89abcdef.tmp', 'lock.json.aaaaaaaa.tmp']
  expect(filesIn(directory)).toEqual(['lock.json', ...running, 'meta-copy.json', 'meta.json'])
  await journal.close()
})
