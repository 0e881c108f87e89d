/**
 * Where the mirror of a store lies in the origin's private file system: `palimpsest/<encoded store name>/`.
 *
 * A store's name may hold any character, and some systems take `A` and `a` for one name or allow 255 bytes at most. So the
 * encoded name is what can be read of it, for people, and a hash of all of it, so that names that differ stay different.
 */
import { MemoryError } from '@palimpsest/core'

const ROOT = 'palimpsest'
const READABLE_LENGTH = 40
const HASH_BYTES = 16
/** Between two tries to remove what somebody holds, in ms. */
const RETRY_MS = 50

/** The folder of a store, made where it is missing; undefined where there is no private file system or it refuses. */
export async function openOpfsFolder(storeName: string): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    const top = await navigator.storage.getDirectory()
    const root = await top.getDirectoryHandle(ROOT, { create: true })
    return await root.getDirectoryHandle(await encodedName(storeName), { create: true })
  } catch {
    // Missing, an insecure context, a private window, no room for a folder: the store is kept, and has no mirror here.
    return undefined
  }
}

/**
 * Removes the mirror of a store with all its files, from a page or a worker. Nothing to remove is fine, and so is a browser
 * without a private file system.
 *
 * @param patienceMs How long to wait for tabs that hold files of it to let go.
 * @throws {MemoryError} STORE_UNAVAILABLE when somebody still holds a file (`details.reason: 'held'`), or it cannot be
 *   removed for another reason; then some or all of it is still there.
 */
export async function removeOpfsPlace(storeName: string, patienceMs: number = 5_000): Promise<void> {
  const root = await existingRoot()
  if (root === undefined) return
  const name = await encodedName(storeName)
  const untilMs = performance.now() + patienceMs
  for (;;) {
    try {
      await root.removeEntry(name, { recursive: true })
      return
    } catch (error) {
      const reason = nameOf(error)
      if (reason === 'NotFoundError') return
      const isHeld = reason === 'NoModificationAllowedError'
      if (!isHeld || performance.now() >= untilMs) throw notRemoved(isHeld ? 'held' : reason, error)
    }
    await new Promise(resolve => setTimeout(resolve, RETRY_MS))
  }
}

/** Undefined as well where the file system refuses, as in some private windows: it refuses who would write there too. */
async function existingRoot(): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    return await (await navigator.storage.getDirectory()).getDirectoryHandle(ROOT)
  } catch {
    return undefined
  }
}

async function encodedName(storeName: string): Promise<string> {
  // By UTF-16 units, not as UTF-8, which knows no lone surrogates.
  const units = Uint16Array.from({ length: storeName.length }, (_, i) => storeName.charCodeAt(i))
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', units)).subarray(0, HASH_BYTES)
  const hex = Array.from(hash, byte => byte.toString(16).padStart(2, '0')).join('')
  const readable = storeName
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, READABLE_LENGTH)
  return `${readable}-${hex}`
}

/** The name of a DOMException, by which browsers say what went wrong. */
export function nameOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : String(error)
}

function notRemoved(reason: string, cause: unknown): MemoryError {
  const why = reason === 'held' ? 'another tab has the memory open' : reason
  return new MemoryError('STORE_UNAVAILABLE', `The mirror of the store cannot be removed: ${why}`, { reason }, { cause })
}
