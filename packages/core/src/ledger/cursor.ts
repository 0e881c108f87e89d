/** Cursors of pages: the sort key of the last row, as JSON. Opaque to callers. */
import { MemoryError } from '../errors.ts'

/** @throws {MemoryError} INVALID_ARGUMENT when the text is not a cursor of this kind */
export function parseCursor<T extends readonly (string | number)[]>(cursor: string, length: number): T {
  try {
    const parsed: unknown = JSON.parse(cursor)
    if (
      Array.isArray(parsed) &&
      parsed.length === length &&
      parsed.every(part => typeof part === 'string' || typeof part === 'number')
    )
      return parsed as unknown as T
  } catch {
    // Falls through to the one error below.
  }
  throw new MemoryError('INVALID_ARGUMENT', 'after is not a cursor that this call returned', { field: 'after' })
}
