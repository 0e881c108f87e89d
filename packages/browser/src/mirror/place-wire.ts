/**
 * A mirror's place behind a port: one side has the place (`serve-place.ts`), the other speaks to it (`remote-place.ts`).
 *
 * ```
 *   remote                                      served
 *    │ ── { id: 1, call: 'create', name } ────────▶ │
 *    │ ◀──────── { id: 1, ok: true, value: 7 } ──── │   7 names the open file from here on
 *    │ ── { id: 2, call: 'append', file: 7, … } ──▶ │
 *    │ ◀──────── { id: 2, ok: false, error } ────── │   errors as envelopes
 * ```
 *
 * Calls are begun in the order in which they were sent.
 */
import type { ErrorEnvelope } from '@palimpsest/core'

export type PlaceCall =
  | { readonly call: 'list' }
  | { readonly call: 'read'; readonly name: string }
  | { readonly call: 'create'; readonly name: string }
  | { readonly call: 'append'; readonly file: number; readonly bytes: Uint8Array; readonly flush: boolean }
  | { readonly call: 'closeFile'; readonly file: number }
  | { readonly call: 'remove'; readonly name: string; readonly sizeBytes: number | undefined }
  | { readonly call: 'close' }

export type PlaceRequest = PlaceCall & { readonly id: number }

export type PlaceAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: ErrorEnvelope }
