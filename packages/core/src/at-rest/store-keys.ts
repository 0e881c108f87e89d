/**
 * The keys of a store that is open: found, unlocked, changed. The keyring stands in the journal and, where there is a
 * mirror, beside it: a journal that lost it takes it back from there.
 */
import { MemoryError } from '../errors.ts'
import type { Journal, StoredKeyring } from '../journal/port.ts'
import { AesKey } from './cipher.ts'
import {
  lockKeyring,
  newKey,
  readKeyring,
  unlockAgain,
  unlockKeyring,
  type KeyEntry,
  type LockedKeyring,
  type OpenKeyring,
} from './keyring.ts'
import { newLock, type AtRest, type Lock, type LockKind } from './lock.ts'
import { isSealed } from './sealed-blob.ts'
import { hexToBytes } from '@noble/hashes/utils.js'

/** Copies of the keyring outside the journal. */
export interface KeyringCopies {
  /** All that are there, in any order. */
  keyrings(): Promise<readonly StoredKeyring[]>
  /** Writes this one, then removes those of lower revisions. */
  writeKeyring(keyring: StoredKeyring): Promise<void>
}

/** How often another replica may change the keyring before this one gives up. */
const MAX_RACES = 100

export class StoreKeys {
  readonly #journal: Journal
  readonly #copies: KeyringCopies | undefined
  readonly #imported = new Map<string, Promise<AesKey>>()
  #atRest: AtRest | undefined
  #open: OpenKeyring
  #revision: number

  private constructor(
    journal: Journal,
    copies: KeyringCopies | undefined,
    atRest: AtRest | undefined,
    open: OpenKeyring,
    revision: number,
  ) {
    this.#journal = journal
    this.#copies = copies
    this.#atRest = atRest
    this.#open = open
    this.#revision = revision
  }

  /**
   * Unlocks the keyring of the store, or makes one where there is nothing to unlock yet.
   * @param atRest undefined: as the store is; `device` for a new one
   * @throws {MemoryError} KEY_NEEDED, KEY_WRONG, KEY_DAMAGED, KEY_MISSING; nothing is written then
   */
  static async open(
    journal: Journal,
    copies: KeyringCopies | undefined,
    storeId: string,
    atRest: AtRest | undefined,
  ): Promise<StoreKeys> {
    const found = await findKeyring(journal, copies, storeId)
    if (found === undefined) return StoreKeys.create(journal, copies, storeId, atRest ?? { kind: 'device' }, 1)
    const keys = new StoreKeys(journal, copies, atRest, await unlockKeyring(found.locked, atRest), found.stored.revision)
    await keys.#level(found)
    return keys
  }

  /**
   * Unlocks the keyring that stands in the copies, for a journal that lost everything; nothing is written before `takeBack`.
   * @returns undefined where no copy can be read
   * @throws {MemoryError} KEY_NEEDED, KEY_WRONG
   */
  static async fromCopies(
    journal: Journal,
    copies: KeyringCopies,
    storeId: string,
    atRest: AtRest | undefined,
  ): Promise<{ readonly keys: StoreKeys; takeBack(): Promise<void> } | undefined> {
    const found = readable(await copies.keyrings(), storeId)[0]
    if (found === undefined) return undefined
    const keys = new StoreKeys(journal, copies, atRest, await unlockKeyring(found.locked, atRest), found.stored.revision)
    const takeBack = async (): Promise<void> => {
      const journalRevision = (await journal.readKeyring())?.revision
      await keys.#level({ ...found, journalRevision, isInJournal: false, isInCopies: true })
    }
    return { keys, takeBack }
  }

  /**
   * A new keyring, whatever was there before.
   * @param revision the next after what was there when it was decided that a new one is needed: where another replica has
   *   written one since, that one counts
   */
  static async create(
    journal: Journal,
    copies: KeyringCopies | undefined,
    storeId: string,
    atRest: AtRest,
    revision: number,
  ): Promise<StoreKeys> {
    const first = newKey(1, atRest.kind !== 'off')
    // What was written before there were keyrings is rewritten by the change of keys that follows.
    const keys = (await holdsPlain(journal)) ? [{ id: 0, key: null }, first] : [first]
    const { bytes, open } = await lockKeyring(storeId, newLock(atRest.kind), keys, atRest)
    // Another replica was first: its keyring counts.
    if (!(await journal.writeKeyring({ revision, bytes }))) return StoreKeys.open(journal, copies, storeId, atRest)
    await copies?.writeKeyring({ revision, bytes })
    return new StoreKeys(journal, copies, atRest, open, revision)
  }

