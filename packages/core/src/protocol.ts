/**
 * How a call travels: handle (page) → client → transport → service (worker host, or the same Node process) → memory.
 * Requests and answers are structured-clonable; errors travel as envelopes and are rebuilt on arrival.
 */
import type { ErrorEnvelope } from './errors.ts'
import type { Actor, MemoryEvent } from './memory.ts'

export interface CallRequest {
  /** A method of `TenantMemory` when `tenant` is there, else of `Memory`. */
  readonly method: string
  readonly tenant?: string
  readonly actor?: Actor
  readonly args: readonly unknown[]
}

export type CallResponse = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: ErrorEnvelope }

/** The page's end of a call. `createClient` builds a `Memory` over it. */
export interface Transport {
  /**
   * Settles exactly once, whatever happens to the other end.
   * @throws {MemoryError} what the service raised, WORKER_LOST when the other end is gone, ABORTED when `signal` fired first.
   */
  call(request: CallRequest, signal?: AbortSignal): Promise<unknown>
  on(listener: (event: MemoryEvent) => void): () => void
  /** Lets the other end finish and go. */
  close(): Promise<void>
}
