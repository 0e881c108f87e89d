/**
 * Validity: "since March", "from the 10th to the 20th of July", "until Friday", "as of June 1", "for two weeks".
 *
 * Such words are taken off the end (or the head) of a clause; what is left is read without them. "Since March" begins on
 * the 1st of the last March. "Until B" ends the day after a day B, and where a month or year B begins; "from A to B"
 * covers all of B.
 */
import { type Day, addDays, addMonths } from '../calendar.ts'
import type { Scene } from '../scene.ts'
import { type Times, untimed } from '../statement.ts'
import { type DateFrame, type Lean, type Span, readSpan } from './dates.ts'

/** What a date without a preposition of validity means: a change on that day, a state on that day, or nothing here. */
export type Point = 'starts' | 'within' | 'none'

export interface ValidityFrame {
  readonly point: Point
  /** For dates that do not say which year, month or week. */
  readonly lean: Lean
  /** "For two years" reaches back ("I have lived here for two years") or ahead. */
  readonly duration: 'back' | 'ahead'
}

export interface Dated {
  /** The text without its adjuncts of time. */
  readonly rest: string
  readonly times: Times
  /** There was at least one, "now" included. */
  readonly dated: boolean
}

const NOW =
  /^(?:right now|now|currently|these days|nowadays|at the moment|at present|presently|already|for now|as of now|at this time|again|today onwards?|anymore|any more|any longer)$/
const RANGE = /^(?:from|between) (?<a>.+?) (?<mark>to|until|till|through|and|-) (?<b>.+)$/
const SINCE = /^(?:ever )?since (?<a>.+)$/
const STARTS =
  /^(?:from|as of|as from|starting(?: from| on| in)?|beginning(?: on| in)?|effective(?: from)?|with effect from) (?<a>.+?)(?: on| onwards?)?$/
const ENDS = /^(?:until|till|through|up to|up until) (?<b>.+)$/
const FOR =
  /^for (?:the (?:past|last|next) )?(?:about |around |over |more than |almost )?(?<count>a|an|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3}) (?<unit>day|week|month|year)s?(?: now)?$/
const DASHED = /^(?:on |in |from )?(?<a>[\p{L}\p{N} ]*?\d{1,2}(?:st|nd|rd|th)?)\s?[-\u2013]\s?(?<b>\d{1,2}(?:st|nd|rd|th)?\b.*)$/u

