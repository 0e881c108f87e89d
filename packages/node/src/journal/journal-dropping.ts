/** How entries leave the disk: files that hold nothing else are deleted; a file that also holds later ones is shortened. */
import { join } from 'node:path'
import type { Disk } from './disk.ts'
import { scanFrames } from './frame.ts'
import type { JournalFileName } from './journal-file.ts'
import { journalFileName, keptFrom, lastSeq } from './journal-file.ts'
import type { FoundFile } from './journal-recovery.ts'
import { replaceFile } from './replace-file.ts'

/**
 * Deletes the entries up to `upTo` of one file that is not being written; `last` is the highest it holds.
 * @returns the file that holds the rest; undefined where nothing is left
 * @throws the disk's error; then the file, or its shortened copy, or both are there, and recovery knows what to do
 */
export async function dropFromFile(
  disk: Disk,
  directory: string,
  file: JournalFileName,
  last: number,
  upTo: number,
): Promise<FoundFile | undefined> {
  const path = join(directory, file.name)
  let kept: FoundFile | undefined
  if (last > upTo) {
    const content = await disk.read(path)
    const rest = content.subarray(keptFrom(scanFrames(content, file.salt), last, upTo) ?? content.byteLength)
    // The same salt, so that frames stay valid as they are; a higher first number, so that the copy is known from the original.
    const shorter = journalFileName(upTo + 1, file.salt)
    const frames = scanFrames(rest, file.salt)
    kept = { file: shorter, frames, last: Math.max(last, lastSeq(frames, shorter.first)) }
    await replaceFile(disk, directory, shorter.name, rest)
    await disk.syncDirectory(directory)
  }
  await disk.remove(path)
  await disk.syncDirectory(directory)
  return kept
}
