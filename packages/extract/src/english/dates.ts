/**
 * Dates: "July 15, 2026", "last Friday", "the 10th", "March", "two weeks ago", "2024".
 *
 * A date is read as the span of days that it covers. What is not said is chosen by a lean: the last such day that began
 * by today, the next one, or the one nearest to an anchor. Numbers that two conventions read differently (05/06/2026) are no date.
 */
import { casual } from 'chrono-node/en'
import { type Day, addDays, addMonths, daysBetween, makeDay, monthOf, weekdayOf, yearOf } from '../calendar.ts'

export interface Span {
  readonly from: Day
  /** Exclusive. */
  readonly until: Day
  readonly unit: 'day' | 'week' | 'month' | 'year'
  /** `HH:MM`, where a time was said. */
  readonly time?: string
  /** The year was chosen, not said. */
  readonly yearless: boolean
}

export type Lean = 'past' | 'coming' | 'nearest'

export interface DateFrame {
  readonly today: Day
  readonly lean: Lean
  /** For `nearest`: what to be near to. Default: today. */
  readonly anchor?: Day
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const YEAR = /^(?:the year )?(?<year>(?:19|20)\d\d)$/
const MONTH_ONLY = new RegExp(
  `^(?:(?<edge>end|start|beginning|early) (?:of )?)?(?:(?<which>last|this|next) )?${MONTH}(?:,? (?:of )?(?<year>(?:19|20)\\d\\d))?$`,
)
const PERIOD = /^(?:(?<edge>end|start|beginning) of )?(?:the )?(?<which>last|this|next|past) (?<unit>week|month|year)$/
const DAY_ONLY = /^(?<day>[12]?\d|3[01])(?:st|nd|rd|th)$/
const ISO_DAY = /^(?<year>\d{4})-(?<month>\d\d)(?:-(?<day>\d\d))?$/
const NUMERIC = /^(?<a>\d{1,2})(?<mark>[/.])(?<b>\d{1,2})(?:\k<mark>(?<year>\d{4}))$/
const WEEKDAY = /^(?:this )?(?<day>sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?$/
// Cheap test before the general reader: a month, a weekday, a relative word, or digits.
const LIKELY = /\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|day|tomorrow|tonight|ago|week|month|year|morning|evening/

/** The span that the whole text names; undefined where it names none, more than one, or more than a date. */
export function readSpan(text: string, frame: DateFrame): Span | undefined {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/^(?:on|at|in|around|by)\s+/, '')
    .replace(/^the (?=\S)/, '')
    .replace(/[.,]+$/, '')
  if (words.length < 3 || words.length > 60) return undefined
  return (
    readYear(words) ??
    readPeriod(words, frame) ??
    readMonth(words, frame) ??
    readNumbers(words, frame) ??
    readWeekday(words, frame) ??
    readByChrono(words, frame)
  )
}

function readYear(words: string): Span | undefined {
  const year = YEAR.exec(words)?.groups?.year
  return year === undefined
    ? undefined
    : { from: `${year}-01-01`, until: `${Number(year) + 1}-01-01`, unit: 'year', yearless: false }
}

function readPeriod(words: string, { today }: DateFrame): Span | undefined {
  if (words === 'day before yesterday' || words === 'day after tomorrow')
    return oneDay(addDays(today, words.endsWith('yesterday') ? -2 : 2), false)
  const groups = PERIOD.exec(words)?.groups
  if (groups === undefined) return undefined
  const unit = groups.unit as 'week' | 'month' | 'year'
  const steps = groups.which === 'next' ? 1 : groups.which === 'this' ? 0 : -1
  const monday = addDays(today, -((weekdayOf(today) + 6) % 7))
  const start = (n: number): Day => {
    if (unit === 'week') return addDays(monday, 7 * n)
    return unit === 'month' ? addMonths(`${today.slice(0, 7)}-01`, n) : `${String(yearOf(today) + n).padStart(4, '0')}-01-01`
  }
  return edge({ from: start(steps), until: start(steps + 1), unit, yearless: false }, groups.edge)
}

function readMonth(words: string, frame: DateFrame): Span | undefined {
  const groups = MONTH_ONLY.exec(words)?.groups
  if (groups === undefined) return undefined
  const month = MONTHS.indexOf((groups.month ?? '').slice(0, 3)) + 1
  const lean = groups.which === 'last' ? 'past' : groups.which === 'next' ? 'coming' : frame.lean
  const from =
    groups.year === undefined
      ? choose(year => makeDay(year, month, 1), { ...frame, lean })
      : makeDay(Number(groups.year), month, 1)
  if (from === undefined) return undefined
  return edge({ from, until: addMonths(from, 1), unit: 'month', yearless: groups.year === undefined }, groups.edge)
}

/** "The end of March" is its last day; its start and "early March" are its first. */
function edge(span: Span, which: string | undefined): Span {
  if (which === undefined) return span
  const from = which === 'end' ? addDays(span.until, -1) : span.from
  return { ...span, from, until: addDays(from, 1), unit: 'day' }
}

function readNumbers(words: string, frame: DateFrame): Span | undefined {
  const iso = ISO_DAY.exec(words)?.groups
  if (iso !== undefined) {
    const from = makeDay(Number(iso.year), Number(iso.month), Number(iso.day ?? 1))
    if (from === undefined) return undefined
    return iso.day === undefined ? { from, until: addMonths(from, 1), unit: 'month', yearless: false } : oneDay(from, false)
  }
  const day = DAY_ONLY.exec(words)?.groups?.day
  if (day !== undefined) return oneDay(chooseMonth(Number(day), frame), false)
  const parts = NUMERIC.exec(words)?.groups
  if (parts === undefined) return undefined
  const [a, b, year] = [Number(parts.a), Number(parts.b), Number(parts.year)]
  // With dots the day comes first everywhere; with slashes it depends on the country.
  if (parts.mark === '.' || a > 12 || a === b) return oneDay(makeDay(year, b, a), false)
  return b > 12 ? oneDay(makeDay(year, a, b), false) : undefined
}

function readWeekday(words: string, { today, lean }: DateFrame): Span | undefined {
  const name = WEEKDAY.exec(words)?.groups?.day
  if (name === undefined) return undefined
  const wanted = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].indexOf(name.slice(0, 3))
  // On a Monday, "on Monday" is another one: today would be called today.
  const ahead = ((wanted - weekdayOf(today) + 6) % 7) + 1
  return oneDay(addDays(today, lean !== 'past' ? ahead : ahead === 7 ? -7 : ahead - 7), false)
}

