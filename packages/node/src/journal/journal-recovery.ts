/** What is done with the journal files at open: nothing that was acknowledged is touched, and what a crash left goes. */
import { join } from 'node:path'
import type { Disk } from './disk.ts'
import { isErrno } from './disk.ts'
import type { Frame } from './frame.ts'
import { encodeSeal, scanFrames } from './frame.ts'
import type { JournalFileName } from './journal-file.ts'
import { isSealed, lastSeq, parseJournalFileName, wholeAppendsEnd } from './journal-file.ts'

export interface FoundFile {
  readonly file: JournalFileName
  readonly frames: readonly Frame[]
  /** The highest entry that it holds or held. */
  readonly last: number
}

/**
 * Every journal file, lowest first. Damage inside is left where it is. `closedHead`: up to here was everything stored when the
 * store was closed, so that a file begun by then is no file that a process died over.
 * @throws the disk's error
 */
export async function recoverJournalFiles(disk: Disk, directory: string, closedHead: number): Promise<FoundFile[]> {
  const names = (await disk.names(directory)).flatMap(name => parseJournalFileName(name) ?? [])
  names.sort((a, b) => a.first - b.first)
  const found: FoundFile[] = []
  for (const [i, file] of names.entries()) {
    // Two files of one salt: the lower is the original of a file that was shortened, and only had to be removed.
    if (names.slice(i + 1).some(({ salt }) => salt === file.salt)) await disk.remove(join(directory, file.name))
    else {
      const frames = scanFrames(await disk.read(join(directory, file.name)), file.salt)
      // The next file was begun behind everything that this one held, what is damaged now included.
      const next = names[i + 1]?.first ?? 0
      found.push({ file, frames, last: Math.max(lastSeq(frames, file.first), next - 1) })
    }
  }
  await cutTornAppends(disk, directory, found, closedHead)
  return found
}

/** Only the newest file can have been written when the process died; where nothing remains of it, the one before counts as newest. */
async function cutTornAppends(disk: Disk, directory: string, found: FoundFile[], closedHead: number): Promise<void> {
  for (let newest = found.at(-1); newest; newest = found.at(-1)) {
    const { file, frames } = newest
    if (file.first <= closedHead) return
    const path = join(directory, file.name)
    const sizeBytes = frames.at(-1)?.to ?? 0
    if (isSealed(frames)) return await endFile(disk, path, sizeBytes, sizeBytes)
    const { end, last } = wholeAppendsEnd(frames, file.first)
    if (end > 0) {
      found[found.length - 1] = { file, frames: frames.filter(({ to }) => to <= end), last }
      return await endFile(disk, path, sizeBytes, end, encodeSeal(last, file.salt))
    }
    await disk.remove(path)
    found.pop()
  }
}

/** Cuts what is torn and seals the rest, so that damage which comes later is not taken for another crash. */
async function endFile(disk: Disk, path: string, sizeBytes: number, end: number, seal?: Uint8Array): Promise<void> {
  const handle = await disk.open(path)
  try {
    if (end < sizeBytes) await handle.truncate(end)
    try {
      if (seal) await handle.write(seal, end)
    } catch (error) {
      // On a disk that is full the store must still be readable, and deletable. The seal can be done without.
      if (!isErrno(error, 'ENOSPC', 'EDQUOT')) throw error
      await handle.truncate(end)
    }
    // A process that was killed may have left what it wrote in memory only, and from here on it is read.
    await handle.sync()
  } finally {
    await handle.close()
  }
}
