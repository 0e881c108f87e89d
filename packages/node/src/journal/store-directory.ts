/** Which files of a directory are ours, whether a store may be kept there, and what of it may go. */
import { dirname, join } from 'node:path'
import { MemoryError } from '@palimpsest/core'
import { LOCK_NAME, isLockFile } from './directory-lock.ts'
import type { Disk } from './disk.ts'
import { imageFileNames, isImageFile } from './image-files.ts'
import { isKeyringFile, keyringFileName } from './keyring-file.ts'
import { parseJournalFileName } from './journal-file.ts'
import { parseHolder } from './lock-holder.ts'
import { isQuarantineFile } from './quarantine.ts'
import { temporaryFor } from './replace-file.ts'
import type { FoundMeta, StoreMeta } from './store-meta.ts'
import { META_COPY_NAME, META_NAME, readMeta } from './store-meta.ts'

function isStoreFile(name: string): boolean {
  const isMeta = name === META_NAME || name === META_COPY_NAME
  const isImage = isImageFile(name) || isKeyringFile(name)
  return isMeta || isImage || isQuarantineFile(name) || parseJournalFileName(name) !== undefined
}

/** Everything that we made, temporary files and the lock included, in bytes. @throws the disk's error */
export async function sizeOfStore(disk: Disk, directory: string): Promise<number> {
  const ours = (await disk.names(directory)).filter(name => isStoreFile(temporaryFor(name) ?? name) || isLockFile(name))
  let sizeBytes = 0
  for (const name of ours) sizeBytes += await disk.sizeBytes(join(directory, name))
  return sizeBytes
}

/**
 * Makes the directory where it is missing, and looks whether a store is or may be in it. Files of other names do not
 * matter and are left alone.
 * @returns its meta; undefined where there is no store yet
 * @throws {MemoryError} STORE_CORRUPT when the files of a store are there without a readable meta.json; STORE_UNAVAILABLE
 *   when a file of another program has one of our names, or newer code wrote the store
 * @throws the disk's error
 */
export async function findStore(disk: Disk, directory: string): Promise<FoundMeta | undefined> {
  if (await disk.makeDirectory(directory)) await disk.syncDirectory(dirname(directory))
  const names = await disk.names(directory)
  const found = await readMeta(disk, directory)
  if (found) return found
  // Nothing of a store is written before its meta.json.
  const orphan = names.find(name => isStoreFile(name))
  if (orphan !== undefined) {
    const message = `${directory} holds ${orphan} but no ${META_NAME}: a store that lost it, or files of another program`
    throw new MemoryError('STORE_CORRUPT', message, { reason: `${META_NAME} missing`, directory })
  }
  if (names.includes(LOCK_NAME) && (await isForeignLock(disk, directory))) {
    const message = `The directory ${directory} holds a ${LOCK_NAME} that is not Palimpsest's`
    throw new MemoryError('STORE_UNAVAILABLE', message, { reason: 'foreign', directory })
  }
  return undefined
}

/** An empty one is ours: it is what a power cut leaves of a first open. */
async function isForeignLock(disk: Disk, directory: string): Promise<boolean> {
  const content = Buffer.from(await disk.read(join(directory, LOCK_NAME)).catch(() => new Uint8Array(0))).toString('utf8')
  return content !== '' && parseHolder(content) === undefined
}

/** Deletes temporary files, and images and keyrings that `meta` does not name. @throws the disk's error */
export async function sweepFiles(disk: Disk, directory: string, meta: StoreMeta): Promise<void> {
  const named = new Set([...meta.generations.flatMap(imageFileNames), keyringFileName(meta.keyring)])
  let removed = false
  for (const name of await disk.names(directory)) {
    const lasting = temporaryFor(name)
    const isStray = lasting === undefined ? (isImageFile(name) || isKeyringFile(name)) && !named.has(name) : isStoreFile(lasting)
    if (!isStray) continue
    await disk.remove(join(directory, name))
    removed = true
  }
  if (removed) await disk.syncDirectory(directory)
}
