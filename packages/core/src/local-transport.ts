/** The transport within one process: Node, and tests. */
import { MemoryError } from './errors.ts'
import type { CallRequest, Transport } from './protocol.ts'
import type { MemoryService } from './service.ts'

/** Arguments are copied when the call is made, as they are on the way to a worker: what the caller changes later has no effect. */
export function localTransport(service: MemoryService): Transport {
  let closed: Promise<void> | undefined
  return {
    async call(request: CallRequest, signal?: AbortSignal): Promise<unknown> {
      if (closed !== undefined) throw new MemoryError('CLOSED', 'The memory is closed')
      const response = await service.handle({ ...request, args: copy(request.args) }, signal)
      if (response.ok) return response.value
      throw MemoryError.fromEnvelope(response.error)
    },
    on: listener => service.on(listener),
    close: () => (closed ??= service.close()),
  }
}

function copy(args: readonly unknown[]): readonly unknown[] {
  try {
    return structuredClone(args)
  } catch (cause) {
    const field = uncloneable(args) ?? 'arguments'
    throw new MemoryError('INVALID_VALUE', `${field} holds something that is not data`, { field }, { cause })
  }
}

/** The name of the property that holds a function or symbol. */
function uncloneable(value: unknown, name?: string, depth = 0): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol') return name
  if (typeof value !== 'object' || value === null || depth > 16) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const found = uncloneable(inner, Array.isArray(value) ? name : key, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}
