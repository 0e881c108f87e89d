/**
 * Images on disk: `base-<generation>-<i>.bin`, i from 0, and `delta-<generation>-<n>.bin`, n from 1, each exactly the bytes
 * that were given. A file counts once `meta.json` names it.
 */
import { join } from 'node:path'
import type { BaseWrite, DeltaWrite, StoredImage } from '@palimpsest/core'
import type { Disk } from './disk.ts'
import { isErrno } from './disk.ts'
import { replaceFile } from './replace-file.ts'
import type { GenerationMeta } from './store-meta.ts'

const NAME = /^(?:base|delta)-\d{1,16}-\d{1,16}\.bin$/

export function isImageFile(name: string): boolean {
  return NAME.test(name)
}

function segmentNames({ generation, segments }: GenerationMeta): string[] {
  return Array.from({ length: segments }, (_, i) => `base-${generation}-${i}.bin`)
}

function deltaNames({ generation, deltas }: GenerationMeta): string[] {
  return Array.from({ length: deltas }, (_, i) => `delta-${generation}-${i + 1}.bin`)
}

export function imageFileNames(generation: GenerationMeta): string[] {
  return [...segmentNames(generation), ...deltaNames(generation)]
}

/** Durable when it settles, but not yet counted. @throws the disk's error, and nothing that was there has changed */
export async function writeBase(disk: Disk, directory: string, { generation, segments }: BaseWrite): Promise<void> {
  const names = segmentNames({ generation, segments: segments.length, deltas: 0 })
  await writeAll(disk, directory, names, segments)
}

/** As writeBase. */
export async function writeDelta(disk: Disk, directory: string, { generation, n, bytes }: DeltaWrite): Promise<void> {
  await writeAll(disk, directory, [`delta-${generation}-${n}.bin`], [bytes])
}

/** Durable when it settles. @throws the disk's error, and none of the files is there */
export async function writeAll(
  disk: Disk,
  directory: string,
  names: readonly string[],
  parts: readonly Uint8Array[],
): Promise<void> {
  try {
    for (const [i, part] of parts.entries()) await replaceFile(disk, directory, names[i] ?? '', part)
    await disk.syncDirectory(directory)
  } catch (error) {
    // On a full disk every byte is wanted; what stays is removed by the next sweep.
    for (const name of names) await disk.remove(join(directory, name)).catch(() => {})
    throw error
  }
}

/** A part that is missing is an empty array, as the port says. @throws the disk's error for other reasons than absence */
export async function readImage(disk: Disk, directory: string, meta: GenerationMeta): Promise<StoredImage> {
  const part = async (name: string): Promise<Uint8Array> => {
    try {
      return await disk.read(join(directory, name))
    } catch (error) {
      // A sector that cannot be read is damage like any other, and must not hide the parts beside it.
      if (isErrno(error, 'ENOENT', 'EIO')) return new Uint8Array(0)
      throw error
    }
  }
  const all = async (names: readonly string[]): Promise<Uint8Array[]> => {
    const parts: Uint8Array[] = []
    for (const name of names) parts.push(await part(name))
    return parts
  }
  return { generation: meta.generation, segments: await all(segmentNames(meta)), deltas: await all(deltaNames(meta)) }
}
