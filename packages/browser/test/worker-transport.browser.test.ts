import { MemoryError } from '@palimpsest/core'
import type { MemoryEvent } from '@palimpsest/core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { connectWorker } from '../src/page/handshake.ts'
import { WorkerTransport } from '../src/page/worker-transport.ts'
import type { WorkerTransportOptions } from '../src/page/worker-transport.ts'
import type { OpenRequest } from '../src/wire.ts'

// A worker loads its modules one by one here, and the machine may be busy.
vi.setConfig({ testTimeout: 30_000 })

const workers: Worker[] = []
afterEach(() => workers.splice(0).forEach(worker => worker.terminate()))

function stubWorker(): Worker {
  const worker = new Worker(new URL('./workers/stub.worker.ts', import.meta.url), { type: 'module' })
  workers.push(worker)
  return worker
}

const REQUEST: OpenRequest = { name: 'test', durability: 'strict', timeZone: 'Europe/Oslo' }

interface Opened {
  readonly worker: Worker
  readonly transport: WorkerTransport
}

async function open(options: Partial<WorkerTransportOptions> = {}, request: OpenRequest = REQUEST): Promise<Opened> {
  const worker = stubWorker()
  const transport = new WorkerTransport(worker, await connectWorker(worker, 10_000), { heartbeatMs: 30_000, ...options })
  await transport.open(request)
  return { worker, transport }
}

function call(transport: WorkerTransport, method: string, ...args: unknown[]): Promise<unknown> {
  return transport.call({ method, args })
}

async function failure(promise: Promise<unknown>): Promise<MemoryError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!MemoryError.is(error)) throw new Error(`Expected a MemoryError, got ${String(error)}`)
  return error
}

describe('a call', () => {
  test('arrives and comes back by structured clone', async () => {
    const { transport } = await open()
    const args = [{ at: new Date(0), value: [1, null, 'José'] }]
    expect(await transport.call({ method: 'echo', tenant: 'home', actor: 'user', args })).toEqual({
      method: 'echo',
      tenant: 'home',
      actor: 'user',
      args,
    })
    expect(await call(transport, 'opened')).toEqual(REQUEST)
  })

  test('raises what the service raised, with code and details', async () => {
    const { transport } = await open()
    const error = await failure(call(transport, 'fail'))
    expect(error).toMatchObject({ code: 'CONFLICT', message: 'Two values', retryable: false, details: { field: 'value' } })
    expect(await failure(call(transport, 'crash'))).toMatchObject({ code: 'INTERNAL' })
  })

  test('with something that cannot be cloned is INVALID_ARGUMENT, and the next one works', async () => {
    const { transport } = await open()
    expect((await failure(call(transport, 'echo', () => {}))).code).toBe('INVALID_ARGUMENT')
    expect(await call(transport, 'refreshes')).toBe(0)
  })

  test('is aborted in the worker by its signal, and only that one', async () => {
    const { transport } = await open()
    const stop = new AbortController()
    const aborted = failure(transport.call({ method: 'untilAborted', args: [] }, stop.signal))
    const other = transport.call({ method: 'untilAborted', args: [] }, new AbortController().signal)
    let settled = false
    other.catch(() => {}).finally(() => (settled = true))
    stop.abort()
    expect((await aborted).code).toBe('ABORTED')
    await call(transport, 'refreshes')
    expect(settled).toBe(false)
  })

  test('with a signal that has fired is never sent', async () => {
    const { transport } = await open()
    expect((await failure(transport.call({ method: 'echo', args: [] }, AbortSignal.abort()))).code).toBe('ABORTED')
  })
})

