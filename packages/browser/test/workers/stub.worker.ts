/** A worker that serves a stand-in for the memory, so that the way there and back can be tested by itself. */
import { MemoryError } from '@palimpsest/core'
import type { CallRequest, CallResponse, MemoryEvent } from '@palimpsest/core'
import { servePorts } from '../../src/worker/serve-port.ts'

const never = new Promise<CallResponse>(() => {})

servePorts(request => {
  if (request.name === 'refused') {
    return Promise.reject(new MemoryError('STORE_UNAVAILABLE', 'Refused', { reason: 'for the test' }))
  }
  if (request.name === 'slow to open') return new Promise(() => {})
  const listeners = new Set<(event: MemoryEvent) => void>()
  let refreshes = 0
  const methods: Record<string, (call: CallRequest, signal?: AbortSignal) => unknown> = {
    echo: call => call,
    opened: () => request,
    refreshes: () => refreshes,
    hang: () => never,
    fail: () => {
      throw new MemoryError('CONFLICT', 'Two values', { field: 'value', at: '2026-06-01T00:00:00Z' })
    },
    crash: () => {
      throw new TypeError('not a MemoryError')
    },
    uncaught: () => {
      setTimeout(() => {
        throw new Error('nobody catches this')
      })
      return never
    },
    spin: call => {
      const until = performance.now() + Number(call.args[0])
      while (performance.now() < until);
      return 'span'
    },
    emit: () => listeners.forEach(listener => listener({ type: 'changed', head: 7, tenants: ['home'], local: true })),
    untilAborted: (_call, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new MemoryError('ABORTED', 'Aborted before the commit')))
      }),
  }
  return Promise.resolve({
    storeId: 'a store',
    async handle(call: CallRequest, signal?: AbortSignal): Promise<CallResponse> {
      return { ok: true, value: await methods[call.method]?.(call, signal) }
    },
    on(listener: (event: MemoryEvent) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async refresh() {
      refreshes += 1
    },
    async close() {},
  })
})
