/** What the page asks of the worker in which peers are measured; every request is answered by its `id`. */
export type PeerRequest =
  /** Answered at once: the way there and back. */
  | { readonly op: 'echo' }
  /** Strict IndexedDB adds of `bytes`, one transaction each. */
  | { readonly op: 'add'; readonly bytes: Uint8Array; readonly times: number }
  /** Makes a database of the published table with so many facts. */
  | { readonly op: 'fill'; readonly facts: number }
  /** Per write: one row inserted, the whole file exported and put into IndexedDB, strict. */
  | { readonly op: 'save'; readonly facts: number; readonly times: number }

export interface PeerCall {
  readonly id: number
  readonly request: PeerRequest
}

export interface PeerAnswer {
  readonly id: number
  /** One per write. */
  readonly samplesMs: readonly number[]
  readonly error?: string
}
