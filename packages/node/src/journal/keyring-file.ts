/**
 * The keyring on disk: `keyring-<revision>.bin`, exactly the bytes that were given. It counts once `meta.json` names its
 * revision, so one that was lost or damaged is known from none.
 */
import { join } from 'node:path'
import type { StoredKeyring } from '@palimpsest/core'
import type { Disk } from './disk.ts'
import { isErrno } from './disk.ts'
import { writeAll } from './image-files.ts'

const NAME = /^keyring-\d{1,16}\.bin$/

export function isKeyringFile(name: string): boolean {
  return NAME.test(name)
}

export function keyringFileName(revision: number): string {
  return `keyring-${revision}.bin`
}

/** Durable when it settles, but not yet counted. @throws the disk's error, and nothing that was there has changed */
export async function writeKeyringFile(disk: Disk, directory: string, { revision, bytes }: StoredKeyring): Promise<void> {
  await writeAll(disk, directory, [keyringFileName(revision)], [bytes])
}

/**
 * The keyring of `revision`; undefined for 0. One that is lost or cannot be read has no bytes: whether it can be used is
 * judged by the checksum inside, and its revision is needed to put another in its place.
 * @throws the disk's error for other reasons
 */
export async function readKeyringFile(disk: Disk, directory: string, revision: number): Promise<StoredKeyring | undefined> {
  if (revision === 0) return undefined
  try {
    return { revision, bytes: await disk.read(join(directory, keyringFileName(revision))) }
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'EIO')) return { revision, bytes: new Uint8Array(0) }
    throw error
  }
}
