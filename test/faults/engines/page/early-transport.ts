/** The page's end of the control's worker. */
import { MemoryError } from '@palimpsest/core'
import type { Transport } from '@palimpsest/core'
import type { EarlyAnswer, EarlyRequest } from './early.worker.ts'

export async function openEarly(worker: Worker, name: string): Promise<Transport> {
  const waiting = new Map<number, (answer: EarlyAnswer) => void>()
  let last = 0
  worker.addEventListener('message', ({ data }: MessageEvent<EarlyAnswer>) => {
    waiting.get(data.id)?.(data)
    waiting.delete(data.id)
  })
  const ask = async (request: { open: string } | Omit<Extract<EarlyRequest, { request: unknown }>, 'id'>): Promise<unknown> => {
    last += 1
    const id = last
    const answered = new Promise<EarlyAnswer>(resolve => waiting.set(id, resolve))
    worker.postMessage({ id, ...request })
    const { response } = await answered
    if (response.ok) return response.value
    throw MemoryError.fromEnvelope(response.error)
  }
  await ask({ open: name })
  return {
    call: request => ask({ request }),
    on: () => () => {},
    close: () => Promise.resolve(worker.terminate()),
  }
}
