/**
 * What goes between a page and its worker.
 *
 * ```
 *   page                                worker
 *    │ ── { palimpsest: 'hello' } ────────▶ │   repeated: before its script has run, a worker hears nothing
 *    │ ◀───────── { palimpsest: 'ready' } ─ │
 *    │ ── { palimpsest: 'connect', port } ▶ │   from here on Comlink speaks over the port alone, so that the worker's
 *    │ ◀══════════ WorkerRoot ════════════▶ │   own messages stay the application's
 * ```
 *
 * Nothing of WorkerRoot ever rejects: Comlink keeps no more of an error than its message, so errors travel as envelopes.
 */
import type { AtRest, CallRequest, CallResponse, MemoryEvent } from '@palimpsest/core'

/** Raised whenever page and worker of two versions would misunderstand each other. */
export const WIRE_VERSION = 1

export type HandshakeMessage =
  | { readonly palimpsest: 'hello' }
  | { readonly palimpsest: 'ready'; readonly version: number }
  | { readonly palimpsest: 'connect'; readonly port: MessagePort }

export function handshakeMessage(data: unknown): HandshakeMessage | undefined {
  const kind = (data as Partial<HandshakeMessage> | null | undefined)?.palimpsest
  return kind === 'hello' || kind === 'ready' || kind === 'connect' ? (data as HandshakeMessage) : undefined
}

/** What the page decides; schema, extractors and SQLite are the worker's. */
export interface OpenRequest {
  readonly name: string
  readonly durability: 'strict' | 'mirrored' | 'relaxed' | 'ephemeral'
  readonly timeZone?: string
  readonly atRest?: AtRest
  readonly ifLost?: 'fail' | 'startNew'
  /** The id of the store of this name, as the page wrote it down when it last opened one. */
  readonly knownStoreId?: string
  /** Speaks to a mirror's place that the page serves; transferred. */
  readonly mirrorPort?: MessagePort
}

/** Moments in the life of the page. While it is `away` its worker may be stopped at any instruction. */
export type PageMoment = 'away' | 'back'

/** The one object that the worker exposes on the port. */
export interface WorkerRoot {
  /** The name of the Web Lock that the worker holds while it lives; null where there are no Web Locks. */
  pulse(): Promise<string | null>
  /** The value of the answer is the id of the store; null where nothing is kept. */
  open(request: OpenRequest): Promise<CallResponse>
  /** `ticket` names the call for `abort`; left out where there is no signal. */
  call(request: CallRequest, ticket?: number): Promise<CallResponse>
  abort(ticket: number): void
  subscribe(listener: (event: MemoryEvent) => void): void
  moment(moment: PageMoment): void
  /** Answers as soon as the worker comes to it: the page's proof that it lives. */
  ping(): void
  /** Waits for writes under way, then lets go of the store. */
  close(): Promise<CallResponse>
}
