/** An append that was refused is not there, also when the process is killed before anything else is written. */
import { expect, test } from 'vitest'
import { openDirectoryJournal } from '../../src/index.ts'
import { openJournalOn } from '../../src/journal/open-directory.ts'
import { failure, quickDisk, watchedDisk } from './disks.ts'
import { entries, entry, seqsIn } from './entries.ts'
import { copyOf, scratch } from './scratch.ts'

test.each([0, 1])('after %i appends that were flushed', async before => {
  const directory = scratch()
  let isBroken = false
  const disk = watchedDisk(({ op }) => {
    if (isBroken && op === 'sync') throw failure('EIO')
  }, quickDisk)
  const journal = await openJournalOn(disk, directory, {})
  if (before > 0) await journal.append([entry(1)])
  isBroken = true
  const refused = journal.append(entries(before + 1, before + 3))
  await expect(refused).rejects.toMatchObject({ code: 'NOT_STORED', details: { reason: 'EIO' } })
  await expect(refused).rejects.not.toMatchObject({ details: { outcome: 'unknown' } })
  const killed = await openDirectoryJournal(copyOf(directory))
  expect(await seqsIn(killed)).toEqual(before > 0 ? [1] : [])
  await killed.close()
  isBroken = false
  await journal.close()
})
