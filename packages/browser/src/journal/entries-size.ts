/** How many bytes the entries take. They stay until a base has folded them in, so there can be many: read a few at a time. */
import type { StoredEntry } from '@palimpsest/core'
import { JOURNAL } from './rows.ts'

const AT_A_TIME = 200

/** The size in bytes, once the transaction is complete. */
export function entriesSize(tx: IDBTransaction): () => number {
  const journal = tx.objectStore(JOURNAL)
  let sizeBytes = 0
  const readAfter = (after: number): void => {
    const page = journal.getAll(IDBKeyRange.lowerBound(after, true), AT_A_TIME)
    page.onsuccess = () => {
      const rows = page.result as StoredEntry[]
      for (const { bytes } of rows) sizeBytes += bytes.byteLength
      const last = rows.at(-1)
      if (last && rows.length === AT_A_TIME) readAfter(last.seq)
    }
  }
  readAfter(0)
  return () => sizeBytes
}
