/** Finds out that a worker serves a memory, and connects a port to it. */
import { MemoryError } from '@palimpsest/core'
import { WIRE_VERSION, handshakeMessage } from '../wire.ts'
import type { HandshakeMessage } from '../wire.ts'

/** Between two greetings, in ms: a worker whose script has not run yet hears nothing. */
const GREETING_MS = 50

/**
 * @throws {MemoryError} WORKER_LOST when the worker's script fails, says another version, or does not call `serveMemory`
 *   within `timeoutMs`.
 */
export function connectWorker(worker: Worker, timeoutMs: number): Promise<MessagePort> {
  return new Promise<MessagePort>((resolve, reject) => {
    const greet = (): void => worker.postMessage({ palimpsest: 'hello' } satisfies HandshakeMessage)
    const greeting = setInterval(greet, GREETING_MS)
    const deadline = setTimeout(() => fail(`it did not answer within ${timeoutMs} ms; does it call serveMemory?`), timeoutMs)
    const done = (): void => {
      clearInterval(greeting)
      clearTimeout(deadline)
      worker.removeEventListener('message', onMessage)
      worker.removeEventListener('error', onError)
      worker.removeEventListener('messageerror', onMessageError)
    }
    const fail = (reason: string): void => {
      done()
      reject(new MemoryError('WORKER_LOST', `The worker cannot serve a memory: ${reason}`, { reason }))
    }
    const onMessage = (event: MessageEvent<unknown>): void => {
      const message = handshakeMessage(event.data)
      if (message?.palimpsest !== 'ready') return
      if (message.version !== WIRE_VERSION) {
        return fail(`page and worker are of different versions of @palimpsest/browser (${WIRE_VERSION} and ${message.version})`)
      }
      done()
      const { port1, port2 } = new MessageChannel()
      worker.postMessage({ palimpsest: 'connect', port: port2 } satisfies HandshakeMessage, [port2])
      resolve(port1)
    }
    const onError = (event: ErrorEvent): void => fail(`its script failed: ${event.message || 'it could not be loaded'}`)
    const onMessageError = (): void => fail('a message could not be read')
    worker.addEventListener('message', onMessage)
    worker.addEventListener('error', onError)
    worker.addEventListener('messageerror', onMessageError)
    greet()
  })
}
