/** The time of a question: "on June 2", "in 2024", "before", "now", taken off its end or its head. */
import { instantAt } from '../calendar.ts'
import type { Scene } from '../scene.ts'
import { type Span, readSpan } from './dates.ts'

export interface QuestionTime {
  readonly mode: 'now' | 'as_of' | 'history'
  readonly at?: string
  readonly until?: string
}

export interface TimedQuestion {
  readonly rest: string
  /** Undefined where the question says no time. */
  readonly time: QuestionTime | undefined
}

const NOW =
  /^(?:right now|now|currently|at the moment|at present|these days|nowadays|today|again|still|as of (?:now|today)|please|exactly|anymore|any more|by the way)$/iu
const BEFORE =
  /^(?:before(?: (?:that|this|then|it|now|i|we|the|my|it changed)\b.*)?|previously|in the past|earlier|originally|initially|at first|formerly|until now|so far|over (?:time|the years|the last .+|the past .+)|in the beginning|ever|all this time|since then)$/iu
const PREPOSITION = /^(?:as of|back in|back on|back|on|in|at|by|during|as at|for|around)\s+/iu

export function takeQuestionTime(text: string, scene: Scene): TimedQuestion {
  let rest = text.replace(/[\s,]+$/u, '')
  let time: QuestionTime | undefined
  for (let round = 0; round < 3; round++) {
    const found = lastTime(rest, scene)
    if (found === undefined) break
    rest = found.rest
    time = later(time, found.time)
  }
  const lead = /^(?<lead>.{2,40}?),?\s+(?=(?:what|when|where|who|which|how|do|does|did|is|was|were|am|are)\b)/iu.exec(rest)
  const before = lead?.groups?.lead === undefined ? undefined : readTime(lead.groups.lead, scene, false)
  return before === undefined ? { rest, time } : { rest: rest.slice(lead?.[0].length), time: later(time, before) }
}

/** A date says more than "before", and that more than "again". */
function later(a: QuestionTime | undefined, b: QuestionTime): QuestionTime {
  if (a === undefined) return b
  const weight = { now: 0, history: 1, as_of: 2 }
  return weight[b.mode] > weight[a.mode] ? b : a
}

function lastTime(text: string, scene: Scene): { readonly rest: string; readonly time: QuestionTime } | undefined {
  const past = /\b(?:was|were|did|had|have|has)\b/iu.test(text)
  const spaces = [...text.matchAll(/,?\s+/gu)].slice(-8)
  for (const space of spaces) {
    const time = readTime(text.slice(space.index + space[0].length), scene, past)
    if (time !== undefined) return { rest: text.slice(0, space.index), time }
  }
  return undefined
}

/** Reads a whole text as a time. */
export function readTime(text: string, scene: Scene, past: boolean): QuestionTime | undefined {
  if (NOW.test(text)) return { mode: 'now' }
  if (BEFORE.test(text)) return { mode: 'history' }
  const words = text.replace(PREPOSITION, '')
  const { today } = scene
  // "What was it on June 2?" asks for the last June 2, also when the next one is nearer.
  const span = readSpan(words, { today, lean: past ? 'past' : 'nearest' })
  if (span !== undefined) return asOf(span, scene)
  // "Before June 2" and "since 2020" ask for more than one moment.
  const bounded = /^(?:before|until|since|after|between) (?<date>.+)$/iu.exec(text)?.groups?.date
  return bounded !== undefined && readSpan(bounded, { today, lean: 'nearest' }) !== undefined ? { mode: 'history' } : undefined
}

function asOf(span: Span, scene: Scene): QuestionTime {
  if (span.time !== undefined) return { mode: 'as_of', at: instantAt(span.from, span.time, scene.timeZone) }
  return span.unit === 'day' ? { mode: 'as_of', at: span.from } : { mode: 'as_of', at: span.from, until: span.until }
}
