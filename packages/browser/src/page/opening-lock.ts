/**
 * Opening a memory and deleting it do not overlap, or a tab that opens in the middle would bring back, from its database, the
 * mirror that is gone already, and the next opening would restore the deleted store from it. Openings share a Web Lock; a
 * deletion has it alone.
 */
import { MemoryError } from '@palimpsest/core'
import { acquireLock } from '../bounded-lock.ts'

/** Longer than a deletion takes that waits for others with its default patience, in ms. */
const OPENING_WAIT_MS = 40_000

/** @throws {MemoryError} STORE_UNAVAILABLE, `details.reason: 'deleting'`, when a deletion of it does not end within 40 s */
export function whileOpening<T>(storeName: string, open: () => Promise<T>): Promise<T> {
  const message = 'The memory is being deleted in another tab: wait until it is done, or close that tab'
  return holding(storeName, { mode: 'shared', waitMs: OPENING_WAIT_MS }, { message, reason: 'deleting' }, open)
}

/** @throws {MemoryError} STORE_UNAVAILABLE, `details.reason: 'held'`, when a tab that opens it, or deletes it, does not end in time */
export function whileDeleting<T>(storeName: string, waitMs: number, remove: () => Promise<T>): Promise<T> {
  const message = 'The memory cannot be deleted: another tab is opening it'
  return holding(storeName, { mode: 'exclusive', waitMs }, { message, reason: 'held' }, remove)
}

async function holding<T>(
  storeName: string,
  lock: { readonly mode: LockMode; readonly waitMs: number },
  refusal: { readonly message: string; readonly reason: string },
  work: () => Promise<T>,
): Promise<T> {
  const release = await acquireLock(`palimpsest:${storeName}:opening`, lock)
  if (!release) throw new MemoryError('STORE_UNAVAILABLE', refusal.message, { reason: refusal.reason })
  try {
    return await work()
  } finally {
    release()
  }
}
