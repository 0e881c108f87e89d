/** Values in words: `2026-06-30` is "June 30, 2026". What is no date, flag or number is shown as it was said. */
import type { Fact } from '@palimpsest/core'

export type Value = Fact['value']

const DATE = /^(?<year>\d{4})-(?<month>\d\d)(?:-(?<day>\d\d)(?:T(?<time>\d\d:\d\d))?)?$/u
const YEARLY = /^--(?<month>\d\d)-(?<day>\d\d)$/u
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

export function valueWords(value: Value): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return dateWords(value) ?? value
  return typeof value === 'number' ? String(value) : JSON.stringify(value)
}

/** A date of the calendar, which no zone can move; undefined for any other text. */
function dateWords(text: string): string | undefined {
  const date = DATE.exec(text)?.groups
  const yearly = YEARLY.exec(text)?.groups
  const month = MONTHS[Number((date ?? yearly)?.['month']) - 1]
  if (month === undefined) return undefined
  if (yearly !== undefined) return `${month} ${Number(yearly['day'])}`
  const day = date?.['day'] === undefined ? month : `${month} ${Number(date['day'])},`
  const time = date?.['time'] === undefined ? '' : `, ${date['time']}`
  return `${day} ${date?.['year']}${time}`
}
