/** The contract of every journal, and what is special about IndexedDB. A full disk is in test/e2e/tabs-durability.test.ts. */
import { MemoryError } from '@palimpsest/core'
import type { Journal, JournalNews, StoredKeyring } from '@palimpsest/core'
import { describeJournal } from '@palimpsest/core/journal-contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { cdp } from 'vitest/browser'
import { databaseName } from '../src/journal/database-name.ts'
import { openIndexedDbJournal } from '../src/journal/indexeddb-journal.ts'
import type { IndexedDbJournalOptions } from '../src/journal/indexeddb-journal.ts'
import { NEWS_LIMIT_BYTES } from '../src/journal/news-channel.ts'
import { DOUBTFUL_WAIT_MS, TURN_WAIT_MS } from '../src/journal/turn.ts'

vi.setConfig({ testTimeout: 30_000 })

const journals: Journal[] = []
let stores = 0

function newName(): string {
  return `special-${Date.now()}-${++stores}`
}

async function open(name: string, options?: IndexedDbJournalOptions): Promise<Journal> {
  const journal = await openIndexedDbJournal(name, options)
  journals.push(journal)
  return journal
}

afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await Promise.all(journals.splice(0).map(journal => journal.close()))
})

describeJournal(
  'The IndexedDB journal',
  {
    open: async () => {
      const name = newName()
      const journal = await open(name)
      return {
        journal,
        reopen: async () => {
          await Promise.all(journals.splice(0).map(opened => opened.close()))
          return open(name)
        },
        second: () => open(name),
        cleanup: async () => {
          await Promise.all(journals.splice(0).map(opened => opened.close()))
          indexedDB.deleteDatabase(databaseName(name))
        },
      }
    },
  },
  { describe, test, expect },
)

function entry(seq: number, sizeBytes = 100): { seq: number; bytes: Uint8Array } {
  return { seq, bytes: new Uint8Array(sizeBytes).fill(seq % 256) }
}

