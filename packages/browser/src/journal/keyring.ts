/**
 * The keyring: two rows of `meta`. `keyring` has its bytes, `keyringState` says which they are, so that a keyring of which the
 * browser lost the bytes is known from none, and can be replaced.
 *
 * From 64 KiB on Chromium keeps a value in a file of its own, which it removes when the value is replaced. It counts the bytes
 * that are left after compression, so a keyring filled up with zeros would stay in the log of the database.
 */
import { MemoryError } from '@palimpsest/core'
import type { StoredKeyring } from '@palimpsest/core'
import type { TransactionControl } from './one-shot.ts'
import { orApart } from './read-rows.ts'
import { META, ownBytes } from './rows.ts'
import type { MetaRow } from './rows.ts'
import type { Transactions } from './transactions.ts'

const KEYRING = 'keyring'
const KEYRING_STATE = 'keyringState'

interface KeyringState {
  readonly revision: number
  readonly sizeBytes: number
}

/** Bytes that the browser lost are empty: whether a keyring can be used is judged by the checksum inside. */
export function readKeyring(transactions: Transactions): Promise<StoredKeyring | undefined> {
  return orApart(
    () =>
      transactions.read([META], (tx, control) => {
        const row = tx.objectStore(META).get(KEYRING)
        const state = stateIn(tx, control)
        return () => keyringOf(state(), (row.result as MetaRow | undefined)?.value)
      }),
    () =>
      transactions.read([META], (tx, control) => {
        const state = stateIn(tx, control)
        return () => keyringOf(state(), undefined)
      }),
  )
}

/** The body of one transaction. It reads no bytes, which may be lost. */
export function writeKeyring(
  tx: IDBTransaction,
  control: TransactionControl<boolean>,
  { revision, bytes }: StoredKeyring,
): () => boolean {
  const own = ownBytes(bytes)
  stateIn(tx, control, state => {
    if (revision !== (state?.revision ?? 0) + 1) return control.refuse(false)
    const meta = tx.objectStore(META)
    meta.put({ key: KEYRING, value: own })
    meta.put({ key: KEYRING_STATE, value: { revision, sizeBytes: own.byteLength } satisfies KeyringState })
  })
  return () => true
}

/** Size of the keyring in bytes, once the transaction is complete. */
export function keyringSize(tx: IDBTransaction, control: TransactionControl<number>): () => number {
  const state = stateIn(tx, control)
  return () => state()?.sizeBytes ?? 0
}

/**
 * Reads the state of the keyring; undefined where none was ever written. The transaction fails with STORE_CORRUPT where there
 * are bytes and nothing that says which, or something that says nothing: that is never taken for none.
 */
function stateIn(
  tx: IDBTransaction,
  control: Pick<TransactionControl<never>, 'fail'>,
  then: (state: KeyringState | undefined) => void = () => {},
): () => KeyringState | undefined {
  const meta = tx.objectStore(META)
  const bytes = meta.getKey(KEYRING)
  const row = meta.get(KEYRING_STATE)
  const state = (): KeyringState | undefined => (row.result as MetaRow | undefined)?.value as KeyringState | undefined
  row.onsuccess = () => {
    const isNone = row.result === undefined && bytes.result === undefined
    if (!isNone && typeof state()?.revision !== 'number') return control.fail(corrupt())
    then(state())
  }
  return state
}

function keyringOf(state: KeyringState | undefined, bytes: unknown): StoredKeyring | undefined {
  return state && { revision: state.revision, bytes: bytes instanceof Uint8Array ? bytes : new Uint8Array(0) }
}

function corrupt(): MemoryError {
  const reason = 'its revision is missing'
  return new MemoryError('STORE_CORRUPT', `The keys of the store cannot be read: ${reason}`, { what: KEYRING, reason })
}
