/** What is read in a text before it is compared with memory. */
import type { MemoryUpdate } from '@palimpsest/core'

export type JsonValue = MemoryUpdate['value']

/** When something holds: a bare date or an instant. Null `from` is when it was said; null `until` is no known end. */
export interface Times {
  readonly from: string | null
  readonly until: string | null
}

export const untimed: Times = { from: null, until: null }

/** One thing that a clause says: `value` holds in the slot, or (`ended`) holds no longer; null with `ended` is any value. */
export interface Statement extends Times {
  readonly subject: string
  readonly attribute: string
  readonly value: JsonValue
  readonly ended: boolean
  /** 0..1: how sure the reading is. */
  readonly confidence: number
  /** It takes the place of this value, said before by mistake. */
  readonly instead?: JsonValue
}

/** A statement and the passage `[start, end)` that makes it. */
export interface Reading {
  readonly statement: Statement
  readonly start: number
  readonly end: number
}

export interface Slot {
  readonly subject: string
  readonly attribute: string
}

/** The form in which words are compared: spaces and case do not count. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim().replace(/\s+/gu, ' ')
}

export function sameSlot(a: Slot, b: Slot): boolean {
  return fold(a.subject) === fold(b.subject) && fold(a.attribute) === fold(b.attribute)
}

export function sameValue(a: JsonValue, b: JsonValue): boolean {
  return typeof a === 'string' && typeof b === 'string' ? fold(a) === fold(b) : JSON.stringify(a) === JSON.stringify(b)
}