  get lockKind(): LockKind {
    return this.#open.lock.kind
  }

  get storeId(): string {
    return this.#open.storeId
  }

  /** What new blobs are sealed with. */
  get current(): KeyEntry {
    const last = this.#open.keys.at(-1)
    if (last === undefined) throw new MemoryError('KEY_DAMAGED', 'The keyring is empty', { lock: this.lockKind })
    return last
  }

  get oldest(): KeyEntry {
    return this.#open.keys[0] ?? this.current
  }

  /** As `changing`, where another replica may have finished it since: the keyring is read again, if it can be. */
  async isStillChanging(): Promise<boolean> {
    if (this.changing) await this.#reload().catch(() => undefined)
    return this.changing
  }

  /** Some blobs may still be under an older key: a change of keys was begun and is not finished. */
  get changing(): boolean {
    return this.#open.keys.length > 1
  }

  /** The entry of a key; where another replica has made it, the keyring is read again. */
  async find(id: number): Promise<KeyEntry | undefined> {
    const known = this.#open.keys.find(key => key.id === id)
    // Ids only grow: a lower one that is not there was dropped.
    if (known !== undefined || id < this.current.id) return known
    await this.#reload()
    return this.#open.keys.find(key => key.id === id)
  }

  /** The platform's key for an entry; undefined for one that does not encrypt. */
  cipher({ key }: KeyEntry): Promise<AesKey> | undefined {
    if (key === null) return undefined
    let imported = this.#imported.get(key)
    if (imported === undefined) {
      imported = AesKey.of(hexToBytes(key))
      this.#imported.set(key, imported)
    }
    return imported
  }

  /**
   * First step of a change of keys: another one from now on, under another lock where `atRest` is given. The old ones stay
   * until `dropBefore`. Durable when it settles.
   */
  async addKey(atRest: AtRest | undefined): Promise<void> {
    if (atRest !== undefined) this.#atRest = atRest
    const kind = atRest?.kind ?? this.lockKind
    const lock = atRest === undefined ? undefined : newLock(kind)
    await this.#change(keys => [...keys, newKey((keys.at(-1)?.id ?? 0) + 1, kind !== 'off')], lock)
  }