async function failure(promise: Promise<unknown>): Promise<MemoryError> {
  const error: unknown = await promise.then(
    value => new Error(`Expected a failure, got ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (!MemoryError.is(error)) throw error
  return error
}

function settled(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('request failed'))
  })
}

/** Every transaction begun from now on. */
function watchTransactions(): IDBTransaction[] {
  const seen: IDBTransaction[] = []
  const begin = IDBDatabase.prototype.transaction
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
    const tx = begin.apply(this, args)
    seen.push(tx)
    return tx
  })
  return seen
}

describe('several connections', () => {
  test('the second to append an entry collides, and what the first wrote stays', async () => {
    const name = newName()
    const [one, two] = [await open(name), await open(name)]
    const outcomes = await Promise.all([one.append([entry(1, 10)]), two.append([entry(1, 20)])])
    expect(outcomes.toSorted()).toEqual(['appended', 'collision'])
    expect(await two.append([entry(2), entry(3)])).toBe('appended')
    expect(await one.append([entry(2), entry(3), entry(4)])).toBe('collision')
    expect((await one.read(0)).map(stored => stored.seq)).toEqual([1, 2, 3])
  })

  test('an entry below the floor is `behind`, whether the old ones are still there or not', async () => {
    const name = newName()
    const [one, two] = [await open(name), await open(name)]
    await one.append([entry(1), entry(2), entry(3)])
    await one.saveBase({ generation: 1, segments: [entry(0).bytes], floor: 3 })
    expect(await two.append([entry(2)])).toBe('behind')
    await one.dropBefore(1, 3)
    expect(await two.append([entry(1)])).toBe('behind')
    expect(await two.append([entry(2)])).toBe('behind')
    expect(await two.append([entry(3)])).toBe('behind')
    expect(await two.append([entry(4)])).toBe('appended')
    expect(await two.append([entry(4)])).toBe('collision')
  })

  test('an entry that would leave a gap is refused', async () => {
    const journal = await open(newName())
    await journal.append([entry(1)])
    expect(await failure(journal.append([entry(3)]))).toMatchObject({ code: 'NOT_STORED', details: { reason: 'gap' } })
    expect(await journal.state()).toMatchObject({ head: 1 })
  })

  test('hear of each other, of large appends only the head, and never of themselves', async () => {
    const name = newName()
    const [one, two] = [await open(name), await open(name)]
    const heard: JournalNews[] = []
    const own: JournalNews[] = []
    two.subscribe(news => heard.push(news))
    one.subscribe(news => own.push(news))
    one.announce({ head: 1, entries: [entry(1)] })
    one.announce({ head: 2, entries: [entry(2, NEWS_LIMIT_BYTES + 1)] })
    new BroadcastChannel(databaseName(name)).postMessage('not ours')
    one.announce({ head: 3 })
    await expect.poll(() => heard, { timeout: 10_000 }).toEqual([{ head: 1, entries: [entry(1)] }, { head: 2 }, { head: 3 }])
    expect(own).toEqual([])
  })

  test('a turn that a frozen tab keeps is waited for no longer than its limit, and that long only once', async () => {
    const name = newName()
    const [one, two] = [await open(name), await open(name)]
    await one.append([entry(1)])
    await two.append([entry(1)])
    // The collision leaves the turn with `two`; nobody goes on, as in a frozen tab.
    let release = (): void => {}
    const held = new Promise<void>(taken => {
      const hold = new Promise<void>(resolve => (release = resolve))
      void navigator.locks.request(databaseName(name), () => (taken(), hold))
    })
    await held
    let heard = 0
    two.subscribe(() => (heard += 1))
    const took = async (seq: number): Promise<number> => {
      const before = heard
      one.announce({ head: 1 })
      await expect.poll(() => heard).toBeGreaterThan(before)
      const begun = performance.now()
      expect(await two.append([entry(seq)])).toBe('appended')
      return performance.now() - begun
    }
    expect(await took(2)).toBeGreaterThan(TURN_WAIT_MS - 20)
    let all = 0
    for (const seq of [3, 4, 5, 6, 7, 8]) {
      const once = await took(seq)
      expect(once).toBeGreaterThan(DOUBTFUL_WAIT_MS - 20)
      all += once
    }
    expect(all).toBeLessThan(6 * TURN_WAIT_MS)
    release()
  })
})

describe('durable', () => {
  test('strict unless relaxed is asked for', async () => {
    const seen = watchTransactions()
    const name = newName()
    await (await open(name)).append([entry(1)])
    expect(seen.filter(tx => tx.mode === 'readwrite').map(tx => tx.durability)).toContain('strict')
    seen.length = 0
    await (await open(name, { durability: 'relaxed' })).append([entry(2)])
    expect(seen.filter(tx => tx.mode === 'readwrite').map(tx => tx.durability)).toEqual(['relaxed'])
  })

  test('an abort after every `success` is not an append', async () => {
    const journal = await open(newName())
    const add = IDBObjectStore.prototype.add
    let successes = 0
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(function (this: IDBObjectStore, ...args) {
      const request = add.apply(this, args)
      request.addEventListener('success', () => {
        successes += 1
        this.transaction.abort()
      })
      return request
    })
    const error = await failure(journal.append([entry(1)]))
    expect(successes).toBe(1)
    expect(error).toMatchObject({ code: 'NOT_STORED', details: { outcome: 'unknown', reason: 'AbortError' } })
    expect(await journal.read(0)).toEqual([])
    expect(await journal.append([entry(1)])).toBe('appended')
  })

  test('a transaction that never ends is given up, and nothing of it is there', async () => {
    const name = newName()
    const journal = await open(name, { transactionTimeoutMs: 1_000 })
    const other = (await settled(indexedDB.open(databaseName(name)))) as IDBDatabase
    let busy = true
    const store = other.transaction('journal', 'readwrite').objectStore('journal')
    const spin = (): void => {
      if (busy) store.get(0).onsuccess = spin
    }
    spin()
    expect(await failure(journal.append([entry(1)]))).toMatchObject({ code: 'NOT_STORED', details: { reason: 'timeout' } })
    busy = false
    expect(await journal.read(0)).toEqual([])
    other.close()
  })

  test('only the bytes of the entry are stored, not the buffer behind a view', async () => {
    const name = newName()
    const journal = await open(name)
    const view = new Uint8Array(1_000_000).subarray(10, 20)
    await journal.append([{ seq: 1, bytes: view }])
    await journal.saveBase({ generation: 1, segments: [view], floor: 1 })
    await journal.saveDelta({ generation: 1, n: 1, bytes: view, floor: 1 })
    expect((await journal.read(0))[0]?.bytes.buffer.byteLength).toBe(10)
    expect((await journal.image())?.segments[0]?.buffer.byteLength).toBe(10)
    expect(await journal.sizeBytes()).toBe(30)
  })
})

/**
 * As Chromium does it where the file of a large value is gone: the request fails, whether it asks for that row alone or for all,
 * and the transaction with it.
 */
function losesFileOf(...keys: readonly unknown[]): void {
  const isLost = (key: unknown): boolean => keys.some(lost => JSON.stringify(lost) === JSON.stringify(key))
  const fail = <T extends IDBRequest>(request: T, meets: (result: unknown) => boolean): T => {
    let failed = false
    Object.defineProperty(request, 'error', {
      get: () => (failed ? new DOMException('Data lost due to missing file', 'NotReadableError') : null),
    })
    request.addEventListener('success', event => {
      if (!meets(request.result)) return
      failed = true
      event.stopImmediatePropagation()
      Object.defineProperty(request.transaction, 'error', { get: () => request.error })
      request.dispatchEvent(new Event('error', { bubbles: true, cancelable: true }))
      try {
        request.transaction?.abort()
      } catch {
        // Aborted by the handler.
      }
    })
    return request
  }
  const { get, getAll } = IDBObjectStore.prototype
  vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (this: IDBObjectStore, ...args) {
    return fail(get.apply(this, args), () => isLost(args[0]))
  })
  vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(function (this: IDBObjectStore, ...args) {
    const path = this.keyPath
    const keyOf = (row: Record<string, unknown>): unknown =>
      Array.isArray(path) ? path.map(part => row[part]) : row[String(path)]
    return fail(getAll.apply(this, args), result => (result as Record<string, unknown>[]).some(row => isLost(keyOf(row))))
  })
}

describe('rows that the browser has lost', () => {
  test('an entry: those beside it are read, and it is no reason for anything else to fail', async () => {
    const journal = await open(newName())
    await journal.append([entry(1), entry(2, 100_000), entry(3)])
    losesFileOf(2)
    expect(await journal.read(0)).toEqual([entry(1), entry(3)])
    expect(await journal.state()).toMatchObject({ head: 3 })
    expect(await journal.append([entry(2)])).toBe('collision')
    expect(await journal.append([entry(4)])).toBe('appended')
    expect(await journal.sizeBytes()).toBe(300)
  })

  test('parts of an image are empty, so that they are judged as damage, and the generation before can be read', async () => {
    const journal = await open(newName())
    const segments = [1, 2].map(fill => new Uint8Array(100).fill(fill))
    for (const generation of [1, 2]) {
      await journal.saveBase({ generation, segments, floor: 0 })
      for (const n of [1, 2]) await journal.saveDelta({ generation, n, bytes: new Uint8Array(10).fill(n), floor: 0 })
    }
    losesFileOf([2, 1])
    expect(await journal.image()).toEqual({
      generation: 2,
      segments: [segments[0], new Uint8Array(0)],
      deltas: [new Uint8Array(0), new Uint8Array(10).fill(2)],
    })
    expect(await journal.image(1)).toEqual({ generation: 1, segments, deltas: [1, 2].map(n => new Uint8Array(10).fill(n)) })
    expect(await journal.image(3)).toBe(undefined)
  })
})

describe('the keyring', () => {
  const keyring = (revision: number): StoredKeyring => ({ revision, bytes: new Uint8Array(70_000).fill(revision) })

  test('only its bytes are stored, not the buffer behind a view', async () => {
    const journal = await open(newName())
    await journal.writeKeyring({ revision: 1, bytes: new Uint8Array(1_000_000).subarray(10, 20) })
    expect((await journal.readKeyring())?.bytes.buffer.byteLength).toBe(10)
    expect(await journal.sizeBytes()).toBe(10)
  })

  test('of which the bytes are lost keeps its revision, hides nothing else, and is replaced', async () => {
    const journal = await open(newName())
    await journal.writeKeyring(keyring(1))
    await journal.append([entry(1)])
    losesFileOf('keyring')
    expect(await journal.readKeyring()).toEqual({ revision: 1, bytes: new Uint8Array(0) })
    expect(await journal.state()).toMatchObject({ head: 1 })
    expect(await journal.sizeBytes()).toBe(70_100)
    expect(await journal.writeKeyring(keyring(1))).toBe(false)
    expect(await journal.writeKeyring(keyring(2))).toBe(true)
    vi.restoreAllMocks()
    expect(await journal.readKeyring()).toEqual(keyring(2))
  })

  test.each(['is missing', 'makes no sense'])(
    'of which the revision %s is corrupt, and is neither read nor replaced',
    async how => {
      const name = newName()
      const journal = await open(name)
      await journal.writeKeyring(keyring(1))
      const database = (await settled(indexedDB.open(databaseName(name)))) as IDBDatabase
      const meta = database.transaction('meta', 'readwrite').objectStore('meta')
      const key = 'keyringState'
      await settled(how === 'is missing' ? meta.delete(key) : meta.put({ key, value: 'what is this' }))
      database.close()
      const corrupt = { code: 'STORE_CORRUPT', details: { what: 'keyring' } }
      expect(await failure(journal.readKeyring())).toMatchObject(corrupt)
      expect(await failure(journal.writeKeyring(keyring(1)))).toMatchObject(corrupt)
      losesFileOf('keyring')
      expect(await failure(journal.readKeyring())).toMatchObject(corrupt)
    },
  )

  test('whose write fails stays as it was', async () => {
    const journal = await open(newName())
    await journal.writeKeyring(keyring(1))
    const put = IDBObjectStore.prototype.put
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(function (this: IDBObjectStore, ...args) {
      const request = put.apply(this, args)
      request.addEventListener('success', () => this.transaction.abort())
      return request
    })
    expect(await failure(journal.writeKeyring(keyring(2)))).toMatchObject({ code: 'NOT_STORED', details: { outcome: 'unknown' } })
    expect(await journal.readKeyring()).toEqual(keyring(1))
    expect(await journal.writeKeyring(keyring(2))).toBe(true)
  })
})

test('the size counts every entry, however many there are', async () => {
  const journal = await open(newName())
  await journal.append(Array.from({ length: 450 }, (_, i) => entry(i + 1)))
  expect(await journal.sizeBytes()).toBe(45_000)
  await journal.saveBase({ generation: 1, segments: [new Uint8Array(7)], floor: 450 })
  await journal.saveDelta({ generation: 1, n: 1, bytes: new Uint8Array(5), floor: 450 })
  await journal.dropBefore(1, 250)
  expect(await journal.sizeBytes()).toBe(20_012)
})

describe('a connection is lost', () => {
  test('and opened again for the next call', async () => {
    const seen = watchTransactions()
    const journal = await open(newName())
    await journal.append([entry(1)])
    for (const seq of [2, 3]) {
      seen.at(-1)?.db.close()
      expect(await journal.append([entry(seq)])).toBe('appended')
    }
    seen.at(-1)?.db.close()
    expect(await journal.state()).toMatchObject({ head: 3 })
  })

  test('in the middle of a read: read again', async () => {
    const journal = await open(newName())
    await journal.append([entry(1)])
    const getAll = IDBObjectStore.prototype.getAll
    const cut = vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementationOnce(function (this: IDBObjectStore, ...args) {
      const request = getAll.apply(this, args)
      this.transaction.abort()
      return request
    })
    expect(await journal.read(0)).toHaveLength(1)
    expect(cut).toHaveBeenCalledTimes(2)
  })

  test('a deletion elsewhere is not held up, and no empty database takes its place', async () => {
    const name = newName()
    const journal = await open(name)
    const writing = journal.append([entry(1, 1_000_000)])
    await settled(indexedDB.deleteDatabase(databaseName(name)))
    expect(await writing).toBe('appended')
    for (const call of [() => journal.state(), () => journal.append([entry(2)]), () => journal.append([entry(1)])]) {
      expect(await failure(call())).toMatchObject({ code: 'STORE_UNAVAILABLE', details: { reason: 'deleted' } })
    }
    expect((await indexedDB.databases()).map(database => database.name)).not.toContain(databaseName(name))
  })

  test('a database that was deleted and made again is not ours', async () => {
    const name = newName()
    const journal = await open(name)
    await journal.append([entry(1)])
    await settled(indexedDB.deleteDatabase(databaseName(name)))
    const next = await open(name)
    expect(await next.append([entry(1)])).toBe('appended')
    expect(await failure(journal.append([entry(2)]))).toMatchObject({ details: { reason: 'deleted' } })
    expect(await next.read(0)).toHaveLength(1)
  })

  test('of which the next opening is closed by the browser too: gone all the same, not only out of reach', async () => {
    const name = newName()
    const journal = await open(name)
    await settled(indexedDB.deleteDatabase(databaseName(name)))
    const request = indexedDB.open.bind(indexedDB)
    const opening = vi.spyOn(IDBFactory.prototype, 'open').mockImplementationOnce(() => {
      const closed = request(newName())
      // The browser answers with an AbortError then, as it does when it closes the connection itself.
      closed.addEventListener('upgradeneeded', event => {
        event.stopImmediatePropagation()
        closed.result.close()
      })
      return closed
    })
    expect(await failure(journal.append([entry(1)]))).toMatchObject({ code: 'STORE_UNAVAILABLE', details: { reason: 'deleted' } })
    expect(opening).toHaveBeenCalledTimes(2)
  })

  test('by the browser, which clears the site: the store is gone, not empty', async () => {
    const journal = await open(newName())
    await journal.append([entry(1)])
    const session = cdp() as unknown as { send(method: string, params: object): Promise<unknown> }
    await session.send('Storage.clearDataForOrigin', { origin: location.origin, storageTypes: 'indexeddb' })
    await expect.poll(async () => (await failure(journal.append([entry(2)]))).details.reason, { timeout: 10_000 }).toBe('deleted')
  })
})

describe('a store that cannot be opened', () => {
  test('without IndexedDB', async () => {
    vi.stubGlobal('indexedDB', undefined)
    const refused = { code: 'STORE_UNAVAILABLE', retryable: false, details: { reason: 'no IndexedDB' } }
    expect(await failure(openIndexedDbJournal(newName()))).toMatchObject(refused)
  })

  test('where the browser refuses, as some do in a private window', async () => {
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new DOMException(
        'A mutation operation was attempted on a database that did not allow mutations.',
        'InvalidStateError',
      )
    })
    const error = await failure(openIndexedDbJournal(newName()))
    expect(error.code).toBe('STORE_UNAVAILABLE')
    expect(error.details.reason).toMatch('did not allow mutations')
  })

  test('while a deletion waits for somebody who does not let go', async () => {
    const name = newName()
    await (await open(name)).close()
    const stubborn = (await settled(indexedDB.open(databaseName(name)))) as IDBDatabase
    const deletion = settled(indexedDB.deleteDatabase(databaseName(name)))
    const error = await failure(openIndexedDbJournal(name, { openTimeoutMs: 200 }))
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', details: { reason: 'blocked' } })
    stubborn.close()
    await deletion
    expect(await (await open(name)).append([entry(1)])).toBe('appended')
  })

  test('because newer code wrote it', async () => {
    const name = newName()
    await (await open(name)).close()
    const newer = (await settled(indexedDB.open(databaseName(name), 20))) as IDBDatabase
    newer.close()
    expect((await failure(openIndexedDbJournal(name))).details.reason).toBe('newer')
  })
})
