/** An image and the state that names it are one transaction: whichever request is followed by an abort, nothing has changed. */
import type { Journal } from '@palimpsest/core'
import { afterEach, expect, test, vi } from 'vitest'
import { databaseName } from '../src/journal/database-name.ts'
import { openIndexedDbJournal } from '../src/journal/indexeddb-journal.ts'

afterEach(() => void vi.restoreAllMocks())

/** The next request of this kind succeeds, and its transaction is aborted then. */
function abortsAfter(method: 'add' | 'put'): void {
  const request = IDBObjectStore.prototype[method]
  vi.spyOn(IDBObjectStore.prototype, method).mockImplementationOnce(function (this: IDBObjectStore, ...args) {
    const made = request.apply(this, args)
    made.addEventListener('success', () => this.transaction.abort())
    return made
  })
}

const WRITES: Readonly<Record<string, (journal: Journal) => Promise<unknown>>> = {
  saveBase: journal => journal.saveBase({ generation: 2, segments: [Uint8Array.of(2)], floor: 2 }),
  saveDelta: journal => journal.saveDelta({ generation: 1, n: 1, bytes: Uint8Array.of(3), floor: 2 }),
}

test.each(Object.keys(WRITES).flatMap(name => [[name, 'add'] as const, [name, 'put'] as const]))(
  '%s, aborted after %s',
  async (name, method) => {
    const store = `one-transaction-${Date.now()}-${name}-${method}`
    const journal = await openIndexedDbJournal(store)
    await journal.append([1, 2].map(seq => ({ seq, bytes: Uint8Array.of(seq) })))
    await journal.saveBase({ generation: 1, segments: [Uint8Array.of(1)], floor: 1 })
    const told = async (): Promise<unknown> => [await journal.state(), await journal.image(1), await journal.image(2)]
    const before = await told()
    abortsAfter(method)
    await expect(WRITES[name]?.(journal)).rejects.toMatchObject({ code: 'NOT_STORED', details: { outcome: 'unknown' } })
    expect(await told()).toEqual(before)
    expect(await WRITES[name]?.(journal)).toBe(true)
    await journal.close()
    indexedDB.deleteDatabase(databaseName(store))
  },
)
