/** How a whole file comes into being: under a temporary name, made durable, then renamed. It is there whole or not at all. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Disk } from './disk.ts'

const TEMPORARY = /\.[0-9a-f]{8}\.tmp$/

/** The name that a temporary file was meant to get; undefined for other files. */
export function temporaryFor(name: string): string | undefined {
  return TEMPORARY.test(name) ? name.replace(TEMPORARY, '') : undefined
}

/**
 * Writes a durable file under a temporary name for `name`.
 * @returns its path
 * @throws the disk's error, and the file is not there
 */
export async function writeTemporary(disk: Disk, directory: string, name: string, bytes: Uint8Array): Promise<string> {
  const path = join(directory, `${name}.${randomBytes(4).toString('hex')}.tmp`)
  try {
    const file = await disk.create(path)
    try {
      await file.write(bytes, 0)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    // What cannot be removed now is removed by the next open.
    await disk.remove(path).catch(() => {})
    throw error
  }
  return path
}

/**
 * Writes the file `name`, replacing what is there. The content is durable when it settles, the name after the next
 * `syncDirectory`.
 * @throws the disk's error, and nothing has changed
 */
export async function replaceFile(disk: Disk, directory: string, name: string, bytes: Uint8Array): Promise<void> {
  const temporary = await writeTemporary(disk, directory, name, bytes)
  try {
    await disk.rename(temporary, join(directory, name))
  } catch (error) {
    await disk.remove(temporary).catch(() => {})
    throw error
  }
}
