/**
 * The journal of a Node process: a directory of its own.
 *
 * ```
 *   meta.json  meta-copy.json        where the store stands; replacing meta.json is the commit of a checkpoint
 *   base-2-0.bin  delta-2-1.bin …    images, as they were given
 *   keyring-3.bin                    the keyring of revision 3, as it was given
 *   journal-0000000000000013-….bin   entries, framed and readable (frame.ts)
 *   quarantine-….bin                 what was damaged in journal files (quarantine.ts)
 *   lock.json                        the process that has it open
 * ```
 */
import { MemoryError } from '@palimpsest/core'
import type {
  AppendOutcome,
  BaseWrite,
  Damage,
  DeltaWrite,
  Journal,
  JournalMetaKey,
  JournalState,
  StoredEntry,
  StoredImage,
  StoredKeyring,
} from '@palimpsest/core'
import type { DirectoryLock } from './directory-lock.ts'
import type { Disk } from './disk.ts'
import { readImage, writeBase, writeDelta } from './image-files.ts'
import { readKeyringFile, writeKeyringFile } from './keyring-file.ts'
import type { JournalLog } from './journal-log.ts'
import { notStored, unavailable } from './storage-error.ts'
import type { Quarantine } from './quarantine.ts'
import { sizeOfStore, sweepFiles } from './store-directory.ts'
import type { StoreMeta } from './store-meta.ts'
import { writeMeta } from './store-meta.ts'

/** The parts of an open store. The lock is held, what a crash left is cleaned up. */
export interface OpenStore {
  readonly disk: Disk
  readonly directory: string
  readonly lock: DirectoryLock
  readonly log: JournalLog
  readonly quarantine: Quarantine
  readonly meta: StoreMeta
}

export class DirectoryJournal implements Journal {
  readonly engine = 'directory'
  readonly #disk: Disk
  readonly #directory: string
  readonly #lock: DirectoryLock
  readonly #log: JournalLog
  readonly #quarantine: Quarantine
  #meta: StoreMeta
  /** Calls run one after the other, in the order in which they were made. */
  #queue: Promise<unknown> = Promise.resolve()
  #closing: Promise<void> | undefined
  /** The failure after which it is not known what the disk holds: only a new open can tell. */
  #stuck: MemoryError | undefined

  constructor({ disk, directory, lock, log, quarantine, meta }: OpenStore) {
    this.#disk = disk
    this.#directory = directory
    this.#lock = lock
    this.#log = log
    this.#quarantine = quarantine
    this.#meta = meta
  }

