/**
 * Extraction: which extractor read which episode, and what became of every candidate (a refused one without its value).
 * Merge: union; per episode the newest extractor version counts, then the earliest record.
 */
import * as z from 'zod'
import { clock, id, text } from './fields.ts'

export interface ExtractionOutcome {
  readonly code: string
  /** The assertion written, where one was. */
  readonly assertion?: string
}

export interface ExtractionRecord {
  readonly kind: 'extraction'
  readonly id: string
  readonly clock: string
  readonly episode: string
  readonly extractor: string
  readonly version: number
  readonly outcomes: readonly ExtractionOutcome[]
}

export const extractionRecord: z.ZodType<ExtractionRecord> = z.strictObject({
  kind: z.literal('extraction'),
  id,
  clock,
  episode: id,
  extractor: text,
  version: z.number().int().min(0),
  outcomes: z.array(z.strictObject({ code: text, assertion: id.exactOptional() })).max(4096),
})
