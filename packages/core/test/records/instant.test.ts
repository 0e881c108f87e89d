import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkTimeZone,
  formatMs,
  formatSecond,
  MAX_SECOND,
  MIN_SECOND,
  parseInstant,
  parseSecond,
} from '../../src/time/instant.ts'
import { cases } from '../oracle/soak.ts'

const parse = (input: unknown, timeZone?: string): string => formatMs(parseInstant(input, { field: 'validFrom', timeZone }))
const refused = expect.objectContaining({
  code: 'INVALID_INSTANT',
  message: expect.stringContaining('validFrom'),
  details: { field: 'validFrom' },
})

describe('instants', () => {
  test.each([
    ['2026-06-01T09:00:00Z', '2026-06-01T09:00:00.000Z'],
    ['2026-06-01T09:00Z', '2026-06-01T09:00:00.000Z'],
    ['2026-06-01T09:00:00.5Z', '2026-06-01T09:00:00.500Z'],
    ['2026-06-01T09:00:00,25z', '2026-06-01T09:00:00.250Z'],
    ['2026-06-01T09:00:00.123999999Z', '2026-06-01T09:00:00.123Z'],
    ['2026-06-01T09:00:00+02:00', '2026-06-01T07:00:00.000Z'],
    ['2026-06-01T09:00:00-0330', '2026-06-01T12:30:00.000Z'],
    ['2026-06-01T00:00:00+14', '2026-05-31T10:00:00.000Z'],
    ['2026-06-01 09:00:00Z', '2026-06-01T09:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0099-12-31', '0099-12-31T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ])('%s', (input, expected) => {
    expect(parse(input)).toBe(expected)
  })

  test.each<[string, unknown]>([
    ['a local time', '2026-06-01T09:00:00'],
    ['a local time to the minute', '2026-06-01T09:00'],
    ['with a space', '2026-06-01 09:00:00'],
    ['February 30', '2026-02-30'],
    ['February 30 with a time', '2026-02-30T00:00:00Z'],
    ['February 29 of a common year', '2025-02-29'],
    ['of 1900', '1900-02-29'],
    ['April 31', '2026-04-31T10:00:00Z'],
    ['month 13', '2026-13-01'],
    ['month 0', '2026-00-10'],
    ['day 0', '2026-01-00'],
    ['24:00', '2026-06-01T24:00:00Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['minute 60', '2026-06-01T09:60:00Z'],
    ['year 0', '0000-12-31'],
    ['year 0 by offset', '0001-01-01T00:00:00+01:00'],
    ['year 10000', '10000-01-01'],
    ['year 10000 by offset', '9999-12-31T23:59:59-01:00'],
    ['a signed year', '+002026-01-01'],
    ['offset 24', '2026-06-01T09:00:00+24:00'],
    ['offset minute 60', '2026-06-01T09:00:00+02:60'],
    ['a date with an offset', '2026-06-01Z'],
    ['words', 'June 1'],
    ['nothing', ''],
    ['white space', ' 2026-06-01 '],
    ['a line after it', '2026-06-01\n'],
    ['other digits', '２０２６-06-01'],
    ['a number', 1780304400000],
    ['null', null],
    ['undefined', undefined],
    ['an object', {}],
    ['an invalid Date', new Date(NaN)],
    ['a Date in year 0', new Date('0000-06-01T00:00:00Z')],
    ['a Date in year 10000', new Date('+010000-01-01T00:00:00Z')],
    ['the greatest Date', new Date(8.64e15)],
  ])('refuses %s', (_, input) => {
    expect(() => parse(input)).toThrow(refused)
    expect(() => parse(input, 'America/Sao_Paulo')).toThrow(refused)
  })

  test('a Date is its time', () => {
    expect(parse(new Date('2026-06-01T09:00:00.123Z'))).toBe('2026-06-01T09:00:00.123Z')
  })

  test('what is written is read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: MIN_SECOND, max: MAX_SECOND }), second => {
        expect(parseSecond(formatSecond(second), { field: 'at' })).toBe(second)
        expect(formatSecond(second)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/u)
      }),
      cases(2000, 50_000),
    )
  }, 600_000)

  test('an instant is floored to the second, also before 1970', () => {
    expect(parseSecond('1969-12-31T23:59:59.5Z', { field: 'at' })).toBe(-1)
    expect(parseSecond('1970-01-01T00:00:00.999Z', { field: 'at' })).toBe(0)
  })

  test('offsets and Z name the same instant', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: MIN_SECOND + 1e5, max: MAX_SECOND - 1e5 }),
        fc.integer({ min: -1439, max: 1439 }),
        (second, minutes) => {
          const size = Math.abs(minutes)
          const offset = `${minutes < 0 ? '-' : '+'}${String(Math.floor(size / 60)).padStart(2, '0')}:${String(size % 60).padStart(2, '0')}`
          expect(parseSecond(formatSecond(second + minutes * 60).replace('Z', offset), { field: 'at' })).toBe(second)
        },
      ),
      cases(2000, 50_000),
    )
  }, 600_000)
})

