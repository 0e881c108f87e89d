/** The worker's side of one connection: opens the service, passes calls to it, and answers with envelopes. */
import { MemoryError, toMemoryError } from '@palimpsest/core'
import type { CallRequest, CallResponse, MemoryEvent } from '@palimpsest/core'
import type { OpenRequest, PageMoment, WorkerRoot } from '../wire.ts'
import { holdPulse } from './pulse.ts'

/** What the host needs of a memory; `MemoryService` of the core is one. */
export interface HostedService {
  readonly storeId: string
  handle(request: CallRequest, signal?: AbortSignal): Promise<CallResponse>
  on(listener: (event: MemoryEvent) => void): () => void
  refresh(): Promise<void>
  close(): Promise<void>
}

export type OpenHosted = (request: OpenRequest) => Promise<HostedService>

export class MemoryHost implements WorkerRoot {
  readonly #open: OpenHosted
  readonly #aborts = new Map<number, AbortController>()
  readonly #listeners = new Set<(event: MemoryEvent) => void>()
  #service: HostedService | undefined
  #stale = false
  #refreshing: Promise<void> | undefined

  constructor(open: OpenHosted) {
    this.#open = open
  }

  pulse(): Promise<string | null> {
    return holdPulse()
  }

  open(request: OpenRequest): Promise<CallResponse> {
    return answer(async () => {
      const service = await this.#open(request)
      this.#service = service
      service.on(event => {
        for (const listener of this.#listeners) listener(event)
      })
      return request.durability === 'ephemeral' ? null : service.storeId
    })
  }

  async call(request: CallRequest, ticket?: number): Promise<CallResponse> {
    const abort = ticket === undefined ? undefined : new AbortController()
    if (ticket !== undefined && abort) this.#aborts.set(ticket, abort)
    try {
      const service = this.#opened()
      if (this.#stale) await this.#refresh(service)
      return await service.handle(request, abort?.signal)
    } catch (error) {
      return failure(error)
    } finally {
      if (ticket !== undefined) this.#aborts.delete(ticket)
    }
  }

  abort(ticket: number): void {
    this.#aborts.get(ticket)?.abort()
  }

  subscribe(listener: (event: MemoryEvent) => void): void {
    this.#listeners.add(listener)
  }

  /** A page that was away may have missed what other tabs announced: the journal's head is read before the next answer. */
  moment(moment: PageMoment): void {
    this.#stale = true
    if (moment === 'back' && this.#service) {
      // A failure is reported by the next call, which tries again.
      this.#refresh(this.#service).catch(() => {})
    }
  }

  ping(): void {}

  close(): Promise<CallResponse> {
    return answer(async () => {
      await this.#service?.close()
      this.#service = undefined
      return null
    })
  }

  #opened(): HostedService {
    if (!this.#service) throw new MemoryError('CLOSED', 'The memory is not open')
    return this.#service
  }

  #refresh(service: HostedService): Promise<void> {
    this.#refreshing ??= service
      .refresh()
      .then(() => {
        this.#stale = false
      })
      .finally(() => {
        this.#refreshing = undefined
      })
    return this.#refreshing
  }
}

async function answer(work: () => Promise<unknown>): Promise<CallResponse> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    return failure(error)
  }
}

function failure(error: unknown): CallResponse {
  return { ok: false, error: toMemoryError(error).toEnvelope() }
}
