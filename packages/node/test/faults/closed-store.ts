/** A store that was closed, as its files, and which commit lies at which byte of them. */
import type { Memory } from '@palimpsest/core'
import type { Disk } from '../../src/journal/disk.ts'
import { scanFrames } from '../../src/journal/frame.ts'
import { parseJournalFileName } from '../../src/journal/journal-file.ts'
import { memoryDisk } from '../journal/memory-disk.ts'
import { commit, DIRECTORY, openOn } from './numbered.ts'

export type Files = ReadonlyMap<string, Uint8Array>

export interface ClosedStore {
  readonly files: Files
  /** Those of the same store just before it was closed: what the end of its process would have left. */
  readonly open: Files
  readonly commits: number
  /** Entries up to here are folded into an image. */
  readonly floor: number
}

/** The first commits make the base so large that some deltas are small beside it. */
const LARGE_COMMITS = 3
const PADDING = `.${'padding '.repeat(15_000)}`

/** @param checkpoints after which commits the journal is folded into an image */
export async function closedStore(
  commits: number,
  checkpoints: readonly number[],
  sessions: readonly number[] = [],
): Promise<ClosedStore> {
  const disk = memoryDisk()
  let memory: Memory = await openOn(disk)
  for (let n = 1; n <= commits; n += 1) {
    // One entry a commit, so that the numbers of both are the same.
    await commit(memory, n, n <= LARGE_COMMITS ? PADDING : '')
    if (checkpoints.includes(n)) await memory.checkpoint()
    if (sessions.includes(n)) {
      await memory.close()
      memory = await openOn(disk)
    }
  }
  const { floor } = await memory.health()
  // The lock of a process that is gone means nothing, but this one lives.
  const open = withFile(await filesOn(disk), 'lock.json', undefined)
  await memory.close()
  return { files: await filesOn(disk), open, commits, floor }
}

async function filesOn(disk: Disk): Promise<Files> {
  const files = new Map<string, Uint8Array>()
  for (const name of await disk.names(DIRECTORY)) files.set(name, await disk.read(`${DIRECTORY}/${name}`))
  return files
}

/** The files, one of them changed; undefined takes it away. */
export function withFile(files: Files, name: string, bytes: Uint8Array | undefined): Files {
  const changed = new Map(files)
  if (bytes === undefined) changed.delete(name)
  else changed.set(name, bytes)
  return changed
}

export function flipped(bytes: Uint8Array, offset: number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  copy[offset] = (copy[offset] ?? 0) ^ 0x10
  return copy
}

export function namesOf(files: Files, begin: string): string[] {
  return [...files.keys()].filter(name => name.startsWith(begin)).toSorted()
}

/** For every entry of a journal file: its number, and where its frame lies, the line feed behind it left out. */
export function entriesIn(
  name: string,
  bytes: Uint8Array,
): { readonly seq: number; readonly from: number; readonly to: number }[] {
  const salt = parseJournalFileName(name)?.salt ?? ''
  return scanFrames(bytes, salt).flatMap(frame =>
    frame.kind === 'entry' ? [{ seq: frame.seq, from: frame.from, to: frame.bytesTo }] : [],
  )
}
