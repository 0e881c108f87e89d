/** The fields that records share, as zod schemas. */
import * as z from 'zod'
import { isClock } from '../time/hybrid-clock.ts'
import { parseInstant } from '../time/instant.ts'
import { assertJson, type JsonValue } from './json.ts'
import { MAX_NAME_LENGTH, normalizeName } from './name.ts'

/** Longest id, in UTF-16 units. */
export const MAX_ID_LENGTH = 256

// oxlint-disable-next-line no-control-regex -- ids with control characters are refused, so they must be named
const CONTROL = /[\u0000-\u001f\u007f]/u

export const text: z.ZodType<string> = z.string().refine(value => value.isWellFormed(), 'holds a lone surrogate')
export const id: z.ZodType<string> = z
  .string()
  .min(1)
  .max(MAX_ID_LENGTH)
  .refine(value => value.isWellFormed() && value.trim() !== '' && !CONTROL.test(value), 'is not an id')
export const clock: z.ZodType<string> = z.string().refine(isClock, 'is not a clock value')
/** A subject or attribute in its normal form. */
export const name: z.ZodType<string> = z
  .string()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .refine(value => value.isWellFormed() && normalizeName(value) === value, 'is not in normal form')
/** `YYYY-MM-DDTHH:MM:SSZ` */
export const second: z.ZodType<string> = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/u)
  .refine(isInstant, 'does not exist')
/** `YYYY-MM-DDTHH:MM:SS.mmmZ` */
export const millisecond: z.ZodType<string> = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u)
  .refine(isInstant, 'does not exist')
export const json: z.ZodType<JsonValue> = z.custom<JsonValue>(value => {
  try {
    assertJson(value, 'value')
    return true
  } catch {
    return false
  }
}, 'is not JSON')
/** UTF-16 offset in an episode's text. */
export const offset: z.ZodType<number> = z.number().int().min(0).max(0x7fffffff)
export const actor: z.ZodType<'user' | 'assistant' | 'tool' | 'event' | 'document' | 'policy'> = z.enum([
  'user',
  'assistant',
  'tool',
  'event',
  'document',
  'policy',
])

function isInstant(value: string): boolean {
  try {
    parseInstant(value, { field: 'instant' })
    return true
  } catch {
    return false
  }
}
