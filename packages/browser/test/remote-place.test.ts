/** A place behind a port: it keeps the contract, and nothing that happens at the other end leaves a call hanging. */
import { MemoryError, MemoryFiles, MemoryPlace } from '@palimpsest/core'
import type { MirrorPlace } from '@palimpsest/core'
import { describeMirrorPlace } from '@palimpsest/core/mirror-contract'
import { afterEach, describe, expect, test } from 'vitest'
import { remotePlace } from '../src/mirror/remote-place.ts'
import { servePlace } from '../src/mirror/serve-place.ts'

const ends: (() => void)[] = []
afterEach(() => ends.splice(0).forEach(end => end()))

/** A place that is served, spoken to through a channel. */
function behindPort(place: MirrorPlace, deadlineMs?: number): { remote: MirrorPlace; stop: () => void; port: MessagePort } {
  const { port1, port2 } = new MessageChannel()
  const stop = servePlace(place, port1)
  ends.push(stop, () => port2.close())
  return {
    remote: remotePlace(port2, { kind: place.kind, ...(deadlineMs === undefined ? {} : { deadlineMs }) }),
    stop,
    port: port2,
  }
}

describeMirrorPlace(
  'A place behind a port',
  {
    open: () => {
      const files = new MemoryFiles()
      const open = (): Promise<MirrorPlace> => Promise.resolve(behindPort(new MemoryPlace(files)).remote)
      const endAll = (): void => ends.splice(0).forEach(end => end())
      return open().then(place => ({
        place,
        second: open,
        reopen: () => {
          endAll()
          return open()
        },
        cleanup: () => Promise.resolve(endAll()),
      }))
    },
  },
  { describe, test, expect },
)

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

async function failure(promise: Promise<unknown>): Promise<MemoryError> {
  const error: unknown = await promise.then(
    () => new Error('Expected a failure'),
    (reason: unknown) => reason,
  )
  if (!MemoryError.is(error)) throw error
  return error
}

/** A place of which every call waits until it is let through. */
function slowPlace(): { place: MirrorPlace; release: () => void } {
  const inner = new MemoryPlace()
  let release = (): void => {}
  const gate = new Promise<void>(resolve => (release = resolve))
  const place: MirrorPlace = {
    kind: 'memory',
    list: () => gate.then(() => inner.list()),
    read: name => gate.then(() => inner.read(name)),
    create: name => gate.then(() => inner.create(name)),
    remove: (name, sizeBytes) => gate.then(() => inner.remove(name, sizeBytes)),
    close: () => gate.then(() => inner.close()),
  }
  return { place, release }
}

describe('what the place says', () => {
  test('comes through as it was: kind, code, details', async () => {
    const place = new MemoryPlace()
    place.list = () => Promise.reject(new MemoryError('STORE_UNAVAILABLE', 'Gone', { reason: 'for the test' }))
    place.read = () => Promise.reject(new TypeError('not a MemoryError'))
    const { remote } = behindPort(place)
    expect(remote.kind).toBe('memory')
    expect(await failure(remote.list())).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: 'Gone',
      details: { reason: 'for the test' },
    })
    expect((await failure(remote.read('log-1'))).code).toBe('INTERNAL')
    const file = await remote.create('log-1')
    expect(await failure(remote.create('log-1'))).toMatchObject({ code: 'NOT_STORED', details: { reason: 'exists' } })
    await file.append(bytesOf('goes on'))
  })

  test('bytes are sent without the buffer behind a view, and the caller keeps them', async () => {
    const sizes: number[] = []
    const place = new MemoryPlace()
    const create = place.create.bind(place)
    place.create = async name => {
      const file = await create(name)
      return { ...file, append: bytes => (sizes.push(bytes.buffer.byteLength), file.append(bytes)) }
    }
    const { remote } = behindPort(place)
    const file = await remote.create('log-1')
    const view = new Uint8Array(1_000_000).subarray(10, 20)
    await file.append(view)
    expect(sizes).toEqual([10])
    expect(view.byteLength).toBe(10)
  })
})

describe('an end that does not answer', () => {
  test('costs each call its deadline and no more', async () => {
    const { port1, port2 } = new MessageChannel()
    ends.push(() => port1.close())
    const remote = remotePlace(port2, { deadlineMs: 50 })
    expect(remote.kind).toBe('file')
    const timeout = { reason: 'timeout' }
    const [list, read, create, remove] = await Promise.all(
      [remote.list(), remote.read('log-1'), remote.create('log-1'), remote.remove('log-1')].map(failure),
    )
    for (const error of [list, read, remove]) expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', details: timeout })
    expect(create).toMatchObject({ code: 'NOT_STORED', details: timeout })
    await remote.close()
  })

  test('and stops in the middle: appends are refused, closing is done', async () => {
    const { remote, stop } = behindPort(new MemoryPlace(), 50)
    const file = await remote.create('log-1')
    stop()
    expect(await failure(file.append(bytesOf('late')))).toMatchObject({ code: 'NOT_STORED', details: { reason: 'timeout' } })
    await file.close()
    await remote.close()
  })

  test('a file that is made after its deadline is let go again', async () => {
    const { place, release } = slowPlace()
    const { remote } = behindPort(place, 50)
    expect((await failure(remote.create('log-1'))).details.reason).toBe('timeout')
    release()
    await expect.poll(() => remote.remove('log-1')).toBe(true)
    expect(await remote.list()).toEqual([])
  })

  test('what waits when the place is closed is settled, and later calls are refused', async () => {
    const { place, release } = slowPlace()
    const { remote } = behindPort(place)
    place.list = () => new Promise(() => {})
    const waiting = failure(remote.list())
    const closing = remote.close()
    release()
    await closing
    expect((await waiting).details.reason).toBe('closed')
    expect((await failure(remote.read('log-1'))).code).toBe('STORE_UNAVAILABLE')
    expect((await failure(remote.create('log-1'))).code).toBe('NOT_STORED')
    await remote.close()
  })
})

describe('what was held is let go', () => {
  test.each(['served side stops', 'remote side is gone'] as const)('when the %s', async how => {
    const files = new MemoryFiles()
    const { remote, stop, port } = behindPort(new MemoryPlace(files))
    await (await remote.create('log-1')).append(bytesOf('kept'))
    expect(await new MemoryPlace(files).remove('log-1')).toBe(false)
    if (how === 'served side stops') stop()
    else port.close()
    await expect.poll(() => files.held.size).toBe(0)
    expect(files.files.get('log-1')).toEqual(bytesOf('kept'))
  })
})
