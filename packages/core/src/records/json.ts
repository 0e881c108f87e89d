/** JSON values as they are stored: canonical form (RFC 8785), limits, and what is refused at the door. */
import canonicalize from 'canonicalize'
import { MemoryError } from '../errors.ts'

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** Largest value, in bytes of its canonical JSON. */
export const MAX_VALUE_BYTES: number = 256 * 1024
/** Largest record, in bytes of its canonical JSON: one line of a memory file. */
export const MAX_RECORD_BYTES: number = 1024 * 1024
/** Deepest nesting of a record; a string or number is depth 0, an object around it 1. */
export const MAX_DEPTH = 16
/** Most keys in one object. */
export const MAX_KEYS = 64

/** RFC 8785 canonical JSON. The value must be JSON (`assertJson`); two values are equal when these strings are. */
export function canonicalJson(value: JsonValue | object): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return canonicalize(value) as string
}

const encoder = new TextEncoder()

/** Length in UTF-8 bytes. */
export function utf8Bytes(text: string): number {
  // Most text is short and its length alone settles every limit.
  return text.length < 64 ? text.length * 3 : encoder.encode(text).length
}

/**
 * Refuses what JSON cannot carry unchanged, and what the limits forbid.
 * @param depthLeft levels of nesting still allowed below this value
 * @throws {MemoryError} INVALID_VALUE for undefined, NaN, infinities, integers beyond 2^53-1, lone surrogates, cycles,
 *   functions, class instances, sparse arrays, an own `__proto__`; TOO_LARGE past `MAX_DEPTH` or `MAX_KEYS`.
 */
export function assertJson(value: unknown, field: string, depthLeft: number = MAX_DEPTH): asserts value is JsonValue {
  switch (typeof value) {
    case 'boolean':
      return
    case 'string':
      if (!value.isWellFormed()) throw new MemoryError('INVALID_VALUE', `${field} holds a lone surrogate`, { field })
      return
    case 'number':
      if (!Number.isFinite(value))
        throw new MemoryError('INVALID_VALUE', `${field} is ${value}, which JSON cannot hold`, { field })
      if (Number.isInteger(value) && !Number.isSafeInteger(value))
        throw new MemoryError('INVALID_VALUE', `${field} is an integer beyond 2^53-1; write it as a string`, { field })
      return
    case 'object':
      break
    default:
      throw new MemoryError('INVALID_VALUE', `${field} is ${typeof value}, which JSON cannot hold`, { field })
  }
  if (value === null) return
  if (depthLeft <= 0)
    throw new MemoryError('TOO_LARGE', `${field} is nested deeper than ${MAX_DEPTH} levels, or refers to itself`, { field })
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      if (!(i in value)) throw new MemoryError('INVALID_VALUE', `${field} is an array with a hole at ${i}`, { field })
      assertJson(value[i], `${field}[${i}]`, depthLeft - 1)
    }
    return
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype && Object.getPrototypeOf(prototype) !== null)
    throw new MemoryError('INVALID_VALUE', `${field} is not a plain object`, { field })
  const keys = Object.keys(value)
  if (keys.length > MAX_KEYS) throw new MemoryError('TOO_LARGE', `${field} has more than ${MAX_KEYS} keys`, { field })
  for (const key of keys) {
    if (key === '__proto__') throw new MemoryError('INVALID_VALUE', `${field} has an own __proto__`, { field })
    if (!key.isWellFormed()) throw new MemoryError('INVALID_VALUE', `${field} has a key with a lone surrogate`, { field })
    assertJson((value as Record<string, unknown>)[key], `${field}.${key}`, depthLeft - 1)
  }
}
