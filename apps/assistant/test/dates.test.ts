import { describe, expect, test } from 'vitest'
import { calendarDay, dayWords, onDay, periodWords, spanWords } from '../src/talk/dates.ts'
import { frame } from './facts.ts'

describe('days', () => {
  test('are those of the zone', () => {
    expect(calendarDay('2026-06-30T22:30:00Z', 'Europe/Oslo')).toBe('2026-07-01')
    expect(calendarDay('2026-06-30T22:30:00Z', 'America/New_York')).toBe('2026-06-30')
    expect(calendarDay('0007-01-01T00:00:00Z', 'UTC')).toBe('0007-01-01')
  })

  test('name the year where it is another one, and today as today', () => {
    expect(dayWords('2026-06-09T22:30:00Z', frame)).toBe('today')
    expect(dayWords('2026-06-03T10:00:00Z', frame)).toBe('June 3')
    expect(dayWords('2025-06-03T10:00:00Z', frame)).toBe('June 3, 2025')
    expect(onDay('2026-06-10T00:00:00Z', frame)).toBe('today')
    expect(onDay('2026-06-03T10:00:00Z', frame)).toBe('on June 3')
  })
})

describe('periods', () => {
  test.each([
    ['an open one that began today', '2026-06-10T09:00:00Z', null, 'from today'],
    ['an open one that began before', '2026-03-01T00:00:00Z', null, 'since March 1'],
    ['an open one that is to begin', '2026-08-01T00:00:00Z', null, 'from August 1 on'],
    ['an open one that is to begin today', '2026-06-10T15:00:00Z', null, 'today from 5:00 PM on'],
    ['one that ends within a day', '2026-06-01T09:00:00Z', '2026-06-03T10:00:00Z', 'from June 1 to June 3'],
    [
      'one that ends at midnight: its last day is the one before',
      '2026-06-09T22:00:00Z',
      '2026-06-20T22:00:00Z',
      'from today to June 20',
    ],
    ['a whole day', '2026-06-06T22:00:00Z', '2026-06-07T22:00:00Z', 'only on June 7'],
    ['minutes of a day', '2026-06-10T07:00:00Z', '2026-06-10T07:09:00Z', 'today, 9:00 AM to 9:09 AM'],
    ['seconds', '2026-06-10T07:00:00Z', '2026-06-10T07:00:05Z', 'today at 9:00 AM only'],
  ])('%s', (_, from, to, words) => {
    // Some versions of ICU put a narrow space before AM and PM.
    expect(periodWords(from, to, frame).replaceAll('\u202f', ' ')).toBe(words)
  })
})

test('spans of bare dates are named as they were asked for', () => {
  expect(spanWords('2026-01-01', '2027-01-01')).toBe('in 2026')
  expect(spanWords('2026-03-01', '2026-04-01')).toBe('in March 2026')
  expect(spanWords('2026-12-01', '2027-01-01')).toBe('in December 2026')
  expect(spanWords('2026-06-01', '2026-06-08')).toBe('from June 1 to June 7, 2026')
})