  /**
   * Last step: nothing is under keys before `id` any more. When it settles neither journal nor copies hold them, as far as
   * the copies could be written.
   */
  async dropBefore(id: number): Promise<void> {
    await this.#change(keys => keys.filter(key => key.id >= id), undefined)
    const kept = new Set(this.#open.keys.map(({ key }) => key))
    for (const held of this.#imported.keys()) if (!kept.has(held)) this.#imported.delete(held)
  }

  /** @param lock undefined: the one it has */
  async #change(next: (keys: readonly KeyEntry[]) => readonly KeyEntry[], lock: Lock | undefined): Promise<void> {
    for (let race = 0; race < MAX_RACES; race++) {
      // Both at one moment: while this waits, another call may read a newer keyring.
      const [before, revision] = [this.#open, this.#revision + 1]
      const held = lock === undefined ? before.lockKey : undefined
      const { bytes, open } = await lockKeyring(this.storeId, lock ?? before.lock, next(before.keys), this.#atRest, held)
      if (await this.#journal.writeKeyring({ revision, bytes })) {
        this.#take(open, revision)
        await this.#copies?.writeKeyring({ revision, bytes })
        return
      }
      await this.#reload()
    }
    throw new MemoryError('NOT_STORED', 'Other replicas changed the keys every time', { reason: 'busy' })
  }

  /** The newest counts, whoever read it first. */
  #take(open: OpenKeyring, revision: number): void {
    if (revision < this.#revision) return
    this.#open = open
    this.#revision = revision
  }

  async #reload(): Promise<void> {
    const stored = await this.#journal.readKeyring()
    const locked = stored === undefined ? undefined : readKeyring(stored.bytes)
    if (stored === undefined || locked === undefined)
      throw new MemoryError('KEY_DAMAGED', 'The keyring cannot be read any more', { lock: this.lockKind })
    this.#take(await unlockAgain(locked, this.#open, this.#atRest), stored.revision)
  }

  /** Where journal or copies lack the newest keyring, they get it. */
  async #level({ stored: { bytes }, journalRevision, isInJournal, isInCopies }: FoundKeyring): Promise<void> {
    if (!isInJournal) {
      // The number of what is damaged there counts all the same, and the numbers of the copies must not come again.
      const next = (journalRevision ?? 0) + 1
      this.#revision = Math.max(this.#revision, next)
      for (let revision = next; revision <= this.#revision; revision++)
        if (!(await this.#journal.writeKeyring({ revision, bytes }))) return this.#reload()
    }
    if (!isInJournal || !isInCopies) await this.#copies?.writeKeyring({ revision: this.#revision, bytes })
  }
}

interface FoundKeyring {
  /** The newest that can be read, wherever it stands. */
  readonly stored: StoredKeyring
  readonly locked: LockedKeyring
  /** The number of what the journal holds, readable or not; undefined where it holds none. */
  readonly journalRevision: number | undefined
  readonly isInJournal: boolean
  readonly isInCopies: boolean
}

async function findKeyring(
  journal: Journal,
  copies: KeyringCopies | undefined,
  storeId: string,
): Promise<FoundKeyring | undefined> {
  const own = await journal.readKeyring().catch((error: unknown) => {
    if (MemoryError.is(error, 'STORE_CORRUPT')) return 'damaged' as const
    throw error
  })
  const outside = await (copies?.keyrings() ?? Promise.resolve([])).catch((error: unknown) => {
    // Copies that cannot be read are no reason to refuse a store that has its own.
    if (own !== 'damaged' && own !== undefined && readable([own], storeId).length > 0) return []
    throw error
  })
  const candidates = own === 'damaged' || own === undefined ? outside : [own, ...outside]
  const [newest] = readable(candidates, storeId)
  if (newest !== undefined) {
    return {
      ...newest,
      journalRevision: own === 'damaged' ? undefined : own?.revision,
      isInJournal: newest.stored === own,
      isInCopies: outside.some(({ revision }) => revision === newest.stored.revision),
    }
  }
  if (own !== undefined || outside.length > 0)
    throw new MemoryError('KEY_DAMAGED', 'The keyring of this store is damaged; what it holds cannot be decrypted', {})
  if (!(await holdsSealed(journal))) return undefined
  // Another replica may have made the store since we looked for its keyring.
  if ((await journal.readKeyring()) !== undefined) return findKeyring(journal, copies, storeId)
  throw new MemoryError('KEY_MISSING', 'The keyring of this store is gone; what it holds cannot be decrypted', {})
}

/** Those that are this store's and pass their checksum, the newest first. */
function readable(candidates: readonly StoredKeyring[], storeId: string): Pick<FoundKeyring, 'stored' | 'locked'>[] {
  return candidates
    .map(stored => ({ stored, locked: readKeyring(stored.bytes) }))
    .filter((found): found is { stored: StoredKeyring; locked: LockedKeyring } => found.locked?.storeId === storeId)
    .toSorted((a, b) => b.stored.revision - a.stored.revision)
}

async function holdsSealed(journal: Journal): Promise<boolean> {
  return (await someBlob(journal, isSealed)) ?? false
}

async function holdsPlain(journal: Journal): Promise<boolean> {
  return (await someBlob(journal, bytes => bytes.length > 0 && !isSealed(bytes))) ?? false
}

/** What holds of some blob of the store; undefined where it has none. */
async function someBlob(journal: Journal, holds: (bytes: Uint8Array) => boolean): Promise<boolean | undefined> {
  const image = await journal.image()
  const blobs = [...(image?.segments ?? []), ...(image?.deltas ?? [])]
  if (blobs.length > 0) return blobs.some(holds)
  const entries = await journal.read(0)
  return entries.length === 0 ? undefined : entries.some(({ bytes }) => holds(bytes))
}
