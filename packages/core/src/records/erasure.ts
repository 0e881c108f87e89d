/**
 * Erasure: these ids, or what matches this scope and was recorded up to this record's clock, are gone. Absorbing, for ever.
 *
 * It carries ids, offsets and keyed tags (HMAC-SHA-256 under a tenant key), never content or a bare hash of it. A scope
 * matches the stated subject and attribute. An assertion erased by id, subject or slot takes its quotes with it: they are
 * blacked out in the episodes that stay.
 */
import * as z from 'zod'
import { actor, clock, id, offset } from './fields.ts'

export interface Redaction {
  readonly episode: string
  readonly start: number
  readonly end: number
}

/** `key` is the id of the tenant key that made `tag`; `tag` is 64 hex digits. */
export interface ErasureTag {
  readonly key: string
  readonly tag: string
}

export interface ErasureScope extends ErasureTag {
  readonly what: 'slot' | 'subject' | 'session'
}

export interface ErasureRecord {
  readonly kind: 'erasure'
  readonly id: string
  readonly clock: string
  readonly by: 'user' | 'assistant' | 'tool' | 'event' | 'document' | 'policy'
  readonly episodes: readonly string[]
  readonly assertions: readonly string[]
  readonly redactions: readonly Redaction[]
  readonly scopes: readonly ErasureScope[]
  /** True: every episode, assertion, decision and extraction of the tenant recorded up to `clock`. */
  readonly everything: boolean
  /** Slots in which something was forgotten, so that `standing` can say `erased`. */
  readonly touched: readonly ErasureTag[]
}

const tag = { key: id, tag: z.string().regex(/^[0-9a-f]{64}$/u) }

export const erasureRecord: z.ZodType<ErasureRecord> = z.strictObject({
  kind: z.literal('erasure'),
  id,
  clock,
  by: actor,
  episodes: z.array(id),
  assertions: z.array(id),
  redactions: z.array(z.strictObject({ episode: id, start: offset, end: offset })),
  scopes: z.array(z.strictObject({ what: z.enum(['slot', 'subject', 'session']), ...tag })),
  everything: z.boolean(),
  touched: z.array(z.strictObject(tag)),
})
