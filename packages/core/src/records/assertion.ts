/**
 * Assertion: in a slot (subject, attribute) a value holds from `validFrom` [until `validUntil`]; or a retraction: nothing
 * holds. Merge: union by (id, content), evidence unioned, minus erased episodes; dead once it was sourced and no source is left.
 */
import * as z from 'zod'
import type { Trust } from '../memory.ts'
import { actor, clock, id, json, millisecond, name, offset, second, text } from './fields.ts'
import type { JsonValue } from './json.ts'

/** A link to an episode. The quote is the text between the offsets (UTF-16, half-open); without offsets the whole text. */
export interface Evidence {
  readonly episode: string
  readonly start?: number
  readonly end?: number
}

export interface AssertionRecord {
  readonly kind: 'assertion'
  readonly id: string
  readonly clock: string
  readonly by: 'user' | 'assistant' | 'tool' | 'event' | 'document' | 'policy'
  readonly subject: string
  readonly attribute: string
  readonly statement: 'value' | 'retraction'
  /** Absent in a retraction of everything in the slot. */
  readonly value?: JsonValue
  readonly validFrom: string
  readonly validUntil: string | null
  /** Whether `validFrom` was stated; false where it is the time of saying. */
  readonly dated: boolean
  readonly trust: Trust
  /** Precedence at the same second: when it was said, and where in the text. */
  readonly saidAt: string
  readonly saidOffset: number
  readonly evidence: readonly Evidence[]
  readonly born: 'accepted' | 'held'
  readonly reason?: string
  readonly confidence?: number
  readonly memoryType: string
  readonly schemaVersion: number
  readonly retention?: string
}

/** From low to high, DESIGN 3. The index is what the database stores. */
export const TRUST_ORDER: readonly Trust[] = ['assistant', 'imported', 'document', 'tool', 'event', 'user']

const evidence: z.ZodType<Evidence> = z
  .strictObject({ episode: id, start: offset.exactOptional(), end: offset.exactOptional() })
  .refine(
    link => (link.start === undefined) === (link.end === undefined) && (link.start ?? 0) <= (link.end ?? 0),
    'has offsets that do not fit',
  )

export const assertionRecord: z.ZodType<AssertionRecord> = z
  .strictObject({
    kind: z.literal('assertion'),
    id,
    clock,
    by: actor,
    subject: name,
    attribute: name,
    statement: z.enum(['value', 'retraction']),
    value: json.exactOptional(),
    validFrom: second,
    validUntil: second.nullable(),
    dated: z.boolean(),
    trust: z.enum(['user', 'event', 'tool', 'document', 'imported', 'assistant']),
    saidAt: millisecond,
    saidOffset: offset,
    evidence: z.array(evidence).max(1024),
    born: z.enum(['accepted', 'held']),
    reason: text.exactOptional(),
    confidence: z.number().min(0).max(1).exactOptional(),
    memoryType: text,
    schemaVersion: z.number().int().min(1),
    retention: text.exactOptional(),
  })
  .refine(record => record.validUntil === null || record.validUntil > record.validFrom, 'ends before it begins')
  .refine(record => record.statement === 'retraction' || record.value !== undefined, 'has no value')
