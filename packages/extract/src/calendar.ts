/** Days of the calendar, written `YYYY-MM-DD`: such strings sort as the days follow each other. No zone, no clock. */

export type Day = string

const DAY_MS = 86_400_000

/** The day; undefined where there is no such day (February 30) or its year is not 1..9999. */
export function makeDay(year: number, month: number, day: number): Day | undefined {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1) return undefined
  const ms = new Date(0).setUTCFullYear(year, month - 1, day)
  return new Date(ms).getUTCDate() === day ? format(ms) : undefined
}

export function yearOf(day: Day): number {
  return Number(day.slice(0, 4))
}

export function monthOf(day: Day): number {
  return Number(day.slice(5, 7))
}

/** 0 is Sunday. */
export function weekdayOf(day: Day): number {
  return new Date(toMs(day)).getUTCDay()
}

export function addDays(day: Day, count: number): Day {
  return format(toMs(day) + count * DAY_MS)
}

/** The same day of a later (or earlier) month; the last one where that month is shorter. */
export function addMonths(day: Day, count: number): Day {
  const months = yearOf(day) * 12 + monthOf(day) - 1 + count
  const [year, month] = [Math.floor(months / 12), (months % 12) + 1]
  for (let date = Number(day.slice(8)); date > 27; date--) {
    const made = makeDay(year, month, date)
    if (made !== undefined) return made
  }
  return makeDay(year, month, Number(day.slice(8))) ?? day
}

/** Days from `a` to `b`. */
export function daysBetween(a: Day, b: Day): number {
  return Math.round((toMs(b) - toMs(a)) / DAY_MS)
}

/** The day that a wall calendar in the zone shows at the instant. */
export function dayAt(instant: string, timeZone: string): Day {
  const ms = Date.parse(instant)
  return format(ms + zoneOffsetMs(ms, timeZone))
}

/** The instant at which a wall clock in the zone shows the day and `HH:MM`, written `YYYY-MM-DDTHH:MM:SSZ`. */
export function instantAt(day: Day, time: string, timeZone: string): string {
  const wall = toMs(day) + (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * 60_000
  // The offset in force at the answer is the one to use; it differs from the one at the guess only around a clock change.
  const guess = wall - zoneOffsetMs(wall, timeZone)
  return `${new Date(wall - zoneOffsetMs(guess, timeZone)).toISOString().slice(0, 19)}Z`
}

function zoneOffsetMs(ms: number, timeZone: string): number {
  const parts = new Map(
    zoneFormat(timeZone)
      .formatToParts(ms)
      .map(part => [part.type, Number(part.value)]),
  )
  const value = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  const day = new Date(0).setUTCFullYear(value('year'), value('month') - 1, value('day'))
  return day + ((value('hour') * 60 + value('minute')) * 60 + value('second')) * 1000 - Math.floor(ms / 1000) * 1000
}

const formats = new Map<string, Intl.DateTimeFormat>()

function zoneFormat(timeZone: string): Intl.DateTimeFormat {
  let found = formats.get(timeZone)
  if (found === undefined) {
    found = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(timeZone, found)
  }
  return found
}

function toMs(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`)
}

function format(ms: number): Day {
  return new Date(ms).toISOString().slice(0, 10)
}
