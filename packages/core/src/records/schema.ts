/**
 * Schema: the part of a schema that decides projection, as data. Merge: the greatest (version, clock, id) counts;
 * projection reads only this, never code.
 */
import * as z from 'zod'
import { clock, id, name, text } from './fields.ts'

export interface SchemaAttribute {
  readonly name: string
  readonly many: boolean
  readonly type: string
  readonly onEqualSecond: 'reject' | 'latest' | 'trusted' | 'ask'
}

export interface SchemaRecord {
  readonly kind: 'schema'
  readonly id: string
  readonly clock: string
  readonly version: number
  readonly unknownAttributes: 'accept' | 'refuse'
  /** By name. A list, since an object may not have more than 64 keys. */
  readonly attributes: readonly SchemaAttribute[]
}

export const schemaRecord: z.ZodType<SchemaRecord> = z.strictObject({
  kind: z.literal('schema'),
  id,
  clock,
  version: z.number().int().min(1),
  unknownAttributes: z.enum(['accept', 'refuse']),
  attributes: z
    .array(z.strictObject({ name, many: z.boolean(), type: text, onEqualSecond: z.enum(['reject', 'latest', 'trusted', 'ask']) }))
    .max(4096),
})
