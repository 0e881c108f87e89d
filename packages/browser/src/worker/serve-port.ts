/** Answers the handshake in a worker and serves every port that connects. */
import { expose } from 'comlink'
import { WIRE_VERSION, handshakeMessage } from '../wire.ts'
import type { HandshakeMessage } from '../wire.ts'
import { MemoryHost } from './memory-host.ts'
import type { OpenHosted } from './memory-host.ts'

/** The part of a dedicated worker's global scope that is needed here. */
interface WorkerScope {
  postMessage(message: HandshakeMessage): void
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void
}

/** Comlink does not keep what it serves alive in every engine. */
const served = new Set<MemoryHost>()

export function servePorts(open: OpenHosted): void {
  const scope = globalThis as unknown as WorkerScope
  const ready: HandshakeMessage = { palimpsest: 'ready', version: WIRE_VERSION }
  scope.addEventListener('message', event => {
    const message = handshakeMessage(event.data)
    if (message?.palimpsest === 'hello') scope.postMessage(ready)
    if (message?.palimpsest === 'connect') {
      const host = new MemoryHost(open)
      served.add(host)
      expose(host, message.port)
    }
  })
  scope.postMessage(ready)
}
