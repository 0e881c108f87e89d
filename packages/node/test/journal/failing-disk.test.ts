import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { MemoryError } from '@palimpsest/core'
import type { Journal } from '@palimpsest/core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDirectoryJournal } from '../../src/index.ts'
import { openJournalOn } from '../../src/journal/open-directory.ts'
import type { Change } from './disks.ts'
import { failure, quickDisk, watchedDisk } from './disks.ts'
import { entries, entry, seqsIn, textsIn } from './entries.ts'
import { filesIn, scratch } from './scratch.ts'

// Files are written by the thousand here, and other tests do the same beside it.
vi.setConfig({ testTimeout: 60_000 })

/** A journal on a disk that fails whenever `fails` says so, and does not flush otherwise. */
async function failingJournal(directory: string, fails: (change: Change) => string | undefined): Promise<Journal> {
  const disk = watchedDisk(change => {
    const code = fails(change)
    if (code !== undefined) throw failure(code)
  }, quickDisk)
  return openJournalOn(disk, directory, {})
}

const base = { generation: 1, segments: [Uint8Array.of(1), Uint8Array.of(2)], floor: 1 }

test.each(['write', 'sync', 'create', 'syncDirectory'])(
  'an append whose %s fails is not there, and the next one is',
  async op => {
    const directory = scratch()
    let broken = false
    const journal = await failingJournal(directory, change => (broken && change.op === op ? 'EIO' : undefined))
    for (const first of [1, 3]) {
      broken = true
      // Only the first append of a session makes a file.
      const appended = journal.append(entries(first, first + 1))
      if (first === 1 || op === 'write' || op === 'sync') {
        await expect(appended).rejects.toMatchObject({ code: 'NOT_STORED', details: { reason: 'EIO' } })
        expect((await journal.state()).head).toBe(first - 1)
        broken = false
        expect(await journal.append(entries(first, first + 1))).toBe('appended')
      } else expect(await appended).toBe('appended')
    }
    broken = false
    await journal.close()
    const after = await openDirectoryJournal(directory)
    expect(await seqsIn(after)).toEqual([1, 2, 3, 4])
    await after.close()
  },
)

test('when a failed append cannot be taken back either, its outcome is unknown and nothing more is written', async () => {
  const directory = scratch()
  let broken = false
  const journal = await failingJournal(directory, ({ op }) =>
    broken && (op === 'sync' || op === 'truncate') ? 'EIO' : undefined,
  )
  await journal.append([entry(1)])
  broken = true
  await expect(journal.append([entry(2)])).rejects.toMatchObject({
    code: 'NOT_STORED',
    details: { reason: 'EIO', outcome: 'unknown' },
  })
  broken = false
  const refused = { code: 'NOT_STORED', details: { reason: 'EIO' }, message: expect.stringContaining('opened again') as string }
  await expect(journal.append([entry(2, 'another')])).rejects.toMatchObject(refused)
  await expect(journal.saveBase(base)).rejects.toMatchObject(refused)
  await expect(journal.initMeta('storeId', 'x')).rejects.toMatchObject(refused)
  expect(await textsIn(journal)).toEqual(['entry 1'])
  await journal.close()
  // It had been written after all, and a new open can tell.
  const after = await openDirectoryJournal(directory)
  expect(await textsIn(after)).toEqual(['entry 1', 'entry 2'])
  await after.close()
})

test.each(['saveBase', 'saveDelta', 'dropBefore', 'writeKeyring'] as const)(
  'whichever step of %s fails, it is done or was never made',
  { timeout: 60_000 },
  async name => {
    const calls = {
      saveBase: (journal: Journal) => journal.saveBase({ generation: 2, segments: [Uint8Array.of(3)], floor: 3 }),
      saveDelta: (journal: Journal) => journal.saveDelta({ generation: 1, n: 1, bytes: Uint8Array.of(3), floor: 3 }),
      dropBefore: (journal: Journal) => journal.dropBefore(1, 1),
      writeKeyring: (journal: Journal) => journal.writeKeyring({ revision: 2, bytes: Uint8Array.of(3) }),
    }
    const told = async (journal: Journal): Promise<unknown> => [
      await journal.state(),
      await seqsIn(journal),
      await journal.image(),
      await journal.readKeyring(),
    ]
    let steps = 0
    const outcomes = new Set<string>()
    for (let failing = 1; ; failing += 1) {
      const directory = scratch()
      let count = Number.NEGATIVE_INFINITY
      const journal = await failingJournal(directory, () => ((count += 1) === failing ? 'ENOSPC' : undefined))
      await journal.append(entries(1, 3))
      await journal.saveBase(base)
      await journal.writeKeyring({ revision: 1, bytes: Uint8Array.of(2) })
      const before = await told(journal)
      count = 0
      const outcome = await calls[name](journal).then(
        () => 'done',
        (error: unknown) => {
          if (!MemoryError.is(error, 'NOT_STORED')) throw error
          return error.details.outcome === 'unknown' ? 'unknown' : 'refused'
        },
      )
      outcomes.add(outcome)
      const reached = count >= failing
      count = Number.NEGATIVE_INFINITY
      const now = await told(journal)
      if (outcome === 'refused' && name !== 'dropBefore') expect(now, `step ${failing}`).toEqual(before)
      if (outcome === 'done') expect(now, `step ${failing}`).not.toEqual(before)
      if (outcome === 'refused') {
        // Nothing stands in the way of the next try.
        await calls[name](journal)
        expect(await told(journal)).not.toEqual(before)
      }
      await journal.close()
      const after = await openDirectoryJournal(directory)
      if (outcome === 'done' || outcome === 'refused') expect(await after.state()).toEqual(stateAfter(name))
      expect(filesIn(directory).filter(file => file.startsWith('keyring-')).length).toBe(1)
      expect(filesIn(directory).filter(file => file.endsWith('.tmp'))).toEqual([])
      await after.close()
      if (!reached) break
      steps += 1
    }
    expect(steps).toBeGreaterThan(8)
    expect([...outcomes].toSorted()).toEqual(['done', 'refused', 'unknown'])
  },
)

