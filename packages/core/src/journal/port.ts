/**
 * The journal: what must survive. A store has exactly one; every replica (a tab's worker, a Node process) appends to it.
 *
 * ```
 *   base G ── delta G.1 ── delta G.2 │ entry floor+1 … entry head        next append: head + 1
 *   └─────────── image at `floor` ───┘ └──── the tail, replayed on open ┘
 * ```
 *
 * The journal stores bytes and knows nothing of records: encoding, hash chain and replay are `entry.ts` and `open.ts`.
 * Sequence numbers are dense and start at 1. `contract.ts` is the suite that every implementation runs.
 */

/** One entry as stored; `bytes` is what `encodeEntry` made and is returned unchanged. */
export interface StoredEntry {
  readonly seq: number
  readonly bytes: Uint8Array
}

/** Where the journal stands, read in one transaction. */
export interface JournalState {
  /**
   * Highest sequence number that was stored, or `floor` where that is higher; 0 in a new store. It counts although its
   * bytes may be damaged or lost since, so `read` can end below it: the next append is `head + 1` all the same.
   */
  readonly head: number
  /** Entries up to here are folded into the image of `generation`; some or all of them may be gone. */
  readonly floor: number
  /** Current generation; 0 until the first base is written. */
  readonly generation: number
  /** How many deltas the current generation has. */
  readonly deltas: number
}

/**
 * `appended`: all of it is durable. `collision`: another replica holds `seq` of the first entry; nothing was written.
 * `behind`: the floor is above our head; the replica's image is too old to go on and must be opened again.
 */
export type AppendOutcome = 'appended' | 'collision' | 'behind'

/**
 * A stored image: the base's segments in order, then its deltas in order. A part that was lost or cannot be read is there
 * as an empty array: whether an image can be used is judged by the checksums inside, in one place, for every journal.
 */
export interface StoredImage {
  readonly generation: number
  readonly segments: readonly Uint8Array[]
  readonly deltas: readonly Uint8Array[]
}

export interface DeltaWrite {
  readonly generation: number
  /** 1 for the first delta of a generation. */
  readonly n: number
  readonly bytes: Uint8Array
  /** The head of the image: every entry up to here is in it. Above the head of the journal, it becomes the head. */
  readonly floor: number
}

export interface BaseWrite {
  readonly generation: number
  /** At least one. */
  readonly segments: readonly Uint8Array[]
  /** As in DeltaWrite. */
  readonly floor: number
}

/** What one replica tells the others after an append or a checkpoint. A hint: it may be lost, never relied on. */
export interface JournalNews {
  readonly head: number
  /** The entries just appended, where they are small enough to send. */
  readonly entries?: readonly StoredEntry[]
}

/**
 * The keys of the store, wrapped: what `sealed/keyring.ts` encodes, 64 KiB and more, so that a browser keeps it in a file of
 * its own, which goes when it is replaced.
 */
export interface StoredKeyring {
  /** 1 for the first, one more with each change. */
  readonly revision: number
  readonly bytes: Uint8Array
}

/** Something that should be readable and is not. */
export interface Damage {
  /** The place, as a person would look for it. */
  readonly what: string
  readonly reason: string
}

/** Names of the small values that belong to a store, not to its content. */
export type JournalMetaKey = 'storeId' | 'deviceId'

/**
 * @throws {MemoryError} every method: NOT_STORED when a write did not become durable (then nothing of it is there, or,
 *   with `details.outcome: 'unknown'`, `read` must be asked, of a journal opened again where this one refuses more writes),
 *   STORE_UNAVAILABLE when the place cannot be reached, LOCKED when another process took it over, CLOSED after `close`
 *   (`announce`, `subscribe` and `close` itself excepted).
 */
export interface Journal {
  /** What kind of place this is, for `health()`. */
  readonly engine: 'memory' | 'indexeddb' | 'directory'
  state(): Promise<JournalState>
  /**
   * Adds `entries` (dense, ascending) atomically: all or none. The first must be `head + 1` where head is what the
   * caller has applied; an existing key is a collision and never overwritten. Durable when the promise settles with
   * `appended`. No entries: `appended`, and nothing happens.
   * @throws {MemoryError} NOT_STORED with `details.reason: 'gap'` when the entries are not dense or the first would leave
   *   a gap: the journal holds less than the caller has applied.
   */
  append(entries: readonly StoredEntry[]): Promise<AppendOutcome>
  /** Entries with `seq > after`, ascending, as far as they are stored. */
  read(after: number): Promise<readonly StoredEntry[]>
  /** The image of a generation (default: the current one); undefined where that generation does not exist. */
  image(generation?: number): Promise<StoredImage | undefined>
  /**
   * Adds delta number `n` (1, 2, …) to `generation` and raises the floor to `floor`, in one transaction. The entries stay
   * until `dropBefore`, so that a damaged delta costs nothing.
   * `false`, and nothing written, when the generation is not current, `n` is not the next delta, or the floor is higher
   * already; and for generation 0, which has no base to change.
   */
  saveDelta(delta: DeltaWrite): Promise<boolean>
  /**
   * Writes the base of `generation` and makes it current with no deltas and this floor, visible at once or not at all.
   * The generation before it, and the entries above its own image, stay until `dropBefore`. `false`, and nothing visible,
   * when `generation` is not current + 1 or the floor is higher already.
   */
  saveBase(base: BaseWrite): Promise<boolean>
  /**
   * Deletes every base and delta of generations lower than `generation`, and the entries up to `dropUpTo`. The current
   * generation and the entries above the floor stay, whatever is asked for. When it settles, what went is deleted as
   * thoroughly as the place can delete.
   * @param quarantineToo also what the place keeps of damaged bytes: nothing may be left that the current image does not hold
   */
  dropBefore(generation: number, dropUpTo: number, quarantineToo?: boolean): Promise<void>
  getMeta(key: JournalMetaKey): Promise<string | undefined>
  /** Stores `value` unless the key has one; returns the value that is there afterwards. Durable when it settles. */
  initMeta(key: JournalMetaKey, value: string): Promise<string>
  /** The keyring; undefined where none was ever written. */
  readKeyring(): Promise<StoredKeyring | undefined>
  /**
   * Replaces the keyring at once and wholly; `false`, and nothing written, unless `revision` is one more than the stored one
   * (1 where there is none). Durable when it settles, and the one before is deleted as thoroughly as the place can delete.
   */
  writeKeyring(keyring: StoredKeyring): Promise<boolean>
  /**
   * What was found damaged at open, whether or not it costs an entry, and what is kept of damage that was found before. It
   * stays where it is until what surrounds it goes. Left out where nothing is looked through.
   */
  damage?(): Promise<readonly Damage[]>
  /** Bytes that the store takes, as far as the engine can tell. */
  sizeBytes(): Promise<number>
  /** Tells the other replicas of this store. Never fails, never waits. */
  announce(news: JournalNews): void
  /** Hears what other replicas announce (never one's own). Returns the way to stop listening. */
  subscribe(listener: (news: JournalNews) => void): () => void
  /** Waits for calls under way, then lets go of the place. Closing again does nothing. */
  close(): Promise<void>
}
