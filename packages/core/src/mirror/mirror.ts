/**
 * One replica's part of the mirror: it appends what it committed to a log of its own, and writes the copy of a base when it
 * compacted. The files of all replicas together restore the store.
 *
 * ```
 *   base G, floor F (whole) ─┬─ log of tab 1: entries > F that it appended
 *                            ├─ log of tab 2 (closed): …
 *                            └─ keyring, identity
 * ```
 *
 * A log goes when a complete base covers what is in it and its owner is gone. Nothing here holds up a commit, unless it was
 * asked to (`durability: 'mirrored'`).
 */
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import { toMemoryError } from '../errors.ts'
import type { KeyringCopies } from '../at-rest/store-keys.ts'
import type { BaseWrite, StoredEntry, StoredKeyring } from '../journal/port.ts'
import { sameBytes } from '../journal/same-bytes.ts'
import { encodeFrame, encodeHeader, encodeLogEntry } from './frames.ts'
import type { MirrorFile, MirrorPlace } from './port.ts'
import {
  baseNamed,
  findBases,
  namesOf,
  newestFirst,
  readIdentities,
  readKeyrings,
  readLogs,
  type Identity,
  type MirroredLog,
} from './read-mirror.ts'

/** Entries that are not flushed at once are flushed this long after. */
const FLUSH_MS = 1000
/** Past this size a replica looks whether another one has written a base that makes its log needless. */
const LOOK_BYTES: number = 4 * 1024 * 1024
/** So much is kept for a mirror that cannot be written. What is older comes with the next base, or the next opening. */
const OWED_BYTES: number = 16 * 1024 * 1024

export interface MirrorHealth {
  readonly kind: MirrorPlace['kind']
  /** `failed`: a write did not succeed, and what it was to bring is not here; the next one, or closing, tries again. */
  readonly state: 'current' | 'writing' | 'failed'
  /** Why it failed. */
  readonly reason?: string
}

