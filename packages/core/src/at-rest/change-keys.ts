/**
 * A change of keys, with other replicas at work:
 *
 * 1. The keyring gets another key, which seals everything from now on.
 * 2. A marker, sealed with it, takes a place in the journal. A replica that has not read it collides there, reads it, and
 *    knows the key: whatever stands behind the marker is sealed with this key or a later one.
 * 3. A new base holds everything up to the marker. A base or delta of a replica that has not read the marker has a lower
 *    floor and is refused. What the base makes needless goes, and with it everything under older keys.
 * 4. A copy of that base stands in the mirror, which would hold nothing else than what the older keys open.
 * 5. The older keys go.
 *
 * A death at any step leaves a store that opens; who opens it next goes on from step 2.
 */
import { v7 as uuidv7 } from 'uuid'
import { MemoryError } from '../errors.ts'
import type { Journal } from '../journal/port.ts'
import type { Store } from '../journal/store.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { isBaseCopied } from '../mirror/reconcile.ts'
import type { AtRest } from './lock.ts'
import type { StoreKeys } from './store-keys.ts'

/** A store whose keys can be changed. */
export interface KeyedStore {
  readonly store: Store
  readonly keys: StoreKeys
  readonly mirror: Mirror | undefined
  /** The journal below encryption and mirror. */
  readonly bare: Journal
}

/**
 * When it settles nothing that this store wrote can be read with the keys it had.
 * @param atRest undefined: the lock stays
 * @throws {MemoryError} NOT_STORED where the mirror did not take its copy (reason `mirror`): the new key is in use, the older
 *   ones stay, and the next change or opening goes on
 */
export async function changeKeys(keyed: KeyedStore, atRest: AtRest | undefined): Promise<void> {
  const { store, keys } = keyed
  // A store that newer code has written to is refused before anything of the change is begun.
  await store.refresh()
  store.replica().assertWritable()
  await keys.addKey(atRest)
  await finishChange(keyed)
}

/** Steps 2 to 5. */
export async function finishChange({ store, keys, mirror, bare }: KeyedStore): Promise<void> {
  const { id } = keys.current
  await store.place([{ commit: uuidv7(), part: 1, parts: 1, items: [] }])
  await store.rebase()
  if (mirror !== undefined && !(await isBaseCopied(bare, mirror))) {
    const why = mirror.failure ?? 'another replica is writing it'
    throw new MemoryError('NOT_STORED', `The older keys stay, since the mirror has no copy under the new one: ${why}`, {
      reason: 'mirror',
    })
  }
  await keys.dropBefore(id)
}