  state(): Promise<JournalState> {
    return this.#read(() => {
      const { floor, generations } = this.#meta
      const current = generations.at(-1)
      return { head: this.#head(), floor, generation: current?.generation ?? 0, deltas: current?.deltas ?? 0 }
    })
  }

  append(entries: readonly StoredEntry[]): Promise<AppendOutcome> {
    return this.#write(async () => {
      const first = entries[0]
      if (!first) return 'appended'
      const head = this.#head()
      if (entries.some(({ seq }, i) => seq !== first.seq + i)) throw gap(first.seq, head)
      if (first.seq <= this.#meta.floor) return 'behind'
      if (first.seq <= head) return 'collision'
      if (first.seq > head + 1) throw gap(first.seq, head)
      await this.#log.append(entries)
      return 'appended'
    })
  }

  read(after: number): Promise<readonly StoredEntry[]> {
    return this.#read(() => this.#log.read(after))
  }

  image(generation?: number): Promise<StoredImage | undefined> {
    return this.#read(() => {
      const { generations } = this.#meta
      const found = generation === undefined ? generations.at(-1) : generations.find(meta => meta.generation === generation)
      return found && readImage(this.#disk, this.#directory, found)
    })
  }

  saveDelta(delta: DeltaWrite): Promise<boolean> {
    return this.#write(async () => {
      const { generations } = this.#meta
      const current = generations.at(-1)
      const { generation, n, floor } = delta
      if (generation !== current?.generation || n !== current.deltas + 1 || floor < this.#meta.floor) return false
      await writeDelta(this.#disk, this.#directory, delta)
      await this.#commit({
        ...this.#meta,
        floor,
        generations: [...generations.slice(0, -1), { ...current, deltas: n }],
      })
      return true
    })
  }

  saveBase(base: BaseWrite): Promise<boolean> {
    return this.#write(async () => {
      const { generation, segments, floor } = base
      if (segments.length === 0)
        throw new MemoryError('INVALID_ARGUMENT', 'A base has at least one segment', { field: 'segments' })
      const { generations } = this.#meta
      if (generation !== (generations.at(-1)?.generation ?? 0) + 1 || floor < this.#meta.floor) return false
      await writeBase(this.#disk, this.#directory, base)
      const added = { generation, segments: segments.length, deltas: 0 }
      await this.#commit({ ...this.#meta, floor, generations: [...generations, added] })
      return true
    })
  }

  /** As the port says; when the bytes cannot be deleted it raises NOT_STORED, and calling it again tries again. */
  dropBefore(generation: number, dropUpTo: number, quarantineToo = false): Promise<void> {
    return this.#write(async () => {
      const { generations, floor, dropped } = this.#meta
      await this.#commit({
        ...this.#meta,
        dropped: Math.max(dropped, Math.min(dropUpTo, floor)),
        generations: generations.filter((meta, i) => meta.generation >= generation || i === generations.length - 1),
      })
      await this.#log.deleteDropped(this.#meta.dropped)
      if (quarantineToo) await this.#quarantine.drop()
      await sweepFiles(this.#disk, this.#directory, this.#meta)
    })
  }

  getMeta(key: JournalMetaKey): Promise<string | undefined> {
    return this.#read(() => this.#meta.ids[key])
  }

  initMeta(key: JournalMetaKey, value: string): Promise<string> {
    return this.#write(async () => {
      const there = this.#meta.ids[key]
      if (there !== undefined) return there
      await this.#replaceMeta({ ...this.#meta, ids: { ...this.#meta.ids, [key]: value } })
      return value
    })
  }

  readKeyring(): Promise<StoredKeyring | undefined> {
    return this.#read(() => readKeyringFile(this.#disk, this.#directory, this.#meta.keyring))
  }

  writeKeyring(keyring: StoredKeyring): Promise<boolean> {
    return this.#write(async () => {
      if (keyring.revision !== this.#meta.keyring + 1) return false
      await writeKeyringFile(this.#disk, this.#directory, keyring)
      await this.#replaceMeta({ ...this.#meta, keyring: keyring.revision })
      try {
        await sweepFiles(this.#disk, this.#directory, this.#meta)
      } catch (error) {
        // It counts, but the one before it can still be read: the next open removes that, or does not open.
        throw notStored(error, 'unknown')
      }
      return true
    })
  }

  damage(): Promise<readonly Damage[]> {
    return this.#read(() => this.#quarantine.damage())
  }

  /** The sizes of the store's files, the lock included. */
  sizeBytes(): Promise<number> {
    return this.#read(() => sizeOfStore(this.#disk, this.#directory))
  }

  /** A directory has one replica: there is nobody to tell. */
  announce(): void {}

  subscribe(): () => void {
    return () => {}
  }

  close(): Promise<void> {
    this.#closing ??= this.#queue.then(async () => {
      await this.#log.rotate()
      await this.#noteHead()
      await this.#lock.release()
    })
    return this.#closing
  }

  /** Nothing is lost without the note, so failing is silent. */
  async #noteHead(): Promise<void> {
    const closedHead = this.#head()
    if (closedHead === this.#meta.closedHead || this.#stuck) return
    try {
      await this.#lock.verify()
      await writeMeta(this.#disk, this.#directory, { ...this.#meta, closedHead })
    } catch {
      // Whatever meta.json is there now stands for the same entries.
    }
  }

  /** Behind a base that was restored into an empty store the floor is the highest. */
  #head(): number {
    return Math.max(this.#log.head, this.#meta.floor, this.#meta.closedHead)
  }

  async #replaceMeta(meta: StoreMeta): Promise<void> {
    try {
      await writeMeta(this.#disk, this.#directory, meta)
    } catch (error) {
      // Its files are of no use now, unless the new meta.json may name them after all.
      if (!isUnknown(error)) await sweepFiles(this.#disk, this.#directory, this.#meta).catch(() => {})
      throw error
    }
    this.#meta = meta
  }

  async #commit(meta: StoreMeta): Promise<void> {
    await this.#replaceMeta(meta)
    this.#log.hide(meta.dropped)
    // What is appended from here on lies in a file of its own, and stays when the files before it are deleted.
    await this.#log.rotate()
  }

  #read<T>(body: () => T | Promise<T>): Promise<T> {
    return this.#turn(async () => {
      try {
        return await body()
      } catch (error) {
        throw unavailable(error, this.#directory)
      }
    })
  }

  #write<T>(body: () => Promise<T>): Promise<T> {
    return this.#turn(async () => {
      if (this.#stuck) throw refusedSince(this.#stuck)
      try {
        await this.#lock.verify()
        return await body()
      } catch (error) {
        const failure = notStored(error)
        if (isUnknown(failure)) this.#stuck = failure
        throw failure
      }
    })
  }

  #turn<T>(body: () => Promise<T>): Promise<T> {
    if (this.#closing) return Promise.reject(new MemoryError('CLOSED', 'The journal was closed'))
    const run = this.#queue.then(body)
    this.#queue = run.catch(() => {})
    return run
  }
}

function isUnknown(error: unknown): error is MemoryError {
  return MemoryError.is(error) && error.details.outcome === 'unknown'
}

function refusedSince({ message, details }: MemoryError): MemoryError {
  const reason = details.reason
  return new MemoryError('NOT_STORED', `Nothing is written until the store is opened again, because once: ${message}`, { reason })
}

function gap(seq: number, head: number): MemoryError {
  const message = `Entry ${seq} cannot follow entry ${head}, the last one in the journal`
  return new MemoryError('NOT_STORED', message, { reason: 'gap', head })
}
