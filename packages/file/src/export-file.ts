/** Writing a memory file. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { canonicalJson, MemoryError, type TenantMemory } from '@palimpsest/core'
import { v7 as uuidv7 } from 'uuid'
import { FORMAT_VERSION, type FileFooter, type FileHeader } from './format.ts'

export interface ExportOptions {
  readonly signal?: AbortSignal
  /** Called with the number of records written and their total. */
  readonly onProgress?: (done: number, total: number) => void
}

/** Chunks are about this long. */
const CHUNK_BYTES = 64 * 1024

/**
 * The whole tenant as a memory file, in chunks of UTF-8. The records are read in one go, so that the file shows one state.
 * @throws {MemoryError} what reading raises; ABORTED when the signal fires. A stream that ends without its footer is no file.
 */
export async function* exportFile(
  memory: Pick<TenantMemory, 'records'>,
  options: ExportOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const stopIfAborted = (): void => {
    if (options.signal?.aborted === true) throw new MemoryError('ABORTED', 'The export was aborted')
  }
  stopIfAborted()
  const records = await memory.records()
  const encoder = new TextEncoder()
  const hash = sha256.create()
  const header: FileHeader = {
    kind: 'header',
    format: 'sgam',
    version: FORMAT_VERSION,
    oldestReader: FORMAT_VERSION,
    export: uuidv7(),
    time: new Date().toISOString(),
    producer: 'palimpsest/0.1.0',
    mode: 'backup',
  }
  const counts: Record<string, number> = {}
  let chunk = `${canonicalJson(header)}\n`
  let done = 0
  for (const record of records) {
    stopIfAborted()
    counts[record.kind] = (counts[record.kind] ?? 0) + 1
    chunk += `${canonicalJson(record)}\n`
    done++
    if (chunk.length < CHUNK_BYTES) continue
    const bytes = encoder.encode(chunk)
    hash.update(bytes)
    chunk = ''
    options.onProgress?.(done, records.length)
    yield bytes
  }
  const last = encoder.encode(chunk)
  hash.update(last)
  yield last
  const footer: FileFooter = { kind: 'footer', counts, sha256: bytesToHex(hash.digest()), left: [] }
  options.onProgress?.(done, records.length)
  yield encoder.encode(`${canonicalJson(footer)}\n`)
}
