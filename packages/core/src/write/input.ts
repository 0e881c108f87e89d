/** Reading arguments that may come from untyped callers. Every refusal names the field. */
import { MemoryError } from '../errors.ts'
import { MAX_ID_LENGTH } from '../records/fields.ts'

// oxlint-disable-next-line no-control-regex -- ids with control characters are refused, so they must be named
const CONTROL = /[\u0000-\u001f\u007f]/u

function refuse(field: string, why: string): never {
  throw new MemoryError('INVALID_ARGUMENT', `${field} ${why}`, { field })
}

export function objectInput(value: unknown, field: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(field, 'must be an object')
  return value as Readonly<Record<string, unknown>>
}

export function text(value: unknown, field: string): string {
  if (typeof value !== 'string') refuse(field, 'must be a string')
  if (!value.isWellFormed()) throw new MemoryError('INVALID_VALUE', `${field} holds a lone surrogate`, { field })
  return value
}

export function optionalText(value: unknown, field: string): string | undefined {
  return value === undefined || value === null ? undefined : text(value, field)
}

export function idText(value: unknown, field: string): string {
  const id = text(value, field)
  if (id.trim() === '') refuse(field, 'is blank')
  if (id.length > MAX_ID_LENGTH) refuse(field, `is longer than ${MAX_ID_LENGTH}`)
  if (CONTROL.test(id)) refuse(field, 'holds control characters')
  return id
}

export function oneOf<T extends string>(value: unknown, allowed: readonly T[], field: string): T {
  if (!allowed.includes(value as T)) refuse(field, `must be one of ${allowed.join(', ')}`)
  return value as T
}

export function textList(value: unknown, field: string): readonly string[] | undefined {
  if (value === undefined) return undefined
  if (!Array.isArray(value)) refuse(field, 'must be a list of strings')
  return value.map((item, index) => text(item, `${field}[${index}]`))
}

/** Absent is false. */
export function optionalFlag(value: unknown, field: string): boolean {
  if (value === undefined) return false
  if (typeof value !== 'boolean') refuse(field, 'must be true or false')
  return value
}

/** 1..1000 */
export function pageLimit(value: unknown): number {
  if (value === undefined) return 100
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 1000)
    refuse('limit', 'must be an integer from 1 to 1000')
  return value
}
