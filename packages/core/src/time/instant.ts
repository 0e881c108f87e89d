/**
 * Instants. Valid time is kept in whole seconds since 1970 (UTC), written `YYYY-MM-DDTHH:MM:SSZ`; the time of an episode
 * and recorded time are kept to the millisecond, written `YYYY-MM-DDTHH:MM:SS.mmmZ`.
 */
import { MemoryError } from '../errors.ts'

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, in seconds: the years that ISO 8601 writes with four digits and SQLite's date functions know. */
export const MIN_SECOND = -62135596800
export const MAX_SECOND = 253402300799

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/u

export interface InstantContext {
  /** The argument's name, for the error. */
  readonly field: string
  /** The zone in which a bare date begins; absent: UTC. */
  readonly timeZone?: string | undefined
}

/**
 * Milliseconds since 1970 of an instant as users write it.
 *
 * A bare date is the first moment of that day in `timeZone`. Seconds may be left out. 24:00 and leap seconds are refused.
 * @throws {MemoryError} INVALID_INSTANT for a time without an offset, a date that does not exist, years outside 1..9999,
 *   an invalid Date, or anything that is neither a string nor a Date.
 */
export function parseInstant(input: unknown, context: InstantContext): number {
  const { field } = context
  const refuse = (why: string): never => {
    throw new MemoryError('INVALID_INSTANT', `${field} ${why}`, { field })
  }
  if (input instanceof Date) {
    const ms = input.getTime()
    if (Number.isNaN(ms)) refuse('is an invalid Date')
    return withinRange(ms, field)
  }
  if (typeof input !== 'string') return refuse('must be an ISO 8601 string or a Date')
  const match = ISO.exec(input)
  if (!match) return refuse(`is not an ISO 8601 instant: ${JSON.stringify(input.slice(0, 40))}`)
  const [, year, month, day, hour, minute, second = '0', fraction = '', offset] = match
  const date = { year: Number(year), month: Number(month), day: Number(day) }
  if (date.month < 1 || date.month > 12 || date.day < 1 || date.day > daysInMonth(date.year, date.month))
    return refuse(`is a date that does not exist: ${input.slice(0, 10)}`)
  if (hour === undefined) return withinRange(startOfDay(date, context.timeZone, field), field)
  if (offset === undefined) return refuse('is a local time without an offset; add Z or +hh:mm')
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return refuse(`is a time that does not exist: ${input}`)
  const ms =
    utcMs(date.year, date.month, date.day) +
    ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 +
    Number(fraction.padEnd(3, '0').slice(0, 3)) -
    offsetMs(offset, refuse)
  return withinRange(ms, field)
}

/** As `parseInstant`, floored to the second. */
export function parseSecond(input: unknown, context: InstantContext): number {
  return Math.floor(parseInstant(input, context) / 1000)
}

/** `YYYY-MM-DDTHH:MM:SSZ` */
export function formatSecond(second: number): string {
  return `${new Date(second * 1000).toISOString().slice(0, 19)}Z`
}

/** `YYYY-MM-DDTHH:MM:SS.mmmZ` */
export function formatMs(ms: number): string {
  return new Date(ms).toISOString()
}

/**
 * Checks an IANA time zone.
 * @throws {MemoryError} INVALID_ARGUMENT when the platform does not know it.
 */
export function checkTimeZone(timeZone: unknown, field: string): string {
  if (typeof timeZone !== 'string') throw new MemoryError('INVALID_ARGUMENT', `${field} must be an IANA time zone`, { field })
  zoneFormat(timeZone, field)
  return timeZone
}

function withinRange(ms: number, field: string): number {
  const second = Math.floor(ms / 1000)
  if (second < MIN_SECOND || second > MAX_SECOND)
    throw new MemoryError('INVALID_INSTANT', `${field} lies outside the years 0001 to 9999`, { field })
  return ms
}

function daysInMonth(year: number, month: number): number {
  return new Date(utcMs(year, month + 1, 0)).getUTCDate()
}

/** Date.UTC maps the years 0..99 to 1900..1999; setUTCFullYear does not. */
function utcMs(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day)
}

function offsetMs(offset: string, refuse: (why: string) => never): number {
  if (offset === 'Z' || offset === 'z') return 0
  const hours = Number(offset.slice(1, 3))
  const minutes = Number(offset.slice(3).replace(':', '') || '0')
  if (hours > 23 || minutes > 59) refuse(`has an offset that does not exist: ${offset}`)
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

/** The first moment of a day in a zone: where a clock change skips midnight, the moment after the gap. */
function startOfDay(date: { year: number; month: number; day: number }, timeZone: string | undefined, field: string): number {
  const midnight = utcMs(date.year, date.month, date.day)
  if (timeZone === undefined || timeZone === 'UTC') return midnight
  // Where the day begins twice (clocks go back over midnight), the first time counts. Offsets lie between -12 and +14 hours.
  const offsets = [midnight - 15 * HOUR_MS, midnight + 13 * HOUR_MS].map(ms => zoneOffsetMs(ms, timeZone, field))
  const begins = offsets.map(offset => midnight - offset).filter(ms => ms + zoneOffsetMs(ms, timeZone, field) === midnight)
  if (begins.length > 0) return Math.min(...begins)
  let guess = midnight - zoneOffsetMs(midnight, timeZone, field)
  guess = midnight - zoneOffsetMs(guess, timeZone, field)
  const seen = guess + zoneOffsetMs(guess, timeZone, field)
  return seen === midnight ? guess : guess + Math.max(0, midnight - seen)
}

function zoneOffsetMs(ms: number, timeZone: string, field: string): number {
  const parts = new Map(
    zoneFormat(timeZone, field)
      .formatToParts(ms)
      .map(part => [part.type, part.value]),
  )
  const value = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type) ?? '0')
  const year = parts.get('era') === 'BC' ? 1 - value('year') : value('year')
  const local = utcMs(year, value('month'), value('day')) + ((value('hour') * 60 + value('minute')) * 60 + value('second')) * 1000
  return local - Math.floor(ms / 1000) * 1000
}

const HOUR_MS = 3_600_000

const formats = new Map<string, Intl.DateTimeFormat>()

function zoneFormat(timeZone: string, field: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(timeZone, format)
    return format
  } catch (cause) {
    throw new MemoryError('INVALID_ARGUMENT', `${field} is not a time zone that is known here: ${timeZone}`, { field }, { cause })
  }
}
