/**
 * Rows of one store, also where some of them cannot be read.
 *
 * Chromium keeps a value of 64 KiB and more in a file of its own. Where that file is lost or cut, reading the row fails the
 * whole transaction, and `getAll` over it gives none of the rows beside it. They are read one by one then.
 */
import { MemoryError } from '@palimpsest/core'
import { TransactionFailure } from './one-shot.ts'
import type { Transactions } from './transactions.ts'

/** `NotReadableError`: the file is lost. `UnknownError`: it is cut, or cannot be read for a reason of the system. */
const UNREADABLE = new Set(['NotReadableError', 'UnknownError'])

/** The rows in ascending order of their keys; undefined in place of one that is there and cannot be read. */
export async function readRows<T>(
  transactions: Transactions,
  store: string,
  range: IDBKeyRange,
): Promise<readonly (T | undefined)[]> {
  return orApart(
    () =>
      transactions.read([store], tx => {
        const rows = tx.objectStore(store).getAll(range)
        return () => rows.result as T[]
      }),
    () => readRowsApart<T>(transactions, store, range),
  )
}

/** As `read`; as `readApart` where a row that it meets cannot be read. */
export async function orApart<T>(read: () => Promise<T>, readApart: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return readApart()
  }
}

async function readRowsApart<T>(transactions: Transactions, store: string, range: IDBKeyRange): Promise<(T | undefined)[]> {
  const keys = await transactions.read([store], tx => {
    const found = tx.objectStore(store).getAllKeys(range)
    return () => found.result
  })
  const rows: (T | undefined)[] = []
  for (const key of keys) {
    const row = transactions.read([store], tx => {
      const found = tx.objectStore(store).get(key)
      return () => found.result as T | undefined
    })
    rows.push(
      await orApart(
        () => row,
        () => Promise.resolve(undefined),
      ),
    )
  }
  return rows
}

function isUnreadable(error: unknown): boolean {
  return MemoryError.is(error) && error.cause instanceof TransactionFailure && UNREADABLE.has(error.cause.reason)
}
