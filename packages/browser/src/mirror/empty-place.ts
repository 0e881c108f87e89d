/** Removes every file of a mirror's place, when its store is deleted. */
import { MemoryError } from '@palimpsest/core'
import type { MirrorPlace } from '@palimpsest/core'

/** Between two tries to remove what somebody holds, in ms. */
const RETRY_MS = 50

/**
 * @param patienceMs How long to wait for replicas that hold files of it to let go.
 * @throws {MemoryError} STORE_UNAVAILABLE when one still holds a file (`details.reason: 'held'`), or as the place says; some or
 *   all of the files are there then.
 */
export async function emptyPlace(place: MirrorPlace, patienceMs: number): Promise<void> {
  const untilMs = performance.now() + patienceMs
  for (;;) {
    const names = await place.list()
    const removed = await Promise.all(names.map(name => place.remove(name)))
    if (removed.every(Boolean)) return
    if (performance.now() >= untilMs) throw held()
    await new Promise(resolve => setTimeout(resolve, RETRY_MS))
  }
}

function held(): MemoryError {
  const message = 'The mirror of the store cannot be removed: somebody has the memory open'
  return new MemoryError('STORE_UNAVAILABLE', message, { reason: 'held' })
}
