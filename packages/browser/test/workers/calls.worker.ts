/**
 * A worker that serves a stand-in for the memory. What it does with a call is said by the name of the tenant, or of the store
 * where the call has none, so that every public call can meet all of it.
 */
import { ERROR_CODES, MemoryError } from '@palimpsest/core'
import type { CallRequest, CallResponse, ErrorCode, MemoryEvent } from '@palimpsest/core'
import { servePorts } from '../../src/worker/serve-port.ts'
import { DETAILS } from './calls.details.ts'

/** Every port that a page has sent along, such as that of a listener: to be heard from, it is started. */
const ports = new Set<MessagePort>()
const { start } = MessagePort.prototype
MessagePort.prototype.start = function (this: MessagePort) {
  ports.add(this)
  start.call(this)
}

const never = new Promise<never>(() => {})
const released = new Promise<void>(resolve => {
  new BroadcastChannel('release the held calls').onmessage = () => resolve()
})

function isCode(name: string): name is ErrorCode {
  return name in ERROR_CODES
}

servePorts(request => {
  const { name } = request
  if (isCode(name)) return Promise.reject(new MemoryError(name, `Refused with ${name}`, DETAILS))
  if (name === 'never opens') {
    new BroadcastChannel('a memory opens').postMessage('now')
    return never
  }
  const listeners = new Set<(event: MemoryEvent) => void>()
  let received = 0
  const emit = (): void => listeners.forEach(listener => listener({ type: 'changed', head: 7, tenants: [], local: true }))

  const answer = async ({ method, tenant = name }: CallRequest): Promise<unknown> => {
    received += 1
    if (isCode(tenant)) throw new MemoryError(tenant, `Refused with ${tenant}`, DETAILS)
    switch (tenant) {
      case 'received':
        return received
      case 'counts':
        return { listeners: listeners.size, ports: ports.size }
      case 'emits':
        return emit()
      case 'held':
        await released
        emit()
        return 'released'
      case 'spins':
        for (;;);
      case 'throws':
        setTimeout(() => {
          throw new Error('nobody catches this')
        })
        return never
      case 'plans':
        return method === 'forgetPlan' ? { preview: {}, token: 'a token' } : never
      case 'answers with a function':
        return () => {}
      default:
        return never
    }
  }
  return Promise.resolve({
    storeId: 'a store',
    async handle(call: CallRequest): Promise<CallResponse> {
      return { ok: true, value: await answer(call) }
    },
    on(listener: (event: MemoryEvent) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refresh: async () => {},
    close: () => never,
  })
})
