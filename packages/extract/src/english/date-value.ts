/** Date values: the words after "is" or "moved to" as `YYYY-MM-DD`, with a time `YYYY-MM-DDTHH:MM`, of every year `--MM-DD`. */
import { addDays } from '../calendar.ts'
import type { Scene } from '../scene.ts'
import type { JsonValue } from '../statement.ts'
import { type Lean, type Span, readSpan } from './dates.ts'

const DATE_VALUE = /^(?:\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d)?)?)?|--\d\d-\d\d)$/
const YEARLY = /(?:^|_)(?:birthday|anniversary|name_day|nameday)$/
/** How far back a yearless date near the former value may lie before the next year is meant. */
const STALE_DAYS = 31

export function isDateValue(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && DATE_VALUE.test(value)
}

/**
 * @param former what the slot held: a date without a year takes the year nearest to it; else the next such day is meant,
 *   or the last one where `lean` is `past`
 */
export function readDateValue(
  text: string,
  attribute: string,
  former: JsonValue | undefined,
  scene: Scene,
  lean: Lean = 'coming',
): string | undefined {
  const words = text.trim().replace(/^(?:on|for|by|due|set for) /u, '')
  const { today } = scene
  const anchor = isDateValue(former) && /^\d{4}-\d\d-\d\d/.test(former) ? former.slice(0, 10) : undefined
  let span = readSpan(words, anchor === undefined ? { today, lean } : { today, lean: 'nearest', anchor })
  if (span === undefined) return undefined
  if (span.yearless && anchor !== undefined && anchor >= today && span.from < addDays(today, -STALE_DAYS))
    span = readSpan(words, { today, lean: 'coming' })
  return span === undefined ? undefined : formatSpan(span, YEARLY.test(attribute))
}

function formatSpan(span: Span, yearly: boolean): string | undefined {
  if (yearly && span.yearless && span.unit === 'day') return `-${span.from.slice(4)}`
  if (span.unit === 'week') return undefined
  if (span.unit !== 'day') return span.from.slice(0, span.unit === 'year' ? 4 : 7)
  return span.time === undefined ? span.from : `${span.from}T${span.time}`
}
