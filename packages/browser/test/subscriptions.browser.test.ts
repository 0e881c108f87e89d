/** Listening to a memory costs a page one subscription, however often its parts come and go. */
import type { Memory, MemoryEvent } from '@palimpsest/core'
import { afterEach, expect, test, vi } from 'vitest'
import { endWorkers, openCalls } from './workers/open-calls.ts'

vi.setConfig({ testTimeout: 120_000 })
afterEach(() => {
  vi.restoreAllMocks()
  endWorkers()
})

const MANY = 10_000

/** What the worker holds: listeners to its memory, and ports that were sent to it. */
function workerCounts(memory: Memory): Promise<unknown> {
  return memory.tenant('counts').get('mira', 'passport')
}

/** The worker emits once, and everybody who listens has heard of it. */
async function emit(memory: Memory): Promise<void> {
  const heard = new Promise<void>(resolve => {
    const stop = memory.on(() => {
      stop()
      resolve()
    })
  })
  await memory.tenant('emits').get('mira', 'passport')
  await heard
}

/** Listeners on ports that the page has now, beyond those it had when this was called, and ports it has made since. */
function watchPorts(): { listeners: number; channels: number } {
  const counts = { listeners: 0, channels: 0 }
  const { addEventListener, removeEventListener } = MessagePort.prototype
  vi.spyOn(MessagePort.prototype, 'addEventListener').mockImplementation(function (
    this: MessagePort,
    ...args: Parameters<typeof addEventListener>
  ) {
    counts.listeners += 1
    addEventListener.apply(this, args)
  })
  vi.spyOn(MessagePort.prototype, 'removeEventListener').mockImplementation(function (
    this: MessagePort,
    ...args: Parameters<typeof removeEventListener>
  ) {
    counts.listeners -= 1
    removeEventListener.apply(this, args)
  })
  const Channel = MessageChannel
  vi.stubGlobal(
    'MessageChannel',
    class extends Channel {
      constructor() {
        super()
        counts.channels += 1
      }
    },
  )
  return counts
}

test(`${MANY} listeners that come and go leave nothing behind, on either side`, async () => {
  const { memory } = await openCalls('hangs')
  const before = await workerCounts(memory)
  expect(before).toMatchObject({ listeners: 1 })
  const counts = watchPorts()
  let heard = 0
  for (let n = 0; n < MANY; n += 1) memory.on(() => (heard += 1))()
  await emit(memory)
  expect(heard).toBe(0)
  expect(await workerCounts(memory)).toEqual(before)
  const stops = Array.from({ length: MANY }, () => memory.on(() => (heard += 1)))
  await emit(memory)
  expect(heard).toBe(MANY)
  expect(await workerCounts(memory)).toEqual(before)
  for (const stop of stops) stop()
  await emit(memory)
  expect(heard).toBe(MANY)
  expect(await workerCounts(memory)).toEqual(before)
  // Calls come and go on the one port.
  expect(counts).toEqual({ listeners: 0, channels: 0 })
  vi.unstubAllGlobals()
})

test('handles of tenants are names: many of them make no port', async () => {
  const { memory } = await openCalls('hangs')
  const before = await workerCounts(memory)
  const counts = watchPorts()
  for (let n = 0; n < MANY; n += 1) memory.tenant(`tenant ${n}`)
  await Promise.all(Array.from({ length: 100 }, () => workerCounts(memory)))
  expect(await workerCounts(memory)).toEqual(before)
  expect(counts).toEqual({ listeners: 0, channels: 0 })
  vi.unstubAllGlobals()
})

test('one function that listens twice hears twice, until each of the two stops', async () => {
  const { memory } = await openCalls('hangs')
  const events: MemoryEvent[] = []
  const listener = (event: MemoryEvent): void => void events.push(event)
  const [one, two] = [memory.on(listener), memory.on(listener)]
  await emit(memory)
  expect(events).toHaveLength(2)
  one()
  one()
  await emit(memory)
  expect(events).toHaveLength(3)
  two()
  await emit(memory)
  expect(events).toHaveLength(3)
})

test('a listener that throws keeps nobody from hearing, and is told to the page', async () => {
  const { memory } = await openCalls('hangs')
  const reported: unknown[] = []
  vi.spyOn(globalThis, 'reportError').mockImplementation(error => void reported.push(error))
  const mistake = new Error('a listener of the page')
  const stop = memory.on(() => {
    throw mistake
  })
  await emit(memory)
  stop()
  expect(reported).toEqual([mistake])
})
