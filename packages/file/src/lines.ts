/** Bytes to lines, strictly: UTF-8, LF, no line over the limit. Memory is bounded by one line and one chunk. */
import { MemoryError } from '@palimpsest/core'
import { MAX_LINE_BYTES } from './format.ts'

export interface Line {
  /** 1-based. */
  readonly number: number
  readonly text: string
  /** The line with its line feed. */
  readonly bytes: Uint8Array
}

/** What a memory file may come as. */
export type FileSource = string | Uint8Array | { stream(): AsyncIterable<Uint8Array> } | AsyncIterable<Uint8Array>

const LF = 10

/** @throws {MemoryError} FILE_INVALID naming the line: too long, not UTF-8, or the last one without its line feed. */
export async function* readLines(source: FileSource): AsyncGenerator<Line, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest: Uint8Array = new Uint8Array()
  let number = 0
  for await (const chunk of chunksOf(source)) {
    let data = chunk
    if (rest.length > 0) {
      data = new Uint8Array(rest.length + chunk.length)
      data.set(rest)
      data.set(chunk, rest.length)
    }
    let from = 0
    for (let end = data.indexOf(LF, from); end >= 0; end = data.indexOf(LF, from)) {
      number++
      const bytes = data.subarray(from, end + 1)
      yield { number, bytes, text: decode(decoder, bytes.subarray(0, -1), number) }
      from = end + 1
    }
    rest = data.slice(from)
    if (rest.length > MAX_LINE_BYTES) throw invalid(number + 1, 'is longer than 1 MiB')
  }
  if (rest.length > 0) throw invalid(number + 1, 'has no line feed: the file is cut')
}

export function invalid(line: number, why: string): MemoryError {
  return new MemoryError('FILE_INVALID', `Line ${line} ${why}`, { line })
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, number: number): string {
  if (bytes.length > MAX_LINE_BYTES) throw invalid(number, 'is longer than 1 MiB')
  try {
    return decoder.decode(bytes)
  } catch {
    throw invalid(number, 'is not UTF-8')
  }
}

async function* chunksOf(source: FileSource): AsyncGenerator<Uint8Array, void, void> {
  if (typeof source === 'string') yield new TextEncoder().encode(source)
  else if (source instanceof Uint8Array) yield source
  else if (typeof source !== 'object' || source === null || !('stream' in source || Symbol.asyncIterator in source))
    throw new MemoryError('INVALID_ARGUMENT', 'The file must be a string, bytes, a Blob or an async iterable of bytes', {
      field: 'source',
    })
  else yield* 'stream' in source ? source.stream() : source
}