describe('a bare date is the first moment of that day in its zone', () => {
  test.each<[string, string, string | null, string]>([
    ['2026-06-01', 'UTC', '2026-06-01T00:00:00.000Z', 'plain'],
    ['2026-06-01', 'Asia/Kolkata', '2026-05-31T18:30:00.000Z', 'a half hour'],
    ['2026-06-01', 'Pacific/Kiritimati', '2026-05-31T10:00:00.000Z', 'the easternmost'],
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z', 'midnight is skipped'],
    ['2018-02-18', 'America/Sao_Paulo', '2018-02-18T03:00:00.000Z', 'the day before has its last hour twice'],
    ['2018-02-17', 'America/Sao_Paulo', '2018-02-17T02:00:00.000Z', 'the day with its last hour twice'],
    ['2018-11-04', 'America/Havana', '2018-11-04T04:00:00.000Z', 'midnight comes twice, west of Greenwich'],
    ['2021-10-29', 'Asia/Amman', '2021-10-28T21:00:00.000Z', 'midnight comes twice, east of Greenwich'],
    ['2021-03-28', 'Asia/Beirut', '2021-03-27T22:00:00.000Z', 'midnight is skipped, east of Greenwich'],
    ['2010-11-07', 'America/St_Johns', '2010-11-07T02:30:00.000Z', 'the first minute comes twice'],
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z', 'a change later on that day'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', 'a change later on that day, in autumn'],
    ['2026-04-05', 'Australia/Lord_Howe', '2026-04-04T13:00:00.000Z', 'a change of half an hour'],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 'the day after one that never was'],
    ['1900-01-01', 'Europe/Amsterdam', null, 'an offset with seconds'],
  ])('%s in %s: %s, %s', (date, zone, expected) => {
    if (expected !== null) expect(parse(date, zone)).toBe(expected)
    expect(isFirstMoment(parseInstant(date, { field: 'at', timeZone: zone }), date, zone)).toBe(true)
  })

  test('in any zone, on any day', () => {
    const zones = Intl.supportedValuesOf('timeZone')
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(1970, 0, 1) / 864e5, max: Date.UTC(2037, 0, 1) / 864e5 }),
        (zone, day) => {
          const date = new Date(day * 864e5).toISOString().slice(0, 10)
          fc.pre(exists(date, zone))
          const at = parseInstant(date, { field: 'at', timeZone: zone })
          expect(isFirstMoment(at, date, zone), `${date} in ${zone} gave ${formatMs(at)}`).toBe(true)
        },
      ),
      cases(1500, 30_000),
    )
  }, 600_000)

  test('on every day with a change near midnight', () => {
    const wrong: string[] = []
    for (const zone of [
      'Asia/Amman',
      'Asia/Beirut',
      'Asia/Gaza',
      'Asia/Damascus',
      'Africa/Cairo',
      'Asia/Tehran',
      'America/Sao_Paulo',
      'America/Havana',
      'Atlantic/Azores',
      'America/St_Johns',
      'America/Asuncion',
      'America/Santiago',
      'Asia/Pyongyang',
    ])
      for (let noon = Date.UTC(2004, 0, 1, 12); noon < Date.UTC(2022, 0, 1); noon += 864e5) {
        const day = new Date(noon).toISOString().slice(0, 10)
        if (offsetChangesNear(zone, noon) && !isFirstMoment(parseInstant(day, { field: 'at', timeZone: zone }), day, zone))
          wrong.push(`${day} ${zone}`)
      }
    expect(wrong).toEqual([])
  }, 120_000)

  test('an unknown zone is refused by name', () => {
    for (const zone of ['Mars/Olympus', '', 'Europe/Berlin '])
      expect(() => parse('2026-06-01', zone)).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('validFrom') }),
      )
    expect(() => checkTimeZone(7, 'timeZone')).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }))
    expect(checkTimeZone('Europe/Berlin', 'timeZone')).toBe('Europe/Berlin')
  })
})

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formats.set(zone, format)
  }
  return format
}

/** `YYYY-MM-DD` on the wall there. */
function dayIn(zone: string, ms: number): string {
  return formatOf(zone).format(ms).slice(0, 10)
}

/** Between the noon before and the noon after. */
function offsetChangesNear(zone: string, noon: number): boolean {
  const clock = (at: number): string => formatOf(zone).format(at).slice(11)
  return clock(noon - 864e5) !== clock(noon + 864e5)
}

/** It is that day there, it was not a moment before, and no earlier moment within three hours was that day. */
function isFirstMoment(ms: number, date: string, zone: string): boolean {
  if (dayIn(zone, ms) !== date || dayIn(zone, ms - 1) === date) return false
  for (let minutes = 15; minutes <= 180; minutes += 15) if (dayIn(zone, ms - minutes * 60_000) === date) return false
  return true
}

/** Some places crossed the date line and have no such day. */
function exists(date: string, zone: string): boolean {
  const noon = Date.parse(`${date}T12:00:00Z`)
  return [-18, -12, -6, 0, 6, 12, 18].some(hours => dayIn(zone, noon + hours * 3_600_000) === date)
}
