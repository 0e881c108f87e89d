import { expect, test } from 'vitest'
import { addMonths, dayAt, instantAt, makeDay } from '../src/calendar.ts'
import { type Lean, readSpan } from '../src/english/dates.ts'

/** A Monday. */
const today = '2026-05-04'

test.each<[text: string, lean: Lean, span: string | undefined]>([
  ['July 15, 2026', 'nearest', '2026-07-15..2026-07-16 day'],
  ['15 July 2026', 'nearest', '2026-07-15..2026-07-16 day'],
  ['the 3rd of May', 'past', '2026-05-03..2026-05-04 day'],
  ['the 3rd of May', 'coming', '2027-05-03..2027-05-04 day'],
  ['2026-07-15', 'nearest', '2026-07-15..2026-07-16 day'],
  ['15.07.2026', 'nearest', '2026-07-15..2026-07-16 day'],
  ['15/07/2026', 'nearest', '2026-07-15..2026-07-16 day'],
  ['07/15/2026', 'nearest', '2026-07-15..2026-07-16 day'],
  ['05/06/2026', 'nearest', undefined],
  ['05/05/2026', 'nearest', '2026-05-05..2026-05-06 day'],
  ['February 30', 'nearest', undefined],
  ['February 29', 'coming', '2028-02-29..2028-03-01 day'],
  ['March', 'past', '2026-03-01..2026-04-01 month'],
  ['May', 'past', '2026-05-01..2026-06-01 month'],
  ['June', 'past', '2025-06-01..2025-07-01 month'],
  ['last June', 'nearest', '2025-06-01..2025-07-01 month'],
  ['July 2027', 'past', '2027-07-01..2027-08-01 month'],
  ['the end of March', 'past', '2026-03-31..2026-04-01 day'],
  ['2024', 'nearest', '2024-01-01..2025-01-01 year'],
  ['last year', 'nearest', '2025-01-01..2026-01-01 year'],
  ['last week', 'nearest', '2026-04-27..2026-05-04 week'],
  ['next month', 'nearest', '2026-06-01..2026-07-01 month'],
  ['yesterday', 'nearest', '2026-05-03..2026-05-04 day'],
  ['the day before yesterday', 'nearest', '2026-05-02..2026-05-03 day'],
  ['3 days ago', 'nearest', '2026-05-01..2026-05-02 day'],
  ['two weeks ago', 'nearest', '2026-04-20..2026-04-21 day'],
  ['Friday', 'coming', '2026-05-08..2026-05-09 day'],
  ['Friday', 'past', '2026-05-01..2026-05-02 day'],
  ['on Monday', 'coming', '2026-05-11..2026-05-12 day'],
  ['last Friday', 'coming', '2026-05-01..2026-05-02 day'],
  ['the 10th', 'coming', '2026-05-10..2026-05-11 day'],
  ['the 31st', 'past', '2026-03-31..2026-04-01 day'],
  ['Friday at 3pm', 'coming', '2026-05-08..2026-05-09 day 15:00'],
  ['June 3 at 14:30', 'coming', '2026-06-03..2026-06-04 day 14:30'],
  ['5pm', 'coming', undefined],
  ['July 10-20', 'coming', undefined],
  ['July 15 or 16', 'coming', undefined],
  ['soon', 'coming', undefined],
  ['', 'coming', undefined],
])('%j leaning %s', (text, lean, expected) => {
  const span = readSpan(text, { today, lean })
  expect(span && `${span.from}..${span.until} ${span.unit}${span.time === undefined ? '' : ` ${span.time}`}`).toBe(expected)
})

test('an anchor draws the year and the month', () => {
  expect(readSpan('June 30', { today, lean: 'nearest', anchor: '2031-07-15' })?.from).toBe('2031-06-30')
  expect(readSpan('January 5', { today, lean: 'nearest', anchor: '2026-12-28' })?.from).toBe('2027-01-05')
  expect(readSpan('the 20th', { today, lean: 'nearest', anchor: '2031-07-15' })?.from).toBe('2031-07-20')
})

test('days of the calendar', () => {
  expect(makeDay(2024, 2, 29)).toBe('2024-02-29')
  expect(makeDay(2025, 2, 29)).toBeUndefined()
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
  expect(addMonths('2026-01-31', -2)).toBe('2025-11-30')
  expect(addMonths('2026-12-15', 1)).toBe('2027-01-15')
  expect(dayAt('2026-05-04T23:30:00.000Z', 'Asia/Tokyo')).toBe('2026-05-05')
  expect(dayAt('2026-05-04T00:30:00.000Z', 'America/New_York')).toBe('2026-05-03')
  expect(instantAt('2026-06-02', '09:00', 'Europe/Oslo')).toBe('2026-06-02T07:00:00Z')
  expect(instantAt('2026-01-02', '09:00', 'Europe/Oslo')).toBe('2026-01-02T08:00:00Z')
})
