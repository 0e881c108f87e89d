/** The contract of every mirror's place, in workers as it is used, and what is special about the private file system. */
import { MemoryError } from '@palimpsest/core'
import type { MirrorPlace } from '@palimpsest/core'
import { describeMirrorPlace } from '@palimpsest/core/mirror-contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { removeOpfsPlace } from '../src/mirror/opfs-folder.ts'
import { openOpfsPlace } from '../src/mirror/opfs-place.ts'
import { remotePlace } from '../src/mirror/remote-place.ts'
import type { OpfsWorkerRequest } from './workers/opfs.worker.ts'

// A worker loads its modules one by one here, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 })

const workers: Worker[] = []
let stores = 0

function newName(): string {
  return `Mirror of ${Date.now()}/${++stores}`
}

function newWorker(): Worker {
  const worker = new Worker(new URL('./workers/opfs.worker.ts', import.meta.url), { type: 'module' })
  workers.push(worker)
  return worker
}

/** A place in a worker, by default in one of its own, as the page of a test speaks to it. */
async function open(
  storeName: string,
  faults: Omit<OpfsWorkerRequest, 'storeName' | 'port'> = {},
  worker: Worker = newWorker(),
): Promise<MirrorPlace> {
  const { port1, port2 } = new MessageChannel()
  const served = new Promise((resolve, reject) => {
    worker.addEventListener('message', event => resolve(event.data), { once: true })
    worker.addEventListener('error', event => reject(new Error(event.message)), { once: true })
  })
  worker.postMessage({ storeName, port: port2, ...faults } satisfies OpfsWorkerRequest, [port2])
  expect(await served).toBe('served')
  return remotePlace(port1, { kind: 'opfs', deadlineMs: 30_000 })
}

function endWorkers(): void {
  for (const worker of workers.splice(0)) worker.terminate()
}

afterEach(() => {
  endWorkers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describeMirrorPlace(
  'The private file system',
  {
    open: async () => {
      const name = newName()
      return {
        place: await open(name),
        second: () => open(name),
        reopen: () => {
          endWorkers()
          return open(name)
        },
        cleanup: async () => {
          endWorkers()
          await removeOpfsPlace(name)
        },
      }
    },
  },
  { describe, test, expect },
)

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textIn = async (place: MirrorPlace, name: string): Promise<string> => new TextDecoder().decode(await place.read(name))

async function failure(promise: Promise<unknown>): Promise<MemoryError> {
  const error: unknown = await promise.then(
    () => new Error('Expected a failure'),
    (reason: unknown) => reason,
  )
  if (!MemoryError.is(error)) throw error
  return error
}

describe('stores', () => {
  test('whose names differ do not share a file, whatever the names hold', async () => {
    const prefix = newName()
    const names = [
      'a',
      'A',
      'a/b',
      'a-b',
      'a\\b',
      '..',
      'ä',
      'a\u0308',
      '\ud800',
      '\ud801',
      'x'.repeat(150),
      'x'.repeat(151),
      '\0',
    ]
    const worker = newWorker()
    const places: MirrorPlace[] = []
    for (const name of names) places.push(await open(prefix + name, {}, worker))
    for (const [i, place] of places.entries()) await (await place.create('log-1')).append(bytesOf(`of ${i}`))
    for (const [i, place] of places.entries()) {
      expect(await place.list()).toEqual(['log-1'])
      expect(await textIn(place, 'log-1')).toBe(`of ${i}`)
    }
    endWorkers()
    await Promise.all(names.map(name => removeOpfsPlace(prefix + name)))
  })
})

describe('a file of another replica', () => {
  test('that grows between asking for it and reading it is asked for again', async () => {
    const name = newName()
    const owner = await open(name)
    await (await owner.create('log-1')).append(bytesOf('there'))
    expect(await textIn(await open(name, { grownReads: 25 }), 'log-1')).toBe('there')
  })

  test('that never holds still is given up, and says so', async () => {
    const name = newName()
    await (await open(name)).create('log-1')
    const reader = await open(name, { grownReads: Number.POSITIVE_INFINITY })
    expect(await failure(reader.read('log-1'))).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      details: { reason: 'NotReadableError' },
    })
  })
})