export class Mirror implements KeyringCopies {
  readonly place: MirrorPlace
  readonly #identity: Identity
  /** Logs of which so many entries were in the journal when it had this head; their owners may have written on. */
  readonly #settled = new Map<string, { readonly entries: number; readonly head: number }>()
  #log: { readonly name: string; readonly file: MirrorFile; sizeBytes: number; last: number } | undefined
  /** Entries that the journal has and no write brought here yet: the next one begins with them. */
  #owed: readonly StoredEntry[] = []
  /** What a restore cannot do without and could not be written yet, by its name: it is tried again with every write. */
  readonly #due = new Map<'identity' | 'keyring', () => Promise<void>>()
  /** Brings it level with the journal, where that failed. */
  #level: (() => Promise<void>) | undefined
  #isLevel = true
  /** The last entry that was not kept any more; 0 where a base has brought it. */
  #forgotten = 0
  #work: Promise<void> = Promise.resolve()
  #waiting = 0
  #failure: string | undefined
  #flushTimer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  constructor(place: MirrorPlace, identity: Identity) {
    this.place = place
    this.#identity = identity
  }

  /** Leaves the identity of the store here, so that a store that comes back empty is not taken for a new one. Never rejects. */
  identify(): Promise<void> {
    return this.#require('identity', async () => {
      const { storeId } = this.#identity
      if ((await readIdentities(this.place)).some(identity => identity.storeId === storeId)) return
      await this.#writeWhole(`identity-${newId()}`, [encodeHeader({ v: 1, ...this.#identity })])
    })
  }

  keyrings(): Promise<readonly StoredKeyring[]> {
    return readKeyrings(this.place, this.#identity.storeId)
  }

  /** Never rejects, as `log`: a mirror that cannot be written must not keep a store from opening. */
  writeKeyring({ revision, bytes }: StoredKeyring): Promise<void> {
    return this.#require('keyring', async () => {
      const older = await namesOf(this.place, 'keyring')
      // A copy that is here stays where it is, and is not risked for one that says the same: after a full disk the browser was
      // seen to forget the new file and to remember the name of the old one.
      const isHere = (await this.keyrings()).some(copy => copy.revision === revision && sameBytes(copy.bytes, bytes))
      const header = encodeHeader({ v: 1, storeId: this.#identity.storeId, revision })
      if (!isHere) await this.#writeWhole(`keyring-${revision}-${newId()}`, [header, encodeFrame(bytes)])
      const needless = isHere ? revision - 1 : revision
      for (const name of older) if (Number(name.split('-')[1]) <= needless) await this.place.remove(name)
    })
  }

  get failure(): string | undefined {
    return this.#failure
  }

  health(): MirrorHealth {
    const { kind } = this.place
    if (this.#failure !== undefined) return { kind, state: 'failed', reason: this.#failure }
    return { kind, state: this.#waiting > 0 ? 'writing' : 'current' }
  }

  /**
   * Runs `level`, which gives it what it lacks of the journal by the other calls here, and the journal what that lacks. Never
   * rejects: where it fails, that stands in `failure`, and the next `log` tries again. Before it has succeeded once nothing
   * that others wrote is removed: the journal may not have it.
   */
  async bringLevel(level: () => Promise<void>): Promise<void> {
    this.#level = undefined
    this.#isLevel = false
    try {
      await level()
      this.#isLevel = true
      this.#forgive()
    } catch (error) {
      this.#level = level
      this.#failure = toMemoryError(error).message
    }
  }

  /** Appends entries to this replica's log. Never rejects: what went wrong stands in `failure` until all that is owed is here. */
  async log(entries: readonly StoredEntry[], { flush }: { readonly flush: boolean }): Promise<void> {
    await this.#queue(async () => {
      this.#owe(entries)
      await this.#pay(flush)
      await this.#payDue()
      if (this.#log !== undefined && this.#log.sizeBytes > LOOK_BYTES) await this.#leaveCovered()
    })
    // Nobody waits for it: what it puts into the journal waits for the append that this may be a part of.
    if (this.#level !== undefined && !this.#closed) void this.bringLevel(this.#level)
  }

  /**
   * Copies a base, then removes what it makes needless. Never rejects, as `log`.
   * @param base as the journal stores it
   * @returns whether the copy is whole
   */
  async writeBase({ generation, segments, floor }: BaseWrite): Promise<boolean> {
    let isWhole = false
    await this.#queue(async () => {
      const id = `${generation}-${floor}-${newId()}`
      const header = encodeHeader({ v: 1, storeId: this.#identity.storeId })
      await this.#writeWhole(`base-${id}`, [header, ...segments.map(encodeFrame)])
      await this.#writeWhole(`whole-${id}`, [header])
      isWhole = true
      this.#owed = this.#owed.filter(({ seq }) => seq > floor)
      if (this.#forgotten <= floor) this.#forgotten = 0
      await this.#removeCovered(floor)
    })
    return isWhole
  }

  /** Every commit in these logs is in the journal, whose head was this: a base from there on covers them. */
  settle(logs: readonly MirroredLog[], head: number): void {
    for (const { name, entries } of logs) this.#settled.set(name, { entries: entries.length, head })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#flushTimer)
    await this.#work
    if (!this.#isPaid()) await this.log([], { flush: true })
    await this.#leaveLog()
    await this.place.close()
  }

  #queue(work: () => Promise<void>): Promise<void> {
    this.#waiting++
    this.#work = this.#work
      .then(work)
      .then(
        () => this.#forgive(),
        (error: unknown) => {
          this.#failure = toMemoryError(error).message
        },
      )
      .then(() => void this.#waiting--)
    return this.#work
  }

  #forgive(): void {
    if (this.#isPaid() && this.#forgotten === 0 && this.#isLevel) this.#failure = undefined
  }

  #isPaid(): boolean {
    return this.#owed.length === 0 && this.#due.size === 0
  }

  #require(name: 'identity' | 'keyring', write: () => Promise<void>): Promise<void> {
    this.#due.set(name, write)
    return this.#queue(() => this.#payDue())
  }

  async #payDue(): Promise<void> {
    for (const [name, write] of this.#due) {
      await write()
      if (this.#due.get(name) === write) this.#due.delete(name)
    }
  }

  #owe(entries: readonly StoredEntry[]): void {
    this.#owed = [...this.#owed, ...entries]
    let sizeBytes = this.#owed.reduce((sum, { bytes }) => sum + bytes.length, 0)
    const kept = this.#owed.findIndex(({ bytes }, i) => {
      if (sizeBytes <= OWED_BYTES || i >= this.#owed.length - entries.length) return true
      sizeBytes -= bytes.length
      return false
    })
    if (kept <= 0) return
    this.#forgotten = this.#owed.slice(0, kept).reduce((last, { seq }) => Math.max(last, seq), this.#forgotten)
    this.#owed = this.#owed.slice(kept)
  }

  /** Writes what is owed; after a failure in parts that grow, so that a mirror without room costs each write little. */
  async #pay(flush: boolean): Promise<void> {
    // No log is begun for nothing, unless to see whether there is room again.
    if (this.#owed.length === 0 && this.#log === undefined && this.#failure === undefined) return
    for (let count = this.#failure === undefined ? this.#owed.length : 1; ; count *= 2) {
      const part = this.#owed.slice(0, count)
      await this.#write(part, flush)
      this.#owed = this.#owed.slice(part.length)
      if (this.#owed.length === 0) return
    }
  }

  async #write(entries: readonly StoredEntry[], flush: boolean): Promise<void> {
    const bytes = concatBytes(...entries.map(encodeLogEntry))
    try {
      await this.#append(bytes, flush)
    } catch (error) {
      // No new file where the log can go on: of those that were made while a disk was full, Chromium forgets the names at its
      // next start.
      if (toMemoryError(error).details['isWhole'] === true) throw error
      // A log whose end may be half an entry is left as it is; a new one begins with what could not be written.
      await this.#leaveLog()
      await this.#append(bytes, flush)
    }
    if (this.#log !== undefined) this.#log.last = entries.reduce((last, { seq }) => Math.max(last, seq), this.#log.last)
  }

  async #append(bytes: Uint8Array, flush: boolean): Promise<void> {
    this.#log ??= await this.#beginLog()
    const log = this.#log
    await log.file.append(bytes, { flush })
    log.sizeBytes += bytes.length
    if (!flush) this.#flushSoon()
  }

  async #beginLog(): Promise<{ name: string; file: MirrorFile; sizeBytes: number; last: number }> {
    const name = `log-${newId()}`
    const file = await this.place.create(name)
    try {
      await file.append(encodeHeader({ v: 1, storeId: this.#identity.storeId }))
    } catch (error) {
      // Every write tries again while there is no room, and none is to leave a file behind that it holds.
      await file.close().catch(() => undefined)
      await this.place.remove(name).catch(() => false)
      throw error
    }
    return { name, file, sizeBytes: 0, last: 0 }
  }

  #flushSoon(): void {
    if (this.#flushTimer !== undefined || this.#closed) return
    this.#flushTimer = setTimeout(() => {
      this.#flushTimer = undefined
      if (!this.#closed) void this.#queue(async () => this.#log?.file.append(new Uint8Array(0), { flush: true }))
    }, FLUSH_MS)
  }

  async #leaveLog(): Promise<void> {
    const log = this.#log
    this.#log = undefined
    await log?.file.close()
  }

  async #leaveCovered(): Promise<void> {
    const log = this.#log
    const [base] = await findBases(this.place)
    if (log === undefined || base === undefined || base.floor < log.last) return
    await this.#leaveLog()
    await this.place.remove(log.name)
  }

  async #removeCovered(floor: number): Promise<void> {
    if (this.#log !== undefined && this.#log.last <= floor) {
      const { name } = this.#log
      await this.#leaveLog()
      await this.place.remove(name)
    }
    if (!this.#isLevel) return
    for (const { name, entries, sizeBytes } of await readLogs(this.place, this.#identity.storeId)) {
      if (name === this.#log?.name) continue
      const settled = this.#settled.get(name)
      const since = entries.slice(settled?.entries ?? 0)
      const last = since.reduce((most, { seq }) => Math.max(most, seq), settled?.head ?? 0)
      if (last <= floor && (await this.place.remove(name, sizeBytes))) this.#settled.delete(name)
    }
    // Other replicas copy bases meanwhile, and what the newest covers may stand nowhere else. So whoever removes bases removes
    // those before one that it has seen whole: by what all agree on, the newest of all goes never.
    const [newest] = await findBases(this.place)
    if (newest === undefined) return
    // The mark first: without it the base counts for nothing.
    for (const kind of ['whole', 'base'] as const)
      for (const name of await namesOf(this.place, kind))
        if (newestFirst(newest, baseNamed(name)) < 0) await this.place.remove(name)
  }

  async #writeWhole(name: string, frames: readonly Uint8Array[]): Promise<void> {
    const file = await this.place.create(name)
    try {
      for (const [i, frame] of frames.entries()) await file.append(frame, { flush: i === frames.length - 1 })
    } finally {
      await file.close()
    }
  }
}

function newId(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(8)))
}
