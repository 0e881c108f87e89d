/**
 * A change of keys, with other replicas at work:
 *
 * 1. The keyring gets another key, which seals everything from now on.
 * 2. A marker, sealed with it, takes a place in the journal. A replica that has not read it collides there, reads it, and
 *    knows the key: whatever stands behind the marker is sealed with this key or a later one.
 * 3. A new base holds everything up to the marker. A base or delta of a replica that has not read the marker has a lower
 *    floor and is refused. What the base makes needless goes, and with it everything under older keys.
 * 4. The older keys go.
 *
 * A death at any step leaves a store that opens; who opens it next goes on from step 2.
 */
import { v7 as uuidv7 } from 'uuid'
import type { Store } from '../journal/store.ts'
import type { Mirror } from '../mirror/mirror.ts'
import type { AtRest } from './lock.ts'
import type { StoreKeys } from './store-keys.ts'

/** When it settles nothing that this store wrote can be read with the keys it had. @param atRest undefined: the lock stays */
export async function changeKeys(
  store: Store,
  keys: StoreKeys,
  mirror: Mirror | undefined,
  atRest: AtRest | undefined,
): Promise<void> {
  // A store that newer code has written to is refused before anything of the change is begun.
  await store.refresh()
  store.replica().assertWritable()
  await keys.addKey(atRest)
  await finishChange(store, keys, mirror)
}

/** Steps 2 to 4. */
export async function finishChange(store: Store, keys: StoreKeys, mirror: Mirror | undefined): Promise<void> {
  const { id } = keys.current
  await store.place([{ commit: uuidv7(), part: 1, parts: 1, items: [] }])
  await store.rebase()
  // Without its copy of the new base the mirror would hold nothing but what the old keys open.
  await mirror?.drain()
  await keys.dropBefore(id)
}
