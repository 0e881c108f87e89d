/** `deleteMemory`: a store goes, with everything that could bring it back. */
import { MemoryError } from '@palimpsest/core'
import type { MirrorPlace } from '@palimpsest/core'
import { databaseName } from '../journal/database-name.ts'
import { emptyPlace } from '../mirror/empty-place.ts'
import { removeOpfsPlace } from '../mirror/opfs-folder.ts'
import { whileDeleting } from './opening-lock.ts'
import { witnessKey } from './store-witness.ts'

export interface DeleteMemoryOptions {
  /** Which memory of this origin, as `openMemory` took it. */
  readonly name: string
  /** The place that `openMemory` was given for its mirror, opened anew. It is emptied, and stays open. */
  readonly mirror?: MirrorPlace
  /** How long to wait for other tabs, in ms: to open it, to let go of the mirror's files, and of the database. Default 10,000. */
  readonly timeoutMs?: number
}

/**
 * Deletes a memory of this origin: its mirror, what the page wrote down about it, its database. Nothing to delete is fine.
 * Afterwards a memory of the same name is a new one.
 *
 * Close it first, in this tab and the others: a tab that has it open holds a file of its mirror.
 *
 * The order is such that whatever breaks off in the middle leaves the whole memory, without its mirror, or nothing: a database
 * that is gone while something else still knows of it would be taken for one that the browser lost, and be restored.
 *
 * @throws {MemoryError} INVALID_ARGUMENT; STORE_UNAVAILABLE when a tab does not let go within `timeoutMs`: with
 *   `details.reason: 'held'` of a file, or does not come to the end of opening it, and the memory stays; with `'blocked'` of
 *   the database, which the browser then deletes as soon as that tab is gone. Or when there is no IndexedDB, or it refuses.
 */
export async function deleteMemory({ name, mirror, timeoutMs = 10_000 }: DeleteMemoryOptions): Promise<void> {
  if (typeof name !== 'string' || name === '') {
    throw new MemoryError('INVALID_ARGUMENT', '`name` must be the name of a memory', { field: 'name' })
  }
  const removeCopies = async (): Promise<void> => {
    if (mirror) await emptyPlace(mirror, timeoutMs)
    await removeOpfsPlace(name, timeoutMs)
  }
  await whileDeleting(name, timeoutMs, async () => {
    await removeCopies()
    forget(name)
    await deleteDatabase(databaseName(name), timeoutMs)
    // A tab that had it open and held no file may have been copying something when its database went.
    await removeCopies()
  })
}

function forget(name: string): void {
  try {
    localStorage.removeItem(witnessKey(name))
  } catch {
    // Refused to this page, which could not have written it.
  }
}

function deleteDatabase(name: string, timeoutMs: number): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    if (typeof indexedDB === 'undefined') return reject(notDeleted('no IndexedDB'))
    // Other tabs let go when they hear of it; one that is stopped does not hear.
    const patience = setTimeout(() => reject(notDeleted('blocked')), timeoutMs)
    const settle = (settled: () => void): void => {
      clearTimeout(patience)
      settled()
    }
    try {
      const request = indexedDB.deleteDatabase(name)
      request.onsuccess = () => settle(resolve)
      request.onerror = () => settle(() => reject(notDeleted(request.error?.name ?? 'UnknownError', request.error)))
    } catch (error) {
      settle(() => reject(notDeleted(error instanceof DOMException ? error.name : String(error), error)))
    }
  })
}

function notDeleted(reason: string, cause?: unknown): MemoryError {
  return new MemoryError('STORE_UNAVAILABLE', `The database of the memory cannot be deleted: ${reason}`, { reason }, { cause })
}