function readByChrono(words: string, frame: DateFrame): Span | undefined {
  if (!LIKELY.test(words) || /^\d{1,2}[/.-]\d|^\d{1,2}$/.test(words)) return undefined
  // Noon of the day where it was said, as this machine's clock would show it: then its own zone does not matter.
  // A leap year knows February 29; the year is chosen below.
  const leap = /\bfeb/.test(words) && /\b29/.test(words) ? 4 - (yearOf(frame.today) % 4 || 4) : 0
  const noon = new Date(yearOf(frame.today) + leap, monthOf(frame.today) - 1, Number(frame.today.slice(8)), 12)
  const [found, second] = casual.parse(words, noon)
  if (found === undefined || second !== undefined || found.end || found.text.length !== words.length) return undefined
  const { start } = found
  const [month, day] = [start.get('month') ?? 0, start.get('day') ?? 0]
  const certain = (part: 'year' | 'month' | 'day' | 'weekday' | 'hour'): boolean => start.isCertain(part)
  const year = start.get('year') ?? 0
  if (certain('year') && !certain('month')) return readYear(String(year))
  if (certain('year') && certain('month') && !certain('day')) {
    const from = makeDay(year, month, 1)
    return from === undefined ? undefined : { from, until: addMonths(from, 1), unit: 'month', yearless: false }
  }
  if (!certain('day') && !certain('weekday')) return undefined
  const named = certain('day') ? undefined : readWeekday(words.split(' ')[0] ?? '', frame)
  if (named !== undefined && certain('hour')) return { ...named, time: clockOf(start) }
  if (named !== undefined) return named
  const yearless = certain('day') && !certain('year')
  const span = oneDay(yearless ? choose(candidate => makeDay(candidate, month, day), frame) : makeDay(year, month, day), yearless)
  if (span === undefined || !certain('hour') || words.includes('tonight')) return span
  return { ...span, time: clockOf(start) }
}

function oneDay(from: Day | undefined, yearless: boolean): Span | undefined {
  return from === undefined ? undefined : { from, until: addDays(from, 1), unit: 'day', yearless }
}

function clockOf(start: { get(part: 'hour' | 'minute'): number | null }): string {
  return [start.get('hour'), start.get('minute')].map(part => String(part ?? 0).padStart(2, '0')).join(':')
}

/** The year for a day that was said without one. */
function choose(make: (year: number) => Day | undefined, { today, lean, anchor = today }: DateFrame): Day | undefined {
  const base = yearOf(lean === 'nearest' ? anchor : today)
  // Four years each way, so that February 29 is found.
  const days = Array.from({ length: 9 }, (_, i) => make(base - 4 + i)).filter(day => day !== undefined)
  if (lean === 'past') return days.findLast(day => day <= today)
  if (lean === 'coming') return days.find(day => day >= today)
  return days.toSorted((a, b) => Math.abs(daysBetween(anchor, a)) - Math.abs(daysBetween(anchor, b)))[0]
}

/** The month for "the 10th". */
function chooseMonth(date: number, { today, lean, anchor = today }: DateFrame): Day | undefined {
  const first: Day = `${(lean === 'nearest' ? anchor : today).slice(0, 7)}-01`
  const days = Array.from({ length: 7 }, (_, i) => addMonths(first, i - 3))
    .map(month => makeDay(yearOf(month), monthOf(month), date))
    .filter(day => day !== undefined)
  if (lean === 'past') return days.findLast(day => day <= today)
  if (lean === 'coming') return days.find(day => day >= today)
  return days.toSorted((a, b) => Math.abs(daysBetween(anchor, a)) - Math.abs(daysBetween(anchor, b)))[0]
}
