/**
 * `meta.json`: which store this is and where it stands. Replacing it is the commit point of every checkpoint: what it does
 * not name is not there, whatever files lie around it, and what it names and is not there was lost.
 *
 * It is small enough to be kept twice. `meta-copy.json` is written after it, and read only where `meta.json` is damaged;
 * entries and images are deleted after both, so that what the copy names is still there even when it is one step older.
 */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { MemoryError } from '@palimpsest/core'
import type { JournalMetaKey } from '@palimpsest/core'
import type { Disk } from './disk.ts'
import { isErrno } from './disk.ts'
import { sumOf } from './frame.ts'
import { replaceFile } from './replace-file.ts'
import { notStored } from './storage-error.ts'

export const META_NAME = 'meta.json'
export const META_COPY_NAME = 'meta-copy.json'

const MARK = 'directory journal'
const VERSION = 1

/** One stored image: how many files belong to it. */
export interface GenerationMeta {
  readonly generation: number
  readonly segments: number
  readonly deltas: number
}

export interface StoreMeta {
  readonly ids: Readonly<Partial<Record<JournalMetaKey, string>>>
  /** As JournalState.floor. */
  readonly floor: number
  /** Entries up to here were dropped; some of their bytes may wait for the next sweep. */
  readonly dropped: number
  /** Lowest first; the last is the current one. */
  readonly generations: readonly GenerationMeta[]
  /** Revision of the keyring; 0 where none was ever written. */
  readonly keyring: number
  /** The head when the store was last closed; 0 where it never was. What is missing below it was lost later. */
  readonly closedHead: number
}

export const NEW_STORE: StoreMeta = { ids: {}, floor: 0, dropped: 0, generations: [], keyring: 0, closedHead: 0 }

function encodeMeta(meta: StoreMeta): Uint8Array {
  const content = { palimpsest: MARK, version: VERSION, ...meta }
  return Buffer.from(`${JSON.stringify({ ...content, sum: sumOf(JSON.stringify(content)) }, null, 2)}\n`)
}

type Parsed = { readonly meta: StoreMeta } | { readonly problem: 'missing' | 'foreign' | 'damaged' | 'newer' }

function parseMeta(bytes: Uint8Array): Parsed {
  let content: Record<string, unknown>
  try {
    content = JSON.parse(Buffer.from(bytes).toString('utf8')) as Record<string, unknown>
  } catch {
    return { problem: 'damaged' }
  }
  if (content?.palimpsest !== MARK) return { problem: 'foreign' }
  const { sum, ...signed } = content
  if (sum !== sumOf(JSON.stringify(signed))) return { problem: 'damaged' }
  if (signed.version !== VERSION) return { problem: 'newer' }
  // The last two came later than the first stores.
  const { ids, floor, dropped, generations, keyring, closedHead } = { ...NEW_STORE, ...(signed as Partial<StoreMeta>) }
  return { meta: { ids, floor, dropped, generations, keyring, closedHead } }
}

async function readMetaFile(disk: Disk, directory: string, name: string): Promise<Parsed> {
  try {
    return parseMeta(await disk.read(join(directory, name)))
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return { problem: 'missing' }
    throw error
  }
}

export interface FoundMeta {
  readonly meta: StoreMeta
  /** Both copies are there and the same. */
  readonly twice: boolean
}

/**
 * The meta of the store in a directory; undefined where there is no store.
 * @throws {MemoryError} STORE_CORRUPT when neither copy can be read; STORE_UNAVAILABLE when newer code or another program
 *   wrote them
 */
export async function readMeta(disk: Disk, directory: string): Promise<FoundMeta | undefined> {
  const first = await readMetaFile(disk, directory, META_NAME)
  const copy = await readMetaFile(disk, directory, META_COPY_NAME)
  if ('meta' in first) return { meta: first.meta, twice: 'meta' in copy && isDeepStrictEqual(first.meta, copy.meta) }
  const problems = [first.problem, 'problem' in copy ? copy.problem : undefined]
  if (problems.includes('newer')) throw refused(directory, 'newer', 'was written by a newer version of Palimpsest')
  if ('meta' in copy) return { meta: copy.meta, twice: false }
  if (problems.every(problem => problem === 'missing')) return undefined
  if (problems.includes('foreign')) throw refused(directory, 'foreign', `holds a ${META_NAME} that is not Palimpsest's`)
  throw new MemoryError('STORE_CORRUPT', `${META_NAME} in ${directory} cannot be read`, { reason: META_NAME, directory })
}

function refused(directory: string, reason: string, why: string): MemoryError {
  return new MemoryError('STORE_UNAVAILABLE', `The directory ${directory} ${why}`, { reason, directory })
}

/** Some file systems do what is asked and report a failure all the same: what stands there decides. */
async function isUnchanged(disk: Disk, directory: string, meta: StoreMeta): Promise<boolean> {
  const now = await readMetaFile(disk, directory, META_NAME).catch(() => undefined)
  if (now === undefined) return false
  return 'meta' in now ? !isDeepStrictEqual(now.meta, meta) : now.problem === 'missing'
}

/**
 * Commits `meta`. When it settles it is durable.
 * @throws {MemoryError} NOT_STORED, and nothing changed; with `outcome: 'unknown'`, a restart may find either
 */
export async function writeMeta(disk: Disk, directory: string, meta: StoreMeta): Promise<void> {
  const bytes = encodeMeta(meta)
  try {
    await replaceFile(disk, directory, META_NAME, bytes)
  } catch (error) {
    throw (await isUnchanged(disk, directory, meta)) ? notStored(error) : notStored(error, 'unknown')
  }
  try {
    await disk.syncDirectory(directory)
  } catch (error) {
    throw notStored(error, 'unknown')
  }
  try {
    await replaceFile(disk, directory, META_COPY_NAME, bytes)
    await disk.syncDirectory(directory)
  } catch {
    // Better none than one that is too old: the entries it would need are about to be deleted.
    await disk.remove(join(directory, META_COPY_NAME)).catch(() => {})
  }
}