describe('a worker is lost', () => {
  test('when it is terminated: every pending call and every later one says WORKER_LOST', async () => {
    const { worker, transport } = await open()
    const events: MemoryEvent[] = []
    transport.on(event => events.push(event))
    const pending = [failure(call(transport, 'hang')), failure(call(transport, 'hang'))]
    worker.terminate()
    for (const error of await Promise.all(pending)) {
      expect(error).toMatchObject({ code: 'WORKER_LOST', retryable: true, details: { reason: 'it was terminated' } })
    }
    expect((await failure(call(transport, 'echo'))).code).toBe('WORKER_LOST')
    expect(events).toEqual([{ type: 'lost', reason: 'it was terminated' }])
    await transport.close()
    expect((await failure(call(transport, 'echo'))).code).toBe('CLOSED')
  })

  test('when it is terminated while nothing is pending', async () => {
    const { worker, transport } = await open()
    worker.terminate()
    expect((await failure(call(transport, 'echo'))).code).toBe('WORKER_LOST')
  })

  test('when it is terminated while it opens', async () => {
    const worker = stubWorker()
    const transport = new WorkerTransport(worker, await connectWorker(worker, 10_000), { heartbeatMs: 30_000 })
    const opening = failure(transport.open({ ...REQUEST, name: 'slow to open' }))
    setTimeout(() => worker.terminate(), 200)
    expect((await opening).code).toBe('WORKER_LOST')
  })

  test('when it hangs: the heartbeat stays unanswered', async () => {
    const { transport } = await open({ heartbeatMs: 2_000 })
    const error = await failure(call(transport, 'spin', 60_000))
    expect(error).toMatchObject({ code: 'WORKER_LOST', details: { reason: 'it did not answer within 2000 ms' } })
  })

  test('but not when it is busy for less than the heartbeat', async () => {
    const { transport } = await open({ heartbeatMs: 20_000 })
    expect(await call(transport, 'spin', 700)).toBe('span')
  })

  test('when an exception is not caught in it', async () => {
    const { transport } = await open()
    expect(await failure(call(transport, 'uncaught'))).toMatchObject({ code: 'WORKER_LOST' })
  })

  test('when a call passes its deadline', async () => {
    const { transport } = await open({ callTimeoutMs: 2_000 })
    expect(await call(transport, 'refreshes')).toBe(0)
    expect((await failure(call(transport, 'hang'))).code).toBe('WORKER_LOST')
  })

  test('when its script fails, or never serves a memory', async () => {
    const broken = new Worker(new URL('./workers/broken.worker.ts', import.meta.url), { type: 'module' })
    const silent = new Worker(new URL('./workers/silent.worker.ts', import.meta.url), { type: 'module' })
    workers.push(broken, silent)
    expect((await failure(connectWorker(broken, 10_000))).message).toMatch('its script failed')
    expect((await failure(connectWorker(silent, 300))).message).toMatch('serveMemory')
  })
})

describe('the handshake', () => {
  test('does not depend on who comes first', async () => {
    const early = stubWorker()
    const port = await connectWorker(early, 10_000)
    const late = stubWorker()
    await new Promise(resolve => late.addEventListener('message', resolve, { once: true }))
    for (const [worker, found] of [
      [early, port],
      [late, await connectWorker(late, 10_000)],
    ] as const) {
      const transport = new WorkerTransport(worker, found, { heartbeatMs: 30_000 })
      await transport.open(REQUEST)
      expect(await call(transport, 'refreshes')).toBe(0)
    }
  })

  test('a worker that could not open one memory can open another', async () => {
    const worker = stubWorker()
    const first = new WorkerTransport(worker, await connectWorker(worker, 10_000), { heartbeatMs: 30_000 })
    expect((await failure(first.open({ ...REQUEST, name: 'refused' }))).details).toEqual({ reason: 'for the test' })
    first.abandon()
    const second = new WorkerTransport(worker, await connectWorker(worker, 10_000), { heartbeatMs: 30_000 })
    await second.open(REQUEST)
    expect(await call(second, 'refreshes')).toBe(0)
  })
})

describe('the page', () => {
  test('hears events until it stops listening', async () => {
    const { transport } = await open()
    const heads: unknown[] = []
    const stop = transport.on(event => heads.push(event.type === 'changed' && event.head))
    await call(transport, 'emit')
    await expect.poll(() => heads, { timeout: 10_000 }).toEqual([7])
    stop()
    await call(transport, 'emit')
    await call(transport, 'echo')
    expect(heads).toEqual([7])
  })

  test('that was away makes the worker read the head again before it answers', async () => {
    const { transport } = await open()
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    expect(await call(transport, 'refreshes')).toBe(1)
    document.dispatchEvent(new Event('freeze'))
    expect(await call(transport, 'refreshes')).toBe(2)
    document.dispatchEvent(new Event('resume'))
    expect(await call(transport, 'refreshes')).toBe(3)
    expect(await call(transport, 'refreshes')).toBe(3)
    document.dispatchEvent(new Event('visibilitychange'))
    expect(await call(transport, 'refreshes')).toBe(4)
  })

  test('closes: what is pending is settled, later calls are refused', async () => {
    const { transport } = await open()
    const pending = failure(call(transport, 'hang'))
    await transport.close()
    expect((await pending).code).toBe('CLOSED')
    expect((await failure(call(transport, 'echo'))).code).toBe('CLOSED')
    await transport.close()
  })
})