describe('a write', () => {
  test('that the browser does in pieces is done to the end', async () => {
    const place = await open(newName(), { writes: 'byte by byte' })
    const file = await place.create('log-1')
    await file.append(bytesOf('piece by '))
    await file.append(bytesOf('piece'), { flush: true })
    expect(await textIn(place, 'log-1')).toBe('piece by piece')
  })

  test.each([
    ['fail', 'QuotaExceededError'],
    ['stop short', 'short write'],
  ] as const)(
    'that does not get to its end (%s) says NOT_STORED, leaves no part behind, and says that too',
    async (writes, reason) => {
      const place = await open(newName(), { writes })
      const file = await place.create('log-1')
      await file.append(bytesOf('one '))
      expect(await failure(file.append(bytesOf('lost ')))).toMatchObject({
        code: 'NOT_STORED',
        details: { reason, isWhole: true },
      })
      await file.append(bytesOf('two'))
      expect(await textIn(place, 'log-1')).toBe('one two')
    },
  )
})

describe('removing the place of a store', () => {
  test('takes every file, and other stores keep theirs', async () => {
    const [mine, other] = [newName(), newName()]
    for (const name of [mine, other]) {
      const place = await open(name)
      for (const file of ['log-1', 'log-2']) await (await place.create(file)).append(bytesOf(file))
      await place.close()
    }
    await removeOpfsPlace(mine)
    expect(await (await open(mine)).list()).toEqual([])
    expect((await (await open(other)).list()).toSorted()).toEqual(['log-1', 'log-2'])
    await removeOpfsPlace(mine)
    await removeOpfsPlace(newName())
  })

  test('waits for a tab that lets go, and not for ever', async () => {
    const name = newName()
    const place = await open(name)
    const file = await place.create('log-1')
    await file.append(bytesOf('held'))
    expect(await failure(removeOpfsPlace(name, 200))).toMatchObject({ code: 'STORE_UNAVAILABLE', details: { reason: 'held' } })
    expect(await textIn(place, 'log-1')).toBe('held')
    const removing = removeOpfsPlace(name, 30_000)
    await file.close()
    await removing
    // Who still has the place open neither sees anything nor brings the folder back.
    expect(await place.list()).toEqual([])
    expect(await place.read('log-1')).toBe(undefined)
    expect(await place.remove('log-1')).toBe(true)
    expect((await failure(place.create('log-2'))).code).toBe('NOT_STORED')
  })
})

describe('there is no place, and no error', () => {
  test('outside of a worker', async () => {
    expect(await openOpfsPlace(newName())).toBe(undefined)
  })

  test('without the API, or where it refuses', async () => {
    // As if this were a worker.
    vi.stubGlobal(
      'FileSystemFileHandle',
      class {
        createSyncAccessHandle(): void {}
      },
    )
    expect(await openOpfsPlace(newName())).not.toBe(undefined)
    const refuse = (): Promise<never> =>
      Promise.reject(new DOMException('Security error when calling GetDirectory', 'SecurityError'))
    vi.spyOn(StorageManager.prototype, 'getDirectory').mockImplementation(refuse)
    expect(await openOpfsPlace(newName())).toBe(undefined)
    await removeOpfsPlace(newName())
    vi.restoreAllMocks()
    vi.stubGlobal('navigator', {})
    expect(await openOpfsPlace(newName())).toBe(undefined)
    await removeOpfsPlace(newName())
    vi.stubGlobal('FileSystemFileHandle', undefined)
    expect(await openOpfsPlace(newName())).toBe(undefined)
  })
})
