/** The journal file that a session appends to: one write and one flush for each append, and back to the last good end when that fails. */
import { join } from 'node:path'
import type { StoredEntry } from '@palimpsest/core'
import type { Disk, DiskFile } from './disk.ts'
import type { EntryFrame } from './frame.ts'
import { encodeAppend, encodeSeal } from './frame.ts'
import type { JournalFileName } from './journal-file.ts'
import { notStored } from './storage-error.ts'

export class JournalWriter {
  readonly file: JournalFileName
  readonly #path: string
  readonly #disk: Disk
  readonly #handle: DiskFile
  readonly #flush: boolean
  /** Everything before this offset is acknowledged. */
  #end = 0
  /** Set when the file could not be brought back to `#end`: an append behind a torn one would be lost with it. */
  #broken: unknown

  private constructor(disk: Disk, path: string, file: JournalFileName, handle: DiskFile, flush: boolean) {
    this.file = file
    this.#disk = disk
    this.#path = path
    this.#handle = handle
    this.#flush = flush
  }

  /** @throws the disk's error, and no file is there */
  static async create(disk: Disk, directory: string, file: JournalFileName, flush: boolean): Promise<JournalWriter> {
    const path = join(directory, file.name)
    const handle = await disk.create(path)
    try {
      // Now, so that no append is acknowledged in a file whose name a power cut would take away.
      await disk.syncDirectory(directory)
    } catch (error) {
      await handle.close().catch(() => {})
      await disk.remove(path).catch(() => {})
      throw error
    }
    return new JournalWriter(disk, path, file, handle, flush)
  }

  /**
   * Adds the entries as one append. Durable when it settles (written, without `flush`).
   * @throws {MemoryError} NOT_STORED: nothing of them is there; with `outcome: 'unknown'`, it could not be taken back, and
   *   every later append is refused.
   */
  async append(entries: readonly StoredEntry[]): Promise<readonly EntryFrame[]> {
    if (this.#broken !== undefined) throw notStored(this.#broken)
    const { bytes, frames } = encodeAppend(entries, this.file.salt, this.#end)
    await this.#write(bytes, this.#flush)
    return frames
  }

  /**
   * Says that the file ends here on purpose, and lets go of it; a file without entries goes. Nothing is lost without the
   * seal or with an empty file, so failing is silent.
   * @returns whether the file is still there
   */
  async end(last: number): Promise<boolean> {
    const isEmpty = this.#end === 0
    if (!isEmpty && this.#broken === undefined) await this.#write(encodeSeal(last, this.file.salt), true).catch(() => {})
    await this.#handle.close().catch(() => {})
    if (isEmpty) await this.#disk.remove(this.#path).catch(() => {})
    return !isEmpty
  }

  async #write(bytes: Uint8Array, flush: boolean): Promise<void> {
    try {
      await this.#handle.write(bytes, this.#end)
      if (flush) await this.#handle.sync()
    } catch (error) {
      try {
        await this.#handle.truncate(this.#end)
      } catch {
        this.#broken = error
        throw notStored(error, 'unknown')
      }
      throw notStored(error)
    }
    this.#end += bytes.byteLength
  }
}
