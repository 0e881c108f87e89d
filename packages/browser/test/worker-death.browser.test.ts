/** Every public call, in a worker that dies before it, during it, or long ago: all settle, with WORKER_LOST. */
import { MemoryError } from '@palimpsest/core'
import type { Memory, MemoryEvent, TenantMemory } from '@palimpsest/core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { cdp } from 'vitest/browser'
import { openMemory } from '../src/index.ts'
import type { OpenMemoryOptions } from '../src/index.ts'
import { PATIENT, endWorkers, newCallsWorker, openCalls } from './workers/open-calls.ts'
import type { OpenCalls } from './workers/open-calls.ts'

vi.setConfig({ testTimeout: 120_000 })
afterEach(endWorkers)

type Call<Handle> = (handle: Handle, signal: AbortSignal) => Promise<unknown>
type Methods<T> = { [K in keyof T]: T[K] extends (...args: never[]) => Promise<unknown> ? K : never }[keyof T]

const EPISODE = { text: 'The passport ends in July.', author: 'user' } as const
const SLOT = { subject: 'mira', attribute: 'passport' } as const

/** One row for each call that answers with a promise: the compiler misses one that is not here, and the first test does. */
const tenantCalls: Readonly<Record<Methods<TenantMemory>, Call<TenantMemory>>> = {
  record: (mine, signal) => mine.record(EPISODE, { signal }),
  assert: (mine, signal) => mine.assert({ ...SLOT, value: 1 }, { signal }),
  retract: (mine, signal) => mine.retract(SLOT, { signal }),
  batch: (mine, signal) => mine.batch(batch => void batch.record(EPISODE), { signal }),
  confirm: (mine, signal) => mine.confirm('an id', { signal }),
  reject: (mine, signal) => mine.reject('an id', { signal }),
  undo: (mine, signal) => mine.undo('an id', { signal }),
  correct: (mine, signal) => mine.correct('an id', { value: 2 }, { signal }),
  remember: (mine, signal) => mine.remember(EPISODE, { signal }),
  get: (mine, signal) => mine.get('mira', 'passport', { signal }),
  standing: (mine, signal) => mine.standing('mira', 'passport', { signal }),
  facts: (mine, signal) => mine.facts({ signal }),
  fact: (mine, signal) => mine.fact('an id', { signal }),
  why: mine => mine.why('an id'),
  review: mine => mine.review(),
  episode: mine => mine.episode('an id'),
  episodes: (mine, signal) => mine.episodes({ signal }),
  forget: mine => mine.forget({ subject: 'mira' }),
  records: mine => mine.records(),
  merge: (mine, signal) => mine.merge([], { signal }),
}

const memoryCalls: Readonly<Record<Exclude<Methods<Memory>, 'close'>, Call<Memory>>> = {
  query: memory => memory.query('select 1'),
  checkpoint: memory => memory.checkpoint(),
  health: memory => memory.health(),
  rekey: memory => memory.rekey(),
}

interface Begun {
  /** How each call ended, by its name. */
  readonly ends: Promise<Readonly<Record<string, string>>>
  abort(): void
}

/** Makes every call at once. */
function callAll(memory: Memory): Begun {
  const stop = new AbortController()
  const mine = memory.tenant('hangs')
  const calls = [
    ...Object.entries(tenantCalls).map(([name, call]) => [name, call(mine, stop.signal)] as const),
    ...Object.entries(memoryCalls).map(([name, call]) => [name, call(memory, stop.signal)] as const),
  ]
  const ends = Promise.all(calls.map(async ([name, call]) => [name, await endOf(call)] as const))
  return { ends: ends.then(all => Object.fromEntries(all)), abort: () => stop.abort() }
}

function endOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'settled',
    (error: unknown) => (error instanceof MemoryError ? error.code : `not a MemoryError: ${String(error)}`),
  )
}

const everyCall = [...Object.keys(tenantCalls), ...Object.keys(memoryCalls)]
const allLost = Object.fromEntries(everyCall.map(name => [name, 'WORKER_LOST']))

/** Everything that was sent so far has reached the worker, or it is dead. */
function arrived(memory: Memory): Promise<string> {
  return endOf(memory.tenant('received').get('mira', 'passport'))
}

function lost(memory: Memory): Promise<MemoryEvent> {
  return new Promise(resolve => {
    memory.on(event => {
      if (event.type === 'lost') resolve(event)
    })
  })
}

test('every call has its row', async () => {
  const { memory } = await openCalls('hangs')
  const handles = { ...memoryCalls, close: true, tenant: true, on: true }
  expect(Object.keys(memory).toSorted()).toEqual(Object.keys(handles).toSorted())
  const mine = { ...tenantCalls, tenant: true, actor: true }
  expect(Object.keys(memory.tenant('home')).toSorted()).toEqual(Object.keys(mine).toSorted())
})

