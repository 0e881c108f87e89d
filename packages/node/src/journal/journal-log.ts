/**
 * The entries of a store: the journal files of a directory in the order of their numbers, and the one being written.
 *
 * ```
 *   journal-…01-a.bin │ journal-…14-b.bin │ journal-…20-c.bin
 *   1 … 13, sealed    │ 14 … 19, sealed   │ 20 21 22 ▏            only the newest file can end in a torn append
 * ```
 */
import { join } from 'node:path'
import type { StoredEntry } from '@palimpsest/core'
import type { Disk } from './disk.ts'
import type { EntryFrame, Frame } from './frame.ts'
import { sumOf } from './frame.ts'
import type { JournalFileName } from './journal-file.ts'
import { journalFileName } from './journal-file.ts'
import { shortenedCopy } from './journal-dropping.ts'
import type { FoundFile } from './journal-recovery.ts'
import { recoverJournalFiles } from './journal-recovery.ts'
import { JournalWriter } from './journal-writer.ts'
import type { DamagedBytes } from './quarantine.ts'
import { notStored } from './storage-error.ts'

interface FileInUse {
  readonly file: JournalFileName
  last: number
}

interface Place {
  readonly file: JournalFileName
  readonly frame: EntryFrame
}

export class JournalLog {
  /** What was found in the files that is no frame. */
  readonly damage: DamagedBytes[] = []
  readonly #disk: Disk
  readonly #directory: string
  readonly #flush: boolean
  readonly #files: FileInUse[] = []
  readonly #places = new Map<number, Place>()
  /** Files of which nothing is needed any more, but which could not be removed for certain yet. */
  readonly #obsolete = new Set<string>()
  #writer: JournalWriter | undefined
  #head: number
  /** Entries up to here were dropped. */
  #hidden: number

  private constructor(disk: Disk, directory: string, flush: boolean, found: readonly FoundFile[], dropped: number) {
    this.#disk = disk
    this.#directory = directory
    this.#flush = flush
    this.#head = dropped
    this.#hidden = dropped
    for (const { file, frames, last } of found) {
      this.#files.push({ file, last })
      this.#head = Math.max(this.#head, last)
      this.#locate(file, frames)
      for (const { kind, from, to } of frames) if (kind === 'damage') this.damage.push({ file, from, to })
    }
  }

  /**
   * Reads every journal file, and cuts off what a crash left at the end of the newest. `dropped`: entries up to here were
   * dropped, whether or not their files could be deleted. `closedHead`: as in StoreMeta.
   */
  static async open(
    disk: Disk,
    directory: string,
    flush: boolean,
    { dropped, closedHead }: { readonly dropped: number; readonly closedHead: number },
  ): Promise<JournalLog> {
    return new JournalLog(disk, directory, flush, await recoverJournalFiles(disk, directory, closedHead), dropped)
  }

  /** The highest entry that was ever acknowledged here and not dropped; else what was dropped. */
  get head(): number {
    return this.#head
  }

  /** Durable when it settles. The first entry is above the head. @throws {MemoryError} NOT_STORED, as JournalWriter.append */
  async append(entries: readonly StoredEntry[]): Promise<void> {
    const writer = (this.#writer ??= await this.#newWriter(entries[0]?.seq ?? this.#head + 1))
    const frames = await writer.append(entries)
    this.#locate(writer.file, frames)
    this.#head = entries.at(-1)?.seq ?? this.#head
    const current = this.#files.at(-1)
    if (current) current.last = this.#head
  }

  /** Entries above `after`, ascending; those that can no longer be read are left out. @throws the disk's error */
  async read(after: number): Promise<StoredEntry[]> {
    const wanted = [...this.#places].filter(([seq]) => seq > after).toSorted(([a], [b]) => a - b)
    const contents = new Map<JournalFileName, Uint8Array>()
    const entries: StoredEntry[] = []
    for (const [seq, { file, frame }] of wanted) {
      const content = contents.get(file) ?? (await this.#disk.read(join(this.#directory, file.name)))
      contents.set(file, content)
      const bytes = content.slice(frame.bytesFrom, frame.bytesTo)
      // The disk may have lost it since it was read or written.
      if (sumOf(bytes) === frame.sum) entries.push({ seq, bytes })
    }
    return entries
  }

  /** Ends the current file, so that what is appended from now on can be kept when everything before it goes. */
  async rotate(): Promise<void> {
    const writer = this.#writer
    this.#writer = undefined
    if (writer && !(await writer.end(this.#head))) this.#files.pop()
  }

  /** Hides the entries up to `upTo` from now on. The bytes go by `deleteDropped`. */
  hide(upTo: number): void {
    this.#head = Math.max(this.#head, upTo)
    this.#hidden = upTo
    for (const seq of this.#places.keys()) if (seq <= upTo) this.#places.delete(seq)
  }

  /** Deletes the bytes of the entries up to `upTo`. Those above it stay readable at every moment. @throws the disk's error */
  async deleteDropped(upTo: number): Promise<void> {
    if (this.#writer && this.#writer.file.first <= upTo) await this.rotate()
    for (const used of [...this.#files]) {
      if (used.file.first > upTo) continue
      const at = this.#files.indexOf(used)
      if (used.last > upTo) {
        const { file, frames, last } = await shortenedCopy(this.#disk, this.#directory, used.file, used.last, upTo)
        this.#files.splice(at, 1, { file, last })
        this.#locate(file, frames)
      } else this.#files.splice(at, 1)
      this.#obsolete.add(used.file.name)
    }
    if (this.#obsolete.size === 0) return
    for (const name of this.#obsolete) await this.#disk.remove(join(this.#directory, name))
    await this.#disk.syncDirectory(this.#directory)
    this.#obsolete.clear()
  }

  /** Entries that were dropped stay hidden, even where their frames are still there. */
  #locate(file: JournalFileName, frames: readonly Frame[]): void {
    for (const frame of frames)
      if (frame.kind === 'entry' && frame.seq > this.#hidden) this.#places.set(frame.seq, { file, frame })
  }

  async #newWriter(first: number): Promise<JournalWriter> {
    const file = journalFileName(first)
    try {
      const writer = await JournalWriter.create(this.#disk, this.#directory, file, this.#flush)
      this.#files.push({ file, last: first - 1 })
      return writer
    } catch (error) {
      throw notStored(error)
    }
  }
}
