/** Reading a memory file: verified to the last byte before anything is written, then applied in one commit. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import {
  canonicalJson,
  MemoryError,
  parseRecord,
  type ChangeSet,
  type JsonValue,
  type MemoryRecord,
  type TenantMemory,
  type WriteOptions,
} from '@palimpsest/core'
import { fileFooter, fileHeader, FORMAT_VERSION, type FileFooter, type FileHeader } from './format.ts'
import { invalid, readLines, type FileSource, type Line } from './lines.ts'

export interface ImportOptions {
  /**
   * The file is this person's own backup, or from another of their devices: records are applied verbatim. Files of others
   * cannot be imported yet, so that this must be said.
   */
  readonly own: true
  readonly signal?: AbortSignal
}

/** A verified file; nothing is written before `apply`. */
export interface IncomingFile {
  readonly header: FileHeader
  /** Records by kind. */
  readonly counts: Readonly<Record<string, number>>
  /** Durable when it settles: everything in one commit, or nothing. Applying it again changes nothing. */
  apply(options?: WriteOptions): Promise<ChangeSet>
}

/**
 * Verifies a file against its own footer and the format. Nothing is written.
 * @throws {MemoryError} FILE_INVALID with `details.line`; ABORTED
 */
export async function importFile(
  memory: Pick<TenantMemory, 'merge'>,
  source: FileSource,
  options: ImportOptions,
): Promise<IncomingFile> {
  if ((options as { own?: unknown } | undefined)?.own !== true)
    throw new MemoryError('INVALID_ARGUMENT', 'importFile takes own backups only so far: say { own: true }', { field: 'own' })
  const { header, records, footer } = await verifyFile(source, options.signal)
  return { header, counts: footer.counts, apply: writeOptions => memory.merge(records, writeOptions) }
}

export interface VerifiedFile {
  readonly header: FileHeader
  readonly records: readonly MemoryRecord[]
  readonly footer: FileFooter
}

/** @throws {MemoryError} FILE_INVALID, ABORTED */
export async function verifyFile(source: FileSource, signal?: AbortSignal): Promise<VerifiedFile> {
  const hash = sha256.create()
  const records: MemoryRecord[] = []
  let header: FileHeader | undefined
  let footer: FileFooter | undefined
  let last = 0
  for await (const line of readLines(source)) {
    if (signal?.aborted === true) throw new MemoryError('ABORTED', 'The import was aborted; nothing was written')
    last = line.number
    if (footer !== undefined) throw invalid(line.number, 'comes after the footer')
    const parsed = parseLine(line)
    const kind = (parsed as { kind?: unknown } | null)?.kind
    if (header === undefined) header = readHeader(parsed, line)
    else if (kind === 'footer') footer = readFooter(parsed, line, bytesToHex(hash.digest()), records)
    else records.push(readRecord(parsed, line))
    if (footer === undefined) hash.update(line.bytes)
  }
  if (header === undefined) throw invalid(1, 'is missing: the file is empty')
  if (footer === undefined) throw invalid(last + 1, 'should be the footer: the file is cut')
  return { header, records, footer }
}

function parseLine({ number, text }: Line): JsonValue {
  let parsed: JsonValue
  let canonical: string
  try {
    parsed = JSON.parse(text) as JsonValue
    canonical = canonicalJson(parsed)
  } catch {
    // Not JSON, or what canonical JSON cannot hold: a lone surrogate, a number out of range, nesting without end.
    throw invalid(number, 'is not JSON')
  }
  // What a person's editor or another program has touched is no longer what was hashed and signed for.
  if (canonical !== text) throw invalid(number, 'is not canonical JSON')
  return parsed
}

function readHeader(parsed: JsonValue, { number }: Line): FileHeader {
  const oldest = (parsed as { oldestReader?: unknown } | null)?.oldestReader
  if (typeof oldest === 'number' && oldest > FORMAT_VERSION)
    throw invalid(number, `needs a reader of version ${oldest}; this one reads ${FORMAT_VERSION}`)
  const result = fileHeader.safeParse(parsed)
  if (!result.success) throw invalid(number, 'is not the header of a memory file')
  return result.data
}

function readFooter(parsed: JsonValue, { number }: Line, sha: string, records: readonly MemoryRecord[]): FileFooter {
  const result = fileFooter.safeParse(parsed)
  // What the schema dropped (an own __proto__) was not said by the format.
  if (!result.success || canonicalJson(result.data) !== canonicalJson(parsed)) throw invalid(number, 'is not a footer')
  if (result.data.left.length > 0) throw invalid(number, 'says that something was left out, which a backup never does')
  if (result.data.sha256 !== sha) throw invalid(number, 'has another hash than the file: it was changed or cut')
  const counts: Record<string, number> = {}
  for (const { kind } of records) counts[kind] = (counts[kind] ?? 0) + 1
  if (canonicalJson(counts) !== canonicalJson(result.data.counts)) throw invalid(number, 'counts other records than there are')
  return result.data
}

function readRecord(parsed: JsonValue, { number }: Line): MemoryRecord {
  try {
    return parseRecord(parsed, 'record')
  } catch (error) {
    if (!MemoryError.is(error)) throw error
    throw new MemoryError('FILE_INVALID', `Line ${number}: ${error.message}`, {
      ...error.details,
      line: number,
      reason: error.code,
    })
  }
}
