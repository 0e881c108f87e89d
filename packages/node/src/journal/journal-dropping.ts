/** How a file that holds entries to be dropped and entries to be kept loses the former: a shorter copy takes its place. */
import { join } from 'node:path'
import type { Disk } from './disk.ts'
import { scanFrames } from './frame.ts'
import type { JournalFileName } from './journal-file.ts'
import { journalFileName, keptFrom } from './journal-file.ts'
import type { FoundFile } from './journal-recovery.ts'
import { replaceFile } from './replace-file.ts'

/**
 * Writes the copy of a file without the entries up to `upTo`; `last`, the highest that it holds, is above. The file is not
 * being written, and is still there afterwards: removing it is the next step, and recovery does it when there is a copy.
 * @throws the disk's error; the copy may be there
 */
export async function shortenedCopy(
  disk: Disk,
  directory: string,
  file: JournalFileName,
  last: number,
  upTo: number,
): Promise<FoundFile> {
  const content = await disk.read(join(directory, file.name))
  const rest = content.subarray(keptFrom(scanFrames(content, file.salt), last, upTo) ?? content.byteLength)
  // The same salt, so that frames stay valid as they are; a higher first number, so that the copy is known from the original.
  const copy = journalFileName(upTo + 1, file.salt)
  await replaceFile(disk, directory, copy.name, rest)
  await disk.syncDirectory(directory)
  return { file: copy, frames: scanFrames(rest, file.salt), last }
}
