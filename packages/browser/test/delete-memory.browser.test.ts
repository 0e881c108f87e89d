/** What is left after a deletion, and after one that broke off. The whole way, with a memory in it, is test/e2e/delete-memory.test.ts. */
import { MemoryError, MemoryFiles, MemoryPlace } from '@palimpsest/core'
import type { Journal } from '@palimpsest/core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { databaseName } from '../src/journal/database-name.ts'
import { openIndexedDbJournal } from '../src/journal/indexeddb-journal.ts'
import { openOpfsFolder } from '../src/mirror/opfs-folder.ts'
import { deleteMemory } from '../src/index.ts'
import { whileOpening } from '../src/page/opening-lock.ts'
import { recallStore, rememberStore } from '../src/page/store-witness.ts'

let stores = 0
const journals: Journal[] = []

function newName(): string {
  return `deleted ${Date.now()}-${++stores}`
}

/** Every place that knows of a store, filled. */
async function storeIn(name: string): Promise<Journal> {
  const journal = await openIndexedDbJournal(name)
  journals.push(journal)
  await journal.initMeta('storeId', name)
  await journal.append([{ seq: 1, bytes: Uint8Array.of(1) }])
  const folder = await openOpfsFolder(name)
  await folder?.getFileHandle('identity-1', { create: true })
  rememberStore(name, 'the store')
  return journal
}

/** Which places still know of a store. */
async function left(name: string): Promise<string[]> {
  const databases = (await indexedDB.databases()).map(database => database.name)
  const files: string[] = []
  const folder = await openOpfsFolder(name)
  if (folder) for await (const file of folder.keys()) files.push(file)
  return [
    ...(files.length > 0 ? ['mirror'] : []),
    ...(recallStore(name) === undefined ? [] : ['item']),
    ...(databases.includes(databaseName(name)) ? ['database'] : []),
  ]
}

async function failure(promise: Promise<unknown>): Promise<MemoryError> {
  const error: unknown = await promise.then(
    () => new Error('Expected a failure'),
    (reason: unknown) => reason,
  )
  if (!MemoryError.is(error)) throw error
  return error
}

afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await Promise.all(journals.splice(0).map(journal => journal.close()))
})

test('nothing is left of the store, everything of another, and the next of its name is new', async () => {
  const [name, other] = [newName(), newName()]
  await (await storeIn(name)).close()
  await storeIn(other)
  expect(await left(name)).toEqual(['mirror', 'item', 'database'])
  await deleteMemory({ name })
  expect(await left(name)).toEqual([])
  expect(await left(other)).toEqual(['mirror', 'item', 'database'])
  const journal = await openIndexedDbJournal(name)
  journals.push(journal)
  expect(await journal.getMeta('storeId')).toBe(undefined)
  expect(await journal.state()).toEqual({ head: 0, floor: 0, generation: 0, deltas: 0 })
})

test('nothing to delete is fine', async () => {
  const name = newName()
  await deleteMemory({ name })
  expect(await left(name)).toEqual([])
})

test('a name that is none is refused', async () => {
  for (const name of ['', undefined, 7]) {
    expect(await failure(deleteMemory({ name: name as string }))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      details: { field: 'name' },
    })
  }
})

test('a place that the mirror was given is emptied too', async () => {
  const name = newName()
  await (await storeIn(name)).close()
  const files = new MemoryFiles()
  for (const file of ['identity-1', 'log-1']) await (await new MemoryPlace(files).create(file)).close()
  await deleteMemory({ name, mirror: new MemoryPlace(files) })
  expect([...files.files.keys()]).toEqual([])
})

describe('a tab that has it open', () => {
  test('lets go of the database, and finds it gone', async () => {
    const name = newName()
    const journal = await storeIn(name)
    await deleteMemory({ name })
    expect(await left(name)).toEqual([])
    expect(await failure(journal.append([{ seq: 2, bytes: Uint8Array.of(2) }]))).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      details: { reason: 'deleted' },
    })
  })

  test('and does not let go of the database: said after the time given, and done once it is gone', async () => {
    const name = newName()
    await (await storeIn(name)).close()
    const request = indexedDB.open(databaseName(name))
    await new Promise(resolve => (request.onsuccess = resolve))
    expect(await failure(deleteMemory({ name, timeoutMs: 200 }))).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      details: { reason: 'blocked' },
    })
    request.result.close()
    await expect.poll(() => left(name), { timeout: 10_000 }).toEqual([])
  })

  test('and holds a file of its mirror: nothing else is touched', async () => {
    const name = newName()
    await (await storeIn(name)).close()
    const files = new MemoryFiles()
    const holder = new MemoryPlace(files)
    await holder.create('log-1')
    const deletion = { name, mirror: new MemoryPlace(files) }
    expect(await failure(deleteMemory({ ...deletion, timeoutMs: 100 }))).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      details: { reason: 'held' },
    })
    expect(await left(name)).toEqual(['mirror', 'item', 'database'])
    const deleting = deleteMemory({ ...deletion, timeoutMs: 10_000 })
    await holder.close()
    await deleting
    expect(await left(name)).toEqual([])
  })
})

test('a tab that does not come to the end of opening it: nothing is touched; afterwards it goes, and who opens then waits', async () => {
  const name = newName()
  await (await storeIn(name)).close()
  const { promise: opening, resolve: opened } = Promise.withResolvers<void>()
  const others = [whileOpening(name, () => opening), whileOpening(name, () => opening)]
  expect(await failure(deleteMemory({ name, timeoutMs: 100 }))).toMatchObject({
    code: 'STORE_UNAVAILABLE',
    details: { reason: 'held' },
  })
  expect(await left(name)).toEqual(['mirror', 'item', 'database'])
  const deleting = deleteMemory({ name })
  const next = whileOpening(name, () => left(name))
  opened()
  await Promise.all(others)
  await deleting
  expect(await next).toEqual([])
})

describe('broken off', () => {
  test('while the mirror goes: the rest of the memory is there', async () => {
    const name = newName()
    await (await storeIn(name)).close()
    const reached = new Promise<void>(resolve => {
      vi.spyOn(FileSystemDirectoryHandle.prototype, 'removeEntry').mockImplementation(() => {
        resolve()
        return new Promise(() => {})
      })
    })
    void deleteMemory({ name })
    await reached
    expect((await left(name)).slice(-2)).toEqual(['item', 'database'])
  })

  test('before the database goes: nothing else knows of it, so that a lost database is not missed', async () => {
    const name = newName()
    await (await storeIn(name)).close()
    const reached = new Promise<void>(resolve => {
      vi.spyOn(IDBFactory.prototype, 'deleteDatabase').mockImplementation(() => {
        resolve()
        return {} as IDBOpenDBRequest
      })
    })
    const deleting = failure(deleteMemory({ name, timeoutMs: 200 }))
    await reached
    expect(await left(name)).toEqual(['database'])
    await deleting
    vi.restoreAllMocks()
    await deleteMemory({ name })
    expect(await left(name)).toEqual([])
  })
})

test('without IndexedDB it says so', async () => {
  vi.stubGlobal('indexedDB', undefined)
  const refused = { code: 'STORE_UNAVAILABLE', retryable: false, details: { reason: 'no IndexedDB' } }
  expect(await failure(deleteMemory({ name: newName() }))).toMatchObject(refused)
})
