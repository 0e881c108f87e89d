/** Cursors of pages: the sort key of the last row, as JSON. Opaque to callers. */
import { MemoryError } from '../errors.ts'

/**
 * @param kinds what each part must be: text or an integer
 * @throws {MemoryError} INVALID_ARGUMENT when the text is not a cursor of this kind
 */
export function parseCursor<T extends readonly (string | number)[]>(cursor: string, kinds: readonly ('text' | 'integer')[]): T {
  try {
    const parsed: unknown = JSON.parse(cursor)
    const fits = (part: unknown, index: number): boolean =>
      kinds[index] === 'text' ? typeof part === 'string' : Number.isSafeInteger(part)
    if (Array.isArray(parsed) && parsed.length === kinds.length && parsed.every(fits)) return parsed as unknown as T
  } catch {
    // Falls through to the one error below.
  }
  throw new MemoryError('INVALID_ARGUMENT', 'after is not a cursor that this call returned', { field: 'after' })
}
