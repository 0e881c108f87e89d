/**
 * The one durable unit. The same record is what the journal stores, an export file lists and sync carries.
 *
 * | kind | file | may leave the device |
 * |---|---|---|
 * | episode, extraction, assertion, decision, schema, erasure, tenantKey | one each | yes |
 * | operation | operation.ts | no |
 */
import * as z from 'zod'
import { MemoryError } from '../errors.ts'
import { assertionRecord, type AssertionRecord } from './assertion.ts'
import { decisionRecord, type DecisionRecord } from './decision.ts'
import { episodeRecord, type EpisodeRecord } from './episode.ts'
import { erasureRecord, type ErasureRecord } from './erasure.ts'
import { extractionRecord, type ExtractionRecord } from './extraction.ts'
import { assertJson, canonicalJson, MAX_RECORD_BYTES, MAX_VALUE_BYTES, utf8Bytes } from './json.ts'
import type { OperationRecord } from './operation.ts'
import { schemaRecord, type SchemaRecord } from './schema.ts'
import { tenantKeyRecord, type TenantKeyRecord } from './tenant-key.ts'

/** A record that may leave the device. */
export type MemoryRecord =
  | EpisodeRecord
  | ExtractionRecord
  | AssertionRecord
  | DecisionRecord
  | SchemaRecord
  | ErasureRecord
  | TenantKeyRecord

/** Any record, local ones included. */
export type AnyRecord = MemoryRecord | OperationRecord

/** A record in its envelope: the tenant stands around it, never in it. */
export interface TenantRecord {
  readonly tenant: string
  readonly record: AnyRecord
}

const byKind: Readonly<Record<MemoryRecord['kind'], z.ZodType<MemoryRecord>>> = {
  episode: episodeRecord,
  extraction: extractionRecord,
  assertion: assertionRecord,
  decision: decisionRecord,
  schema: schemaRecord,
  erasure: erasureRecord,
  tenantKey: tenantKeyRecord,
}

/**
 * Checks a record that came from outside.
 * @throws {MemoryError} INVALID_ARGUMENT naming the field; TOO_LARGE, INVALID_VALUE from the limits.
 */
export function parseRecord(input: unknown, where: string): MemoryRecord {
  assertJson(input, where)
  const kind = (input as { kind?: unknown } | null)?.kind
  const schema = typeof kind === 'string' && Object.hasOwn(byKind, kind) ? byKind[kind as MemoryRecord['kind']] : undefined
  if (!schema) throw new MemoryError('INVALID_ARGUMENT', `${where} is not a record of a known kind`, { field: `${where}.kind` })
  const parsed = schema.safeParse(input)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const field = [where, ...(issue?.path ?? [])].join('.')
    throw new MemoryError('INVALID_ARGUMENT', `${field}: ${issue?.message ?? 'is not valid'}`, { field })
  }
  checkSize(parsed.data, where)
  return parsed.data
}

/**
 * The limits of a line of the memory file, held at the door so that what is stored can be exported.
 * @throws {MemoryError} TOO_LARGE
 */
export function checkSize(record: MemoryRecord, where: string): void {
  // No UTF-16 unit takes more than three bytes: most records are settled without encoding them.
  if (JSON.stringify(record).length * 3 <= MAX_VALUE_BYTES) return
  const sizeBytes = utf8Bytes(canonicalJson(record))
  if (sizeBytes > MAX_RECORD_BYTES)
    throw new MemoryError('TOO_LARGE', `${where} makes a record of ${sizeBytes} bytes; at most ${MAX_RECORD_BYTES} are allowed`, {
      field: where,
      sizeBytes,
    })
  if (record.kind === 'assertion' && record.value !== undefined && utf8Bytes(canonicalJson(record.value)) > MAX_VALUE_BYTES)
    throw new MemoryError('TOO_LARGE', `${where}.value is over ${MAX_VALUE_BYTES} bytes`, { field: `${where}.value` })
}
