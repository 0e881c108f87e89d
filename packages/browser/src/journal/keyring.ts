/**
 * The keyring: a row of `meta`, and beside it its size; each function is the body of one transaction over them.
 *
 * From 64 KiB on Chromium keeps a value in a file of its own, which it removes when the value is replaced. It counts the bytes
 * that are left after compression, so a keyring filled up with zeros would stay in the log of the database.
 */
import { MemoryError } from '@palimpsest/core'
import type { StoredKeyring } from '@palimpsest/core'
import type { TransactionControl } from './one-shot.ts'
import { META, ownBytes } from './rows.ts'
import type { MetaRow } from './rows.ts'

const KEYRING = 'keyring'
const KEYRING_SIZE = 'keyringSize'

/** A row that is there but cannot be read is never taken for none. */
export function readKeyring(
  tx: IDBTransaction,
  control: TransactionControl<StoredKeyring | undefined>,
): () => StoredKeyring | undefined {
  const row = tx.objectStore(META).get(KEYRING)
  row.onerror = () => {
    const reason = row.error?.name ?? 'UnknownError'
    // A connection that is lost aborts its requests, and says nothing about the row.
    if (reason !== 'AbortError') control.fail(corrupt(reason, row.error))
  }
  row.onsuccess = () => {
    if (row.result !== undefined && storedKeyring(row.result) === undefined) control.fail(corrupt('not a keyring'))
  }
  return () => storedKeyring(row.result)
}

export function writeKeyring(
  tx: IDBTransaction,
  control: TransactionControl<boolean>,
  { revision, bytes }: StoredKeyring,
): () => boolean {
  const meta = tx.objectStore(META)
  const own = ownBytes(bytes)
  const row = meta.get(KEYRING)
  row.onsuccess = () => {
    const stored = storedKeyring(row.result)
    if (row.result !== undefined && stored === undefined) return control.fail(corrupt('not a keyring'))
    if (revision !== (stored?.revision ?? 0) + 1) return control.refuse(false)
    meta.put({ key: KEYRING, value: { revision, bytes: own } satisfies StoredKeyring })
    meta.put({ key: KEYRING_SIZE, value: own.byteLength })
  }
  return () => true
}

/** Size of the keyring in bytes, once the transaction is complete: known also where the keyring cannot be read. */
export function keyringSize(tx: IDBTransaction): () => number {
  const row = tx.objectStore(META).get(KEYRING_SIZE)
  return () => Number((row.result as MetaRow | undefined)?.value ?? 0)
}

function storedKeyring(row: unknown): StoredKeyring | undefined {
  const { revision, bytes } = ((row as MetaRow | undefined)?.value ?? {}) as Partial<StoredKeyring>
  return typeof revision === 'number' && bytes instanceof Uint8Array ? { revision, bytes } : undefined
}

function corrupt(reason: string, cause?: unknown): MemoryError {
  return new MemoryError('STORE_CORRUPT', `The keys of the store cannot be read: ${reason}`, { what: KEYRING, reason }, { cause })
}
