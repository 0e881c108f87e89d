/**
 * The page's end of a call. Every call races the worker's death and, where one is set, a deadline, because Comlink never
 * settles a call whose worker is gone. Once lost, everything pending is settled and every later call refused.
 */
import { proxy, transfer, wrap } from 'comlink'
import type { Remote } from 'comlink'
import { MemoryError } from '@palimpsest/core'
import type { CallRequest, CallResponse, MemoryEvent, Transport } from '@palimpsest/core'
import type { OpenRequest, WorkerRoot } from '../wire.ts'
import { forwardPageMoments } from './page-moments.ts'
import { watchPulse, watchVitalSigns } from './vital-signs.ts'
import type { VitalSigns } from './vital-signs.ts'

export interface WorkerTransportOptions {
  readonly heartbeatMs: number
  readonly callTimeoutMs?: number
}

type Refuse = (error: MemoryError) => void

export class WorkerTransport implements Transport {
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #callTimeoutMs: number | undefined
  /** Held for as long as the transport: a proxy that is collected closes its port, and its calls never settle. */
  readonly #root: Remote<WorkerRoot>
  /** `root.call` would make, and register for collection, a new proxy at every call. */
  readonly #send: Remote<WorkerRoot>['call']
  readonly #signs: VitalSigns
  readonly #pending = new Set<Refuse>()
  readonly #listeners = new Set<(event: MemoryEvent) => void>()
  readonly #stops: (() => void)[] = []
  #ended: (() => MemoryError) | undefined
  #closing: Promise<void> | undefined
  #tickets = 0

  constructor(worker: Worker, port: MessagePort, options: WorkerTransportOptions) {
    this.#worker = worker
    this.#port = port
    this.#callTimeoutMs = options.callTimeoutMs
    this.#root = wrap<WorkerRoot>(port)
    this.#send = this.#root.call
    this.#signs = watchVitalSigns({
      worker,
      port,
      ping: () => this.#root.ping(),
      heartbeatMs: options.heartbeatMs,
      lost: reason => this.#lose(reason),
    })
  }

  /**
   * Opens the memory in the worker.
   * @returns the id of its store; null where nothing is kept
   * @throws {MemoryError} what the service raised, WORKER_LOST
   */
  async open(request: OpenRequest): Promise<string | null> {
    const pulse = await this.#race(async () => ({ ok: true, value: await this.#root.pulse() }))
    if (typeof pulse === 'string') this.#stops.push(watchPulse(pulse, reason => this.#lose(reason)))
    const { mirrorPort } = request
    const sent = mirrorPort === undefined ? request : transfer(request, [mirrorPort])
    const storeId = await this.#race(() => this.#root.open(sent))
    this.#stops.push(forwardPageMoments(moment => void this.#root.moment(moment)))
    await this.#race(async () => {
      await this.#root.subscribe(proxy((event: MemoryEvent) => this.#emit(event)))
      return { ok: true, value: undefined }
    })
    return typeof storeId === 'string' ? storeId : null
  }

  /** Lets go of a worker that could not open the memory, and leaves it running: it may be asked to open another. */
  abandon(): void {
    this.#ended ??= closed
    this.#letGo()
  }

  call(request: CallRequest, signal?: AbortSignal): Promise<unknown> {
    if (this.#closing) return Promise.reject(closed())
    if (!signal) return this.#race(() => this.#send(request), this.#callTimeoutMs)
    if (signal.aborted) return Promise.reject(new MemoryError('ABORTED', 'The call was aborted before it began'))
    const ticket = ++this.#tickets
    // Only the service knows whether the commit came first, so its answer settles the call, not the signal.
    const onAbort = (): void => void this.#root.abort(ticket)
    signal.addEventListener('abort', onAbort, { once: true })
    const answered = this.#race(() => this.#send(request, ticket), this.#callTimeoutMs)
    return answered.finally(() => signal.removeEventListener('abort', onAbort))
  }

  on(listener: (event: MemoryEvent) => void): () => void {
    // A listener of its own for every subscription, so that stopping one does not stop another of the same function.
    const own = (event: MemoryEvent): void => listener(event)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  /** Waits for writes under way, then ends the worker. A lost worker has nothing to wait for. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    try {
      if (!this.#ended) await this.#race(() => this.#root.close())
    } catch (error) {
      if (!MemoryError.is(error, 'WORKER_LOST')) throw error
    } finally {
      this.#end(closed)
    }
  }

  #lose(reason: string): void {
    if (this.#ended) return
    this.#end(() => new MemoryError('WORKER_LOST', `The worker of this memory is lost: ${reason}`, { reason }))
    this.#emit({ type: 'lost', reason })
  }

  /** The end, for whatever reason: settles what is pending. The worker is terminated, so that no half of it goes on writing. */
  #end(error: () => MemoryError): void {
    this.#ended ??= error
    this.#worker.terminate()
    this.#letGo()
    for (const refuse of [...this.#pending]) refuse(this.#ended())
  }

  #letGo(): void {
    this.#signs.stop()
    for (const stop of this.#stops.splice(0)) stop()
    this.#port.close()
  }

  #emit(event: MemoryEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event)
      } catch (error) {
        // One listener's mistake is the page's to see, and no reason to keep the others from hearing.
        reportError(error)
      }
    }
  }

  #race(send: () => Promise<CallResponse>, timeoutMs?: number): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended())
    return new Promise<unknown>((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const settle = (): boolean => {
        clearTimeout(timer)
        const first = this.#pending.delete(refuse)
        if (this.#pending.size === 0) this.#signs.rest()
        return first
      }
      const refuse: Refuse = error => {
        if (settle()) reject(error)
      }
      this.#pending.add(refuse)
      this.#signs.listen()
      if (timeoutMs !== undefined) {
        timer = setTimeout(() => this.#lose(`a call was not answered within ${timeoutMs} ms`), timeoutMs)
      }
      send().then(
        response => {
          if (!settle()) return
          if (response.ok) resolve(response.value)
          else reject(MemoryError.fromEnvelope(response.error))
        },
        (error: unknown) => refuse(notSettled(error)),
      )
    })
  }
}

function closed(): MemoryError {
  return new MemoryError('CLOSED', 'The memory was closed')
}

/**
 * Requests are refused by structured clone, with a DOMException, before they leave the page, when they hold a function or a
 * symbol. Whatever else fails came back from the worker: an answer that could not be cloned, of a call that was carried out.
 */
function notSettled(error: unknown): MemoryError {
  const reason = error instanceof Error || error instanceof DOMException ? error.message : String(error)
  return error instanceof DOMException
    ? new MemoryError('INVALID_ARGUMENT', `The call cannot be sent to the worker: ${reason}`, { reason }, { cause: error })
    : new MemoryError('INTERNAL', `The answer of the worker cannot be read: ${reason}`, { reason }, { cause: error })
}
