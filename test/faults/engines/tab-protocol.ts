/**
 * What a page and the harness say to each other, over one WebSocket a tab. It is the only way they talk: it works alike in
 * every engine, needs no debugging interface (under one, some engines keep nothing on the disk), and a message that arrived
 * was sent before the browser died.
 *
 * ```
 *   page                              harness
 *    │ ── { hello: 'tab name' } ─────────▶ │   after every load of the page
 *    │ ◀── { call: 7, method, args } ───── │
 *    │ ── { answer: 7, value } ──────────▶ │   or { answer: 7, error }
 *    │ ── { ack: 'operation' } ──────────▶ │   after the promise of that write was fulfilled, never before
 *    │ ── { failed: 'operation', code } ─▶ │   it was rejected
 * ```
 */

export type FromPage =
  | { readonly hello: string }
  | { readonly answer: number; readonly value?: unknown; readonly error?: string }
  | { readonly ack: string }
  | { readonly failed: string; readonly code: string }

export interface ToPage {
  readonly call: number
  readonly method: keyof TabCalls
  readonly args: readonly unknown[]
}

/** `early` is the control: a journal that says that it has stored what it has not. */
export type WorkerKind = 'real' | 'early'

/** `mirrored` acknowledges only what stands in the copy outside IndexedDB too. */
export type Durability = 'strict' | 'mirrored'

export interface OpenStoreRequest {
  readonly name: string
  readonly worker: WorkerKind
  readonly durability: Durability
  /** What to do about a store that the engine lost and no copy can restore. */
  readonly ifLost: 'fail' | 'startNew'
}

export interface Opened {
  readonly openMs: number
  readonly found: Found
}

/** What says whether this is the store that was there before. */
export interface Found {
  readonly storeId: string
  readonly head: number
  readonly floor: number
  readonly generation: number
  readonly quarantine: readonly { readonly what: string; readonly reason: string }[]
  /** What `health().restored` says; null where nothing was lost. */
  readonly restored: Restored | null
  /** How the copy outside IndexedDB was, in words; null where there is none. */
  readonly mirror: string | null
  /** Given to the database when the browser made it: another one means that the engine had lost the database. */
  readonly incarnation: string
}

export interface Restored {
  /** The engine's database was empty; else it only lacked the last commits. */
  readonly wasEmpty: boolean
  readonly entries: number
  readonly damaged: number
}

export interface ReadBack {
  /** Every fact of every time: its text, cut behind the part it names, and its length. */
  readonly facts: readonly Stored[]
  readonly episodes: readonly Stored[]
  /** `select count(*) from memory_facts`. */
  readonly countedFacts: number
  /** What SQLite's integrity check says. */
  readonly integrity: string
  readonly health: Found
}

export interface Stored {
  readonly id: string
  readonly text: string
  readonly length: number
}

export interface Load {
  readonly seed: string
  readonly cycle: number
  readonly tab: number
  /** Calls `checkpoint` at random moments, on average so many ms apart. */
  readonly checkpointEveryMs: number
}

/** What the harness may ask of a page. */
export interface TabCalls {
  open(request: OpenStoreRequest): Opened
  /** Begins to write, and answers at once. */
  load(request: Load): void
  /** Writes no more; answers when everything under way is settled. */
  stop(): void
  /** Does these operations again, one after another, and acknowledges each. */
  repeat(request: { readonly seed: string; readonly names: readonly string[] }): void
  readBack(): ReadBack
  /** Ends the worker under load; answers when every call that was under way is settled. */
  terminate(): void
  closeMemory(): void
  openTab(url: string): void
  /** Answers, and is gone a moment later. */
  closeTab(): void
  reload(): void
}
