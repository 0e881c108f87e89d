/** A file that is appended to: one write after the other, each whole or taken back. */
import { constants, open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'

export class OpenFile {
  readonly #handle: FileHandle
  readonly #folder: string
  #sizeBytes = 0
  #isNameFlushed = false
  #work: Promise<unknown> = Promise.resolve()
  #closing: Promise<void> | undefined

  private constructor(handle: FileHandle, folder: string) {
    this.#handle = handle
    this.#folder = folder
  }

  /** Makes a new, empty file for its owner alone. @throws Node's error, EEXIST where there is one */
  static async create(path: string): Promise<OpenFile> {
    return new OpenFile(await open(path, 'wx', 0o600), dirname(path))
  }

  /** Settles when the system has it, with `flush` when the disk has. @throws Node's error, EBADF after `close` */
  append(bytes: Uint8Array, flush: boolean): Promise<void> {
    return this.#inTurn(async () => {
      try {
        await this.#write(bytes)
      } catch (error) {
        // What cannot be taken back stays as the part of an append that it is.
        await this.#handle.truncate(this.#sizeBytes).catch(() => {})
        throw error
      }
      this.#sizeBytes += bytes.byteLength
      if (flush) await this.#flush()
    })
  }

  /** Waits for appends under way. */
  close(): Promise<void> {
    this.#closing ??= this.#inTurn(() => this.#handle.close())
    return this.#closing
  }

  async #write(bytes: Uint8Array): Promise<void> {
    // A disk that fills up accepts the part that fits and fails on the rest.
    for (let done = 0; done < bytes.byteLength;) {
      const { bytesWritten } = await this.#handle.write(bytes, done, bytes.byteLength - done, this.#sizeBytes + done)
      done += bytesWritten
    }
  }

  async #flush(): Promise<void> {
    await this.#handle.datasync()
    if (this.#isNameFlushed) return
    await flushFolder(this.#folder)
    this.#isNameFlushed = true
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#work.then(work)
    this.#work = run.catch(() => {})
    return run
  }
}

/** When it settles, the names in it survive a power cut. */
export async function flushFolder(path: string): Promise<void> {
  // Windows opens no folders; NTFS keeps its names in a journal of its own.
  if (process.platform === 'win32') return
  const handle = await open(path, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