function stateAfter(name: string): unknown {
  if (name === 'saveBase') return { head: 3, floor: 3, generation: 2, deltas: 0 }
  return name === 'saveDelta' ? { head: 3, floor: 3, generation: 1, deltas: 1 } : { head: 3, floor: 1, generation: 1, deltas: 0 }
}

test('a commit counts when only the copy of meta.json could not be written, and an old copy does not stay', async () => {
  const directory = scratch()
  const changes: string[] = []
  let full = false
  const journal = await failingJournal(directory, ({ op, path }) => {
    changes.push(`${op} ${basename(path).replace(/\.\w{8}\.tmp$/, '')}`)
    return full && op === 'create' && basename(path).startsWith('meta-copy') ? 'ENOSPC' : undefined
  })
  changes.length = 0
  full = true
  expect(await journal.initMeta('storeId', 'the store')).toBe('the store')
  // Flushed by itself, not together with the copy that may not come.
  expect(changes.slice(changes.indexOf('rename meta.json')).slice(0, 2)).toEqual([
    'rename meta.json',
    `syncDirectory ${basename(directory)}`,
  ])
  expect(filesIn(directory)).toEqual(['lock.json', 'meta.json'])
  await journal.close()
  const after = await openDirectoryJournal(directory)
  expect(await after.getMeta('storeId')).toBe('the store')
  expect(filesIn(directory)).toEqual(['lock.json', 'meta-copy.json', 'meta.json'])
  await after.close()
})

/** A file system of 200 kB; undefined where we may not make one. */
function smallDisk(): string | undefined {
  const directory = scratch()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', directory], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', [directory]))
  return directory
}

test('a store cannot be made on a full disk, and nothing is left of the try', async context => {
  const disk = smallDisk()
  if (disk === undefined) return context.skip('mounting a small tmpfs needs root')
  expect(() => writeFileSync(join(disk, 'filler'), Buffer.alloc(300_000))).toThrow('ENOSPC')
  const store = join(disk, 'store')
  await expect(openDirectoryJournal(store)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', details: { reason: 'ENOSPC' } })
  expect(filesIn(store)).toEqual([])
})

test('a disk that is really full: NOT_STORED with its reason, nothing half-written, and on it goes when there is room', async context => {
  const disk = smallDisk()
  if (disk === undefined) return context.skip('mounting a small tmpfs needs root')
  const filler = join(disk, 'filler')
  writeFileSync(filler, Buffer.alloc(60_000))
  const directory = join(disk, 'store')
  const journal = await openDirectoryJournal(directory)
  const full = {
    code: 'NOT_STORED',
    details: { reason: 'ENOSPC' },
    message: expect.stringContaining('the disk is full') as string,
  }

  let head = 0
  for (let outcome: unknown = 'appended'; outcome === 'appended';) {
    const next = [1, 2].map(i => ({ seq: head + i, bytes: new Uint8Array(5_000).fill(head + i) }))
    outcome = await journal.append(next).catch((error: unknown) => error)
    if (outcome === 'appended') head += 2
    else expect(outcome).toMatchObject(full)
  }
  expect(head).toBeGreaterThan(4)
  expect((await journal.state()).head).toBe(head)
  expect((await journal.read(0)).length).toBe(head)
  const segments = [1, 2, 3].map(() => new Uint8Array(20_000))
  await expect(journal.saveBase({ generation: 1, segments, floor: head })).rejects.toMatchObject(full)
  expect(await journal.state()).toEqual({ head, floor: 0, generation: 0, deltas: 0 })
  expect(filesIn(directory).filter(name => name.startsWith('base-'))).toEqual([])

  rmSync(filler)
  expect(await journal.append([entry(head + 1)])).toBe('appended')
  expect(await journal.saveBase({ generation: 1, segments: segments.slice(1), floor: head + 1 })).toBe(true)
  await journal.dropBefore(1, head + 1)
  expect(await journal.append([{ seq: head + 2, bytes: new Uint8Array(60_000) }])).toBe('appended')
  await journal.close()
  const after = await openDirectoryJournal(directory)
  expect(await seqsIn(after)).toEqual([head + 2])
  await after.close()
})