describe('a worker that dies', () => {
  test('before a call, and nobody has noticed', async () => {
    const { memory, worker } = await openCalls('hangs')
    worker.terminate()
    expect(await callAll(memory).ends).toEqual(allLost)
    await memory.close()
  })

  test('long before a call', async () => {
    const { memory, worker } = await openCalls('hangs')
    const heard = lost(memory)
    worker.terminate()
    expect(await heard).toEqual({ type: 'lost', reason: 'it was terminated' })
    const { ends, abort } = callAll(memory)
    abort()
    const codes = await ends
    // What was aborted as well may say so; nothing else settles otherwise.
    for (const [name, code] of Object.entries(codes))
      expect([name, ['WORKER_LOST', 'ABORTED'].includes(code)]).toEqual([name, true])
    expect(codes).toMatchObject({ why: 'WORKER_LOST', health: 'WORKER_LOST' })
    await memory.close()
    expect(await endOf(memory.health())).toBe('CLOSED')
  })

  const deaths: readonly (readonly [string, Partial<OpenMemoryOptions>, (opened: OpenCalls) => unknown])[] = [
    ['is terminated', {}, ({ worker }) => worker.terminate()],
    ['throws what nobody catches', {}, ({ memory }) => endOf(memory.tenant('throws').review())],
    ['hangs', { heartbeatMs: 3_000 }, ({ memory }) => endOf(memory.tenant('spins').review())],
    ['is not in time', { callTimeoutMs: 3_000 }, () => {}],
  ]
  test.each(deaths)('during every call: it %s', async (_, options, die) => {
    const opened = await openCalls('hangs', options)
    const { memory } = opened
    const heard = lost(memory)
    const { ends, abort } = callAll(memory)
    await arrived(memory)
    die(opened)
    expect(await ends).toEqual(allLost)
    await heard
    // Too late to matter, and nothing that is not caught.
    abort()
    expect(await endOf(memory.tenant('hangs').get('mira', 'passport'))).toBe('WORKER_LOST')
    await memory.close()
  })

  test('between a plan to forget and its `apply`, and during it', async () => {
    const { memory, worker } = await openCalls('hangs')
    const plan = await memory.tenant('plans').forget({ subject: 'mira' })
    const pending = endOf(plan.apply())
    await arrived(memory)
    worker.terminate()
    expect(await pending).toBe('WORKER_LOST')
    expect(await endOf(plan.apply())).toBe('WORKER_LOST')
  })

  test('during `close`: it is closed', async () => {
    const { memory, worker } = await openCalls('hangs')
    const { ends } = callAll(memory)
    await arrived(memory)
    const closing = memory.close()
    worker.terminate()
    await closing
    for (const code of Object.values(await ends)) expect(['WORKER_LOST', 'CLOSED']).toContain(code)
    expect(await endOf(memory.health())).toBe('CLOSED')
  })

  test('while the memory opens', async () => {
    const channel = new BroadcastChannel('a memory opens')
    const opens = new Promise(resolve => channel.addEventListener('message', resolve, { once: true }))
    const worker = newCallsWorker()
    const opening = endOf(openMemory({ name: 'never opens', worker, ...PATIENT }))
    await opens
    worker.terminate()
    expect(await opening).toBe('WORKER_LOST')
    channel.close()
  })

  test('before it has a pulse: its heart is missed', async () => {
    const worker = newCallsWorker()
    const opening = endOf(openMemory({ name: 'never opens', worker, ...PATIENT, heartbeatMs: 1_000 }))
    // It has said that it serves, and nothing else.
    await new Promise(resolve => worker.addEventListener('message', resolve, { once: true }))
    worker.terminate()
    expect(await opening).toBe('WORKER_LOST')
  })

  test('before the memory is opened', async () => {
    const worker = newCallsWorker()
    worker.terminate()
    expect(await endOf(openMemory({ name: 'hangs', worker, startTimeoutMs: 300 }))).toBe('WORKER_LOST')
  })
})

describe('a memory that nobody holds any more', () => {
  /** Nothing that is returned reaches the memory, its worker, or the handle. */
  async function abandon(): Promise<{ memory: WeakRef<Memory>; held: Promise<unknown>; emitted: Promise<MemoryEvent> }> {
    const { memory } = await openCalls('hangs')
    const emitted = new Promise<MemoryEvent>(resolve => memory.on(resolve))
    const held = memory.tenant('held').get('mira', 'passport')
    await arrived(memory)
    return { memory: new WeakRef(memory), held, emitted }
  }

  test('is collected: its pending calls are answered, and its listeners hear', async () => {
    const { memory, held, emitted } = await abandon()
    const session = cdp() as unknown as { send(method: string): Promise<unknown> }
    const collected = async (): Promise<boolean> => {
      await session.send('HeapProfiler.collectGarbage')
      return memory.deref() === undefined
    }
    await expect.poll(collected, { timeout: 60_000 }).toBe(true)
    new BroadcastChannel('release the held calls').postMessage('now')
    expect(await held).toBe('released')
    expect(await emitted).toMatchObject({ type: 'changed', head: 7 })
  })
})
