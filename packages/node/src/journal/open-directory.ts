/** Opening a directory as a journal: whose is it, is it free, and what has a crash left to be put in order? */
import { resolve } from 'node:path'
import { MemoryError } from '@palimpsest/core'
import type { Journal } from '@palimpsest/core'
import { DirectoryJournal } from './directory-journal.ts'
import { DirectoryLock } from './directory-lock.ts'
import type { Disk } from './disk.ts'
import { nodeDisk } from './disk.ts'
import { JournalLog } from './journal-log.ts'
import { Quarantine } from './quarantine.ts'
import { unavailable } from './storage-error.ts'
import { findStore, sweepFiles } from './store-directory.ts'
import { NEW_STORE, writeMeta } from './store-meta.ts'

export interface DirectoryJournalOptions {
  /**
   * Appends are acknowledged when the operating system has them, not when the disk has: they survive the end of the
   * process, and the last ones not a power cut. Checkpoints are durable as always. Default false.
   */
  readonly relaxed?: boolean
}

/**
 * Opens the store in `directory`, and makes both where they are missing: the directory (0700, with its parents) and files
 * (0600) for their owner alone. Files of other names are left alone.
 *
 * One process at a time has it open. A lock that a dead process left is taken over.
 *
 * @throws {MemoryError} LOCKED when another process, or this one, has it open, `details.pid`; STORE_UNAVAILABLE when it is
 *   a file, may not be written or is on a full disk, holds files of another program under our names, or a store of a newer version,
 *   `details.reason`; STORE_CORRUPT when a store's meta.json is lost
 */
export function openDirectoryJournal(directory: string, options: DirectoryJournalOptions = {}): Promise<Journal> {
  return openJournalOn(nodeDisk, directory, options)
}

/** The same on another disk, for tests. */
export async function openJournalOn(disk: Disk, path: string, { relaxed = false }: DirectoryJournalOptions): Promise<Journal> {
  const directory = resolve(path)
  try {
    // Before the lock, so that a directory that cannot be used is left without a trace.
    await findStore(disk, directory)
    const lock = await DirectoryLock.acquire(disk, directory)
    try {
      return await openLocked(disk, directory, lock, relaxed)
    } catch (error) {
      await lock.release()
      throw error
    }
  } catch (error) {
    // What could not be written here is no write of the caller's.
    throw unavailable(MemoryError.is(error, 'NOT_STORED') ? error.cause : error, directory)
  }
}

async function openLocked(disk: Disk, directory: string, lock: DirectoryLock, relaxed: boolean): Promise<Journal> {
  const found = await findStore(disk, directory)
  const meta = found?.meta ?? NEW_STORE
  if (!found) await writeMeta(disk, directory, meta)
  // A copy that is missing can wait for better times.
  else if (!found.twice) await writeMeta(disk, directory, meta).catch(() => {})
  await lock.sweep()
  await sweepFiles(disk, directory, meta)
  const log = await JournalLog.open(disk, directory, !relaxed, meta)
  const quarantine = await Quarantine.open(disk, directory, log.damage)
  await log.deleteDropped(meta.dropped).catch(() => {})
  return new DirectoryJournal({ disk, directory, lock, log, quarantine, meta })
}
