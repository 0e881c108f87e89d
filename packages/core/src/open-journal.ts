/**
 * From a bare journal to the one that a store works on: who it is, its keys, its mirror, and what to do when it came back
 * empty.
 *
 * ```
 *   Store ─▶ SealedJournal ─▶ MirroredJournal ─▶ journal (IndexedDB, a directory, memory)
 *            encrypts          copies, encrypted ─▶ MirrorPlace
 * ```
 *
 * | the journal has a store id | another place knows of a store | then |
 * |---|---|---|
 * | yes | – | it is opened; mirrors may still hold commits that it lost |
 * | no | no | a new store |
 * | no | yes | it was lost: restored from the mirrors, or STORE_LOST |
 */
import { v7 as uuidv7 } from 'uuid'
import { SealedJournal } from './at-rest/sealed-journal.ts'
import { StoreKeys } from './at-rest/store-keys.ts'
import { canEncrypt } from './at-rest/cipher.ts'
import { checkAtRest, type AtRest } from './at-rest/lock.ts'
import { MemoryError } from './errors.ts'
import type { Journal } from './journal/port.ts'
import { Mirror } from './mirror/mirror.ts'
import { MirroredJournal } from './mirror/mirrored-journal.ts'
import type { MirrorPlace } from './mirror/port.ts'
import { readIdentities, type Identity } from './mirror/read-mirror.ts'
import { readMirrored, type Mirrored } from './mirror/reconcile.ts'
import { restoreBase } from './mirror/restore-base.ts'

export interface JournalOptions {
  readonly journal: Journal
  /** Where copies go; undefined where there is no such place. */
  readonly mirror?: MirrorPlace
  /** Acknowledge only what the mirror has flushed too. */
  readonly waitForMirror?: boolean
  /** Undefined: as the store is; a new one is locked by the device. */
  readonly atRest?: AtRest
  /** The id that this store is known to have had, from some other place; its journal must not be empty then. */
  readonly knownStoreId?: string
  /** What to do about a store that was lost and cannot be restored; default fail. */
  readonly ifLost?: 'fail' | 'startNew'
}

export interface OpenedJournal {
  readonly journal: Journal
  /** The same, for what stands elsewhere under the same keys; undefined where nothing is kept. */
  readonly sealed: SealedJournal | undefined
  readonly keys: StoreKeys | undefined
  readonly mirror: Mirror | undefined
  readonly identity: Identity
  /** Its storage came back empty. */
  readonly wasLost: boolean
  /** What the mirrors of a store that was lost hold. */
  readonly mirrored?: Mirrored
}

/** @throws {MemoryError} STORE_LOST, KEY_NEEDED, KEY_WRONG, KEY_DAMAGED, KEY_MISSING; nothing was written to the store then */
export async function openJournal(options: JournalOptions): Promise<OpenedJournal> {
  const { journal, mirror: place } = options
  const atRest = options.atRest === undefined ? undefined : checkAtRest(options.atRest)
  if (journal.engine === 'memory' && atRest === undefined && place === undefined) {
    const identity = await initIdentity(journal, newIdentity())
    return { journal, sealed: undefined, keys: undefined, mirror: undefined, identity, wasLost: false }
  }
  const stored = await journal.getMeta('storeId')
  const elsewhere =
    place === undefined
      ? []
      : await readIdentities(place).catch((error: unknown) => {
          // A mirror that cannot be read is no reason to refuse a store that can; but an empty one may be a lost one.
          if (stored !== undefined) return []
          throw error
        })
  const known = options.knownStoreId === undefined ? undefined : { ...newIdentity(), storeId: options.knownStoreId }
  const witness = elsewhere[0] ?? known
  // Another replica may have made the store since we looked: its id stands in the journal before it stands elsewhere.
  const isThere = stored !== undefined || (witness !== undefined && (await journal.getMeta('storeId')) !== undefined)
  if (isThere || witness === undefined) {
    const identity = await initIdentity(journal, newIdentity())
    const mirror = await mirrorOf(place, identity)
    return stack(options, mirror, identity, await StoreKeys.open(journal, mirror, identity.storeId, atRest ?? possible()), false)
  }
  try {
    return await restore(options, elsewhere.length === 0 ? undefined : place, witness, atRest)
  } catch (error) {
    if (options.ifLost !== 'startNew' || !MemoryError.is(error, 'STORE_LOST')) throw error
    for (const name of (await place?.list()) ?? []) await place?.remove(name)
    const revision = ((await journal.readKeyring())?.revision ?? 0) + 1
    const fresh = newIdentity()
    const identity = await initIdentity(journal, fresh)
    const mirror = await mirrorOf(place, identity)
    const lock = atRest ?? possible()
    // Another replica began the new store: it makes the keys.
    if (identity.storeId !== fresh.storeId)
      return stack(options, mirror, identity, await StoreKeys.open(journal, mirror, identity.storeId, lock), true)
    const keys = await StoreKeys.create(journal, mirror, identity.storeId, lock ?? { kind: 'device' }, revision)
    return stack(options, mirror, identity, keys, true)
  }
}

/** Writes nothing until it is certain that the mirrors can be read. */
async function restore(
  options: JournalOptions,
  place: MirrorPlace | undefined,
  witness: Identity,
  atRest: AtRest | undefined,
): Promise<OpenedJournal> {
  const { journal } = options
  if (place === undefined) throw lost(witness, 'nothing keeps a mirror of it')
  const mirror = new Mirror(place, witness)
  const found = await StoreKeys.fromCopies(journal, mirror, witness.storeId, atRest)
  if (found === undefined) throw lost(witness, 'its mirrors hold no keyring')
  const opened = stack(options, mirror, witness, found.keys, true)
  const mirrored = await readMirrored(place, witness.storeId)
  await restoreBase(journal, opened.sealed, place, witness.storeId)
  await found.takeBack()
  // Last: until it is there, the next open begins again.
  const identity = await initIdentity(journal, witness)
  return { ...opened, identity, mirrored }
}

async function mirrorOf(place: MirrorPlace | undefined, identity: Identity): Promise<Mirror | undefined> {
  if (place === undefined) return undefined
  const mirror = new Mirror(place, identity)
  await mirror.identify()
  return mirror
}

function stack(
  { journal, waitForMirror = false }: JournalOptions,
  mirror: Mirror | undefined,
  identity: Identity,
  keys: StoreKeys,
  wasLost: boolean,
): OpenedJournal & { readonly sealed: SealedJournal } {
  const mirrored = mirror === undefined ? journal : new MirroredJournal(journal, mirror, { wait: waitForMirror })
  const sealed = new SealedJournal(mirrored, keys)
  return { journal: sealed, sealed, keys, mirror, identity, wasLost }
}

/** A page without a secure context has no encryption to offer: `health()` says so. */
function possible(): AtRest | undefined {
  return canEncrypt() ? undefined : { kind: 'off' }
}

function newIdentity(): Identity {
  return { storeId: uuidv7(), deviceId: uuidv7().replaceAll('-', '').slice(-12) }
}

/** Where another replica was first, its identity counts. */
async function initIdentity(journal: Journal, identity: Identity): Promise<Identity> {
  const deviceId = await journal.initMeta('deviceId', identity.deviceId)
  return { deviceId, storeId: await journal.initMeta('storeId', identity.storeId) }
}

function lost({ storeId }: Identity, reason: string): MemoryError {
  return new MemoryError('STORE_LOST', `The storage of this memory came back empty, and ${reason}`, { storeId, reason })
}
