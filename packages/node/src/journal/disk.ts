/**
 * The calls to the file system that durability is made of, in one place: what a power cut may undo, and what not, can be
 * read off here, and a test can put a disk in its place that is full, fails, or records.
 *
 * Errors are those of Node (`code: 'ENOSPC'` and so on); `storage-error.ts` translates them where the caller is known.
 */
import type { FileHandle } from 'node:fs/promises'
import { link, mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises'

export interface DiskFile {
  /** Writes all of `bytes`, or throws; then any part of it may be there. */
  write(bytes: Uint8Array, position: number): Promise<void>
  /** When it settles, the content survives a power cut; the name only after `syncDirectory`. */
  sync(): Promise<void>
  /** Cuts the file. Durable when it settles. */
  truncate(sizeBytes: number): Promise<void>
  close(): Promise<void>
}

export interface Disk {
  names(directory: string): Promise<readonly string[]>
  read(path: string): Promise<Uint8Array<ArrayBuffer>>
  sizeBytes(path: string): Promise<number>
  /** Time of the last change of the content, ms since 1970. */
  changedMs(path: string): Promise<number>
  /** Tells one file from another that has or had the same name; undefined where there is none. */
  identity(path: string): Promise<string | undefined>
  /** A new file that only its owner may read or write. @throws EEXIST */
  create(path: string): Promise<DiskFile>
  open(path: string): Promise<DiskFile>
  /** A second name for a file. @throws EEXIST, in one step with other processes */
  link(path: string, secondPath: string): Promise<void>
  /** Replaces what is at `to`, visible at once or not at all. */
  rename(from: string, to: string): Promise<void>
  /** Nothing to remove is fine. */
  remove(path: string): Promise<void>
  /** With its missing parents, for its owner alone. True where it was missing. */
  makeDirectory(path: string): Promise<boolean>
  /** When it settles, names made, changed and removed in it survive a power cut. */
  syncDirectory(path: string): Promise<void>
}

class NodeFile implements DiskFile {
  readonly #handle: FileHandle

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    // A disk that fills up accepts the part that fits and fails on the rest.
    for (let done = 0; done < bytes.byteLength;) {
      done += (await this.#handle.write(bytes, done, bytes.byteLength - done, position + done)).bytesWritten
    }
  }

  sync(): Promise<void> {
    // The size is part of what it flushes; times, which it leaves out, are of no interest.
    return this.#handle.datasync()
  }

  async truncate(sizeBytes: number): Promise<void> {
    await this.#handle.truncate(sizeBytes)
    await this.#handle.sync()
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}

export const nodeDisk: Disk = {
  names: directory => readdir(directory),
  read: async path => {
    const { buffer, byteOffset, byteLength } = await readFile(path)
    // Images are large: they are copied only where Node gave a part of a buffer that it shares out.
    return byteLength === buffer.byteLength
      ? new Uint8Array(buffer)
      : new Uint8Array(buffer.slice(byteOffset, byteOffset + byteLength))
  },
  sizeBytes: async path => (await stat(path)).size,
  changedMs: async path => (await stat(path)).mtimeMs,
  identity: async path => {
    try {
      const { dev, ino, mtimeNs } = await stat(path, { bigint: true })
      // The number alone would not do: it is given again as soon as its file is gone.
      return `${dev}:${ino}:${mtimeNs}`
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return undefined
      throw error
    }
  },
  create: async path => new NodeFile(await open(path, 'wx', 0o600)),
  open: async path => new NodeFile(await open(path, 'r+')),
  link,
  rename,
  remove: path => rm(path, { force: true }),
  makeDirectory: async path => (await mkdir(path, { recursive: true, mode: 0o700 })) !== undefined,
  syncDirectory: async path => {
    // Windows opens no directories; NTFS keeps its names in a journal of its own.
    if (process.platform === 'win32') return
    const handle = await open(path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  },
}

/** Whether `error` is Node's error with one of these codes. */
export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException | null)?.code ?? '')
}
