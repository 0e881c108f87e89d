/**
 * What is damaged in journal files, kept beside them: `quarantine-<salt>-<sum>.bin`, exactly the bytes that were found.
 *
 * The journal file is left as it is, but goes when an image holds its entries. What could not be read in it stays, for who can
 * make something of it, until `dropBefore` takes it too: it may hold what the person has erased.
 */
import { join } from 'node:path'
import type { Damage } from '@palimpsest/core'
import type { Disk } from './disk.ts'
import { sumOf } from './frame.ts'
import type { JournalFileName } from './journal-file.ts'
import { replaceFile } from './replace-file.ts'

const NAME = /^quarantine-[0-9a-f]{16}-[0-9a-f]{16}\.bin$/

export function isQuarantineFile(name: string): boolean {
  return NAME.test(name)
}

/** Where in a journal file it is. */
export interface DamagedBytes {
  readonly file: JournalFileName
  readonly from: number
  readonly to: number
}

export class Quarantine {
  readonly #disk: Disk
  readonly #directory: string
  readonly #found: readonly DamagedBytes[]
  /** Names of the files for what was found in the journal. */
  readonly #names = new Set<string>()

  private constructor(disk: Disk, directory: string, found: readonly DamagedBytes[]) {
    this.#disk = disk
    this.#directory = directory
    this.#found = found
  }

  /** Keeps what was found, as far as the disk lets it: what was not kept is still in the journal, and tried at the next open. */
  static async open(disk: Disk, directory: string, found: readonly DamagedBytes[]): Promise<Quarantine> {
    const quarantine = new Quarantine(disk, directory, found)
    // A disk that is full must keep nobody from reading.
    await quarantine.#keep().catch(() => {})
    return quarantine
  }

  async #keep(): Promise<void> {
    if (this.#found.length === 0) return
    const contents = new Map<string, Uint8Array>()
    const damaged = new Map<string, Uint8Array>()
    for (const { file, from, to } of this.#found) {
      const content = contents.get(file.name) ?? (await this.#disk.read(join(this.#directory, file.name)))
      contents.set(file.name, content)
      const bytes = content.slice(from, to)
      // Not by its place: a shortened copy of the file has the same bytes elsewhere.
      const name = `quarantine-${file.salt}-${sumOf(bytes)}.bin`
      damaged.set(name, bytes)
      this.#names.add(name)
    }
    const there = new Set(await this.#disk.names(this.#directory))
    for (const [name, bytes] of damaged) {
      if (!there.has(name)) await replaceFile(this.#disk, this.#directory, name, bytes)
    }
    await this.#disk.syncDirectory(this.#directory)
  }

  /** What was found at open, and what is kept of files that are gone since. @throws the disk's error */
  async damage(): Promise<Damage[]> {
    const found = this.#found.map(({ file, from, to }) => `bytes ${from} to ${to} of ${file.name}`)
    const earlier = (await this.#kept()).filter(name => !this.#names.has(name)).map(name => `the bytes in ${name}`)
    return [...found, ...earlier].map(what => ({ what, reason: 'unreadable' }))
  }

  /** Deletes what is kept. @throws the disk's error */
  async drop(): Promise<void> {
    const kept = await this.#kept()
    for (const name of kept) await this.#disk.remove(join(this.#directory, name))
    if (kept.length > 0) await this.#disk.syncDirectory(this.#directory)
  }

  async #kept(): Promise<string[]> {
    return (await this.#disk.names(this.#directory)).filter(isQuarantineFile)
  }
}
