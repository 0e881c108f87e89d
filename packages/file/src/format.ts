/**
 * The memory file, version 1: `*.sgam.jsonl`, UTF-8, every line one canonical JSON object (RFC 8785) and a line feed.
 *
 * | line | what |
 * |---|---|
 * | first | header: `{kind: "header", format: "sgam", version, oldestReader, export, time, producer, mode}` |
 * | then | records in the order of `TenantMemory.records()`: tenant keys, erasures, schemas, episodes, extractions, assertions, decisions |
 * | last | footer: `{kind: "footer", counts, sha256, left}` |
 *
 * `sha256` is over every byte before the footer's line. No record names a tenant. Limits: a line 1 MiB, depth 16, 64 keys
 * an object. Two exports of the same memory differ only in `export`, `time` and `sha256`.
 */
import * as z from 'zod'

export const FORMAT_VERSION = 1
/** Most bytes of a line, its line feed not counted. */
export const MAX_LINE_BYTES: number = 1024 * 1024

export interface FileHeader {
  readonly kind: 'header'
  readonly format: 'sgam'
  readonly version: number
  /** The oldest version that can read the file. */
  readonly oldestReader: number
  /** A new UUIDv7 for every export. */
  readonly export: string
  readonly time: string
  readonly producer: string
  /** `backup`: everything that may leave the device. */
  readonly mode: 'backup'
}

export interface FileFooter {
  readonly kind: 'footer'
  /** Records by kind. */
  readonly counts: Readonly<Record<string, number>>
  readonly sha256: string
  /** What was left out, how many, why. Empty for a backup. */
  readonly left: readonly { readonly what: string; readonly count: number; readonly why: string }[]
}

export const fileHeader: z.ZodType<FileHeader> = z.strictObject({
  kind: z.literal('header'),
  format: z.literal('sgam'),
  version: z.number().int().min(1),
  oldestReader: z.number().int().min(1),
  export: z.string().min(1),
  time: z.string().min(1),
  producer: z.string(),
  mode: z.literal('backup'),
})

export const fileFooter: z.ZodType<FileFooter> = z.strictObject({
  kind: z.literal('footer'),
  counts: z.record(z.string(), z.number().int().min(0)),
  sha256: z.string().regex(/^[0-9a-f]{64}$/u),
  left: z.array(z.strictObject({ what: z.string(), count: z.number().int().min(0), why: z.string() })),
})