/** Where an adjunct may begin. */
const OPENING =
  /(?:^|[ ,(])(?=(?:ever since|since|from|between|as of|as from|starting|beginning|effective|with effect|until|till|through|up to|up until|for|on|in|at|by|right now|now|currently|these days|nowadays|at present|presently|already|again|last|this|next|yesterday|today|tomorrow|tonight|the day|earlier|a (?:day|week|month|year|few)|an? |one|two|three|four|five|six|seven|eight|nine|ten|\d|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|any ?more|any longer))/giu

/** Takes adjuncts off the end; undefined where one contradicts itself. */
export function takeValidity(text: string, scene: Scene, frame: ValidityFrame): Dated | undefined {
  let rest = text.trim()
  let times: Times = untimed
  let dated = false
  for (let round = 0; round < 3; round++) {
    const found = lastAdjunct(rest, scene, frame)
    if (found === undefined) break
    rest = found.rest
    times = { from: times.from ?? found.times.from, until: times.until ?? found.times.until }
    dated = true
  }
  return isOrdered(times, scene) ? { rest, times, dated } : undefined
}

/** Reads a whole text as one adjunct. */
export function readAdjunct(text: string, scene: Scene, frame: ValidityFrame): Times | undefined {
  const words = text
    .trim()
    .replace(/^[(]|[),]+$/g, '')
    .replace(/,(?= )(?! ?\d)/g, '')
    .toLowerCase()
  if (words.length > 70) return undefined
  if (NOW.test(words)) return untimed
  const { today } = scene
  const span = (part: string | undefined, dates: Partial<DateFrame> = {}): Span | undefined =>
    readSpan(part ?? '', { today, lean: frame.lean, ...dates })
  const since = SINCE.exec(words)?.groups?.a
  if (since !== undefined) return begin(span(since, { lean: 'past' }), scene)
  const range = (RANGE.exec(words) ?? DASHED.exec(words))?.groups
  if (range !== undefined) return readRange(range.a ?? '', range.b ?? '', scene, frame)
  const starts = STARTS.exec(words)?.groups?.a
  if (starts !== undefined)
    return NOW.test(starts) ? untimed : begin(span(starts, { lean: frame.lean === 'past' ? 'past' : 'nearest' }), scene)
  const ends = ENDS.exec(words)?.groups?.b
  if (ends !== undefined) {
    const last = span(ends, { lean: 'coming' })
    if (last === undefined) return undefined
    return { from: null, until: last.unit === 'day' || words.startsWith('through') ? last.until : last.from }
  }
  const length = FOR.exec(words)?.groups
  if (length !== undefined) return readLength(length.count ?? '', length.unit ?? '', scene, frame)
  if (frame.point === 'none') return undefined
  const point = span(words)
  if (point === undefined) return undefined
  if (frame.point === 'starts') return begin(point, scene)
  // "I am in Paris this week", said on Wednesday, tells nothing about Monday.
  const underWay = point.from <= scene.today && scene.today < point.until
  return { from: underWay ? scene.at : point.from, until: point.until }
}

function lastAdjunct(
  text: string,
  scene: Scene,
  frame: ValidityFrame,
): { readonly rest: string; readonly times: Times } | undefined {
  const tail = Math.max(0, text.length - 70)
  for (const match of text.slice(tail).matchAll(OPENING)) {
    const start = tail + match.index
    const times = readAdjunct(text.slice(start).replace(/^[ ,]+/, ''), scene, frame)
    if (times !== undefined) return { rest: text.slice(0, start).replace(/[ ,(]+$/, ''), times }
  }
  return undefined
}

/** "From the 10th to the 20th of July": each end lends the other the month and year that it lacks. */
function readRange(a: string, b: string, scene: Scene, frame: ValidityFrame): Times | undefined {
  const bare = (part: string): string => part.trim().replace(/^(?:the )?(\d{1,2})$/, '$1th')
  const dayOnly = (part: string): boolean => /^(?:the )?\d{1,2}(?:st|nd|rd|th)$/.test(part)
  const [first, last] = [bare(a), bare(b)]
  const frameAt = (lean: Lean, anchor: Day = scene.today): DateFrame => ({ today: anchor, lean, anchor })
  let [from, until] = [
    readSpan(first, { today: scene.today, lean: frame.lean }),
    readSpan(last, { today: scene.today, lean: frame.lean }),
  ]
  if (until !== undefined && !dayOnly(last) && (dayOnly(first) || (from?.yearless && !until.yearless)))
    from = readSpan(first, frameAt('past', until.from))
  else if (from !== undefined) until = readSpan(last, frameAt('coming', from.from)) ?? until
  if (from === undefined || until === undefined || from.from >= until.until) return undefined
  return { from: begin(from, scene).from, until: until.until }
}

function readLength(count: string, unit: string, scene: Scene, frame: ValidityFrame): Times | undefined {
  const words = ['a', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
  const number = count === 'a' || count === 'an' ? 1 : words.includes(count) ? words.indexOf(count) : Number(count)
  const step = (sign: 1 | -1): Day => {
    if (unit === 'day' || unit === 'week') return addDays(scene.today, sign * number * (unit === 'week' ? 7 : 1))
    return addMonths(scene.today, sign * number * (unit === 'year' ? 12 : 1))
  }
  return frame.duration === 'back' ? { from: step(-1), until: null } : { from: null, until: step(1) }
}

/** A span's first day. Today is the moment of speaking: what was said this morning must not outlast it. */
function begin(span: Span, scene: Scene): Times
function begin(span: Span | undefined, scene: Scene): Times | undefined
function begin(span: Span | undefined, scene: Scene): Times | undefined {
  if (span === undefined) return undefined
  return { from: span.from === scene.today ? scene.at : span.from, until: null }
}

function isOrdered({ from, until }: Times, scene: Scene): boolean {
  if (until === null) return true
  return from === null || from === scene.at ? until > scene.today : until > from
}
