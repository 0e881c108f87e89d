/** The page's end of the peers' worker. */
import type { PeerAnswer, PeerCall, PeerRequest } from './peer-protocol.ts'

export class Peer {
  readonly #worker = new Worker(new URL('./peer.worker.ts', import.meta.url), { type: 'module' })
  readonly #waiting = new Map<number, (answer: PeerAnswer) => void>()
  #last = 0

  constructor() {
    this.#worker.addEventListener('message', (event: MessageEvent<PeerAnswer>) => {
      this.#waiting.get(event.data.id)?.(event.data)
      this.#waiting.delete(event.data.id)
    })
  }

  /** @returns one sample per write, in ms, measured inside of the worker */
  async ask(request: PeerRequest): Promise<readonly number[]> {
    const id = ++this.#last
    const { samplesMs, error } = await new Promise<PeerAnswer>(settle => {
      this.#waiting.set(id, settle)
      this.#worker.postMessage({ id, request } satisfies PeerCall)
    })
    if (error !== undefined) throw new Error(error)
    return samplesMs
  }
}
