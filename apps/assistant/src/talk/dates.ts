/** Days and periods in words, as the person's calendar shows them. */

/** What a sentence is read against: its own moment (ISO 8601), and the zone in which its days are meant. */
export interface Frame {
  readonly now: string
  readonly timeZone: string
}

/** The day of an instant, `YYYY-MM-DD`, in the frame's zone. */
export function calendarDay(instant: string, timeZone: string): string {
  const parts = new Map(
    format({ timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
      .formatToParts(new Date(instant))
      .map(part => [part.type, part.value]),
  )
  return `${(parts.get('year') ?? '').padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`
}

/** "today"; "June 3" in the same year; else "June 3, 2025". */
export function dayWords(instant: string, { now, timeZone }: Frame): string {
  const [day, today] = [calendarDay(instant, timeZone), calendarDay(now, timeZone)]
  if (day === today) return 'today'
  const date = new Date(instant)
  return day.slice(0, 4) === today.slice(0, 4)
    ? format({ timeZone, month: 'long', day: 'numeric' }).format(date)
    : format({ timeZone, month: 'long', day: 'numeric', year: 'numeric' }).format(date)
}

/** "today" as it is, every other day as "on June 3". */
export function onDay(instant: string, frame: Frame): string {
  const words = dayWords(instant, frame)
  return words === 'today' ? words : `on ${words}`
}

/** "June 3, 2026", whatever today is. */
export function fullDay(instant: string, timeZone: string): string {
  return format({ timeZone, dateStyle: 'long' }).format(new Date(instant))
}

/** "9:41 AM" */
export function clockWords(instant: string, timeZone: string): string {
  return format({ timeZone, timeStyle: 'short' }).format(new Date(instant))
}

/** While something holds: "from today", "since June 3", "from August 1 on", "from June 1 to June 3". `validTo` is exclusive. */
export function periodWords(validFrom: string, validTo: string | null, frame: Frame): string {
  const from = dayWords(validFrom, frame)
  if (validTo === null) {
    const ahead = Date.parse(validFrom) > Date.parse(frame.now)
    if (from === 'today') return ahead ? `today from ${clockWords(validFrom, frame.timeZone)} on` : 'from today'
    return ahead ? `from ${from} on` : `since ${from}`
  }
  const last = lastMoment(validTo, frame.timeZone)
  if (calendarDay(validFrom, frame.timeZone) !== calendarDay(last, frame.timeZone))
    return `from ${from} to ${dayWords(last, frame)}`
  return last === validTo ? withinDay(validFrom, validTo, frame) : `only ${onDay(validFrom, frame)}`
}

/** "today, 9:41 AM to 9:52 AM" */
function withinDay(validFrom: string, validTo: string, frame: Frame): string {
  const [from, to] = [clockWords(validFrom, frame.timeZone), clockWords(validTo, frame.timeZone)]
  return from === to ? `${dayWords(validFrom, frame)} at ${from} only` : `${dayWords(validFrom, frame)}, ${from} to ${to}`
}

/** An end at midnight belongs to the day before: whoever is in Paris until the 21st, 00:00, is there to the 20th. */
function lastMoment(validTo: string, timeZone: string): string {
  const time = format({ timeZone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(
    new Date(validTo),
  )
  return time === '00:00:00' ? new Date(Date.parse(validTo) - 1000).toISOString() : validTo
}

const formats = new Map<string, Intl.DateTimeFormat>()

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options)
  let found = formats.get(key)
  if (found === undefined) formats.set(key, (found = new Intl.DateTimeFormat('en-US', options)))
  return found
}

/** "in March 2026", "in 2026", "from June 1 to June 7, 2026" for a span of bare dates; `until` is exclusive. */
export function spanWords(from: string, until: string): string {
  const [start, end] = [new Date(from), new Date(Date.parse(until) - 86_400_000)]
  const words = (options: Intl.DateTimeFormatOptions, date: Date): string => format({ timeZone: 'UTC', ...options }).format(date)
  if (/^\d{4}-01-01$/u.test(from) && /^\d{4}-01-01$/u.test(until) && end.getUTCFullYear() === start.getUTCFullYear())
    return `in ${from.slice(0, 4)}`
  if (from.endsWith('-01') && until.endsWith('-01') && from.slice(0, 7) === end.toISOString().slice(0, 7))
    return `in ${words({ month: 'long', year: 'numeric' }, start)}`
  return `from ${words({ month: 'long', day: 'numeric' }, start)} to ${words({ dateStyle: 'long' }, end)}`
}
