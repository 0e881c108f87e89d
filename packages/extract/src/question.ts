/** Questions to memory: what a question in plain words asks for, decided from its words and never by a ranking. */
import { sceneOf } from './conversation.ts'
import { readEnglishQuestion } from './english/questions.ts'
import type { Said } from './english/topics.ts'
import type { JsonValue } from './statement.ts'

/** A slot that exists in memory. With its value, "my sister Ann" and "Ann" are known to be one person. */
export interface KnownSlot {
  readonly subject: string
  readonly attribute: string
  readonly value?: JsonValue
}

export interface QuestionContext {
  /** When it is asked, ISO 8601 in UTC. */
  readonly at: string
  /** IANA zone in which its dates are meant. */
  readonly timeZone: string
  /** Texts before it, oldest first. */
  readonly previous: readonly Said[]
  readonly known: readonly KnownSlot[]
}

export interface ValueQuestion {
  readonly kind: 'value'
  readonly subject: string
  /** Best first. Those that memory has; where it has none, what the words are called here. Never empty. */
  readonly attributes: readonly string[]
  /** `now`: at the moment of asking. `as_of`: at `at`. `history`: every value there was. */
  readonly mode: 'now' | 'as_of' | 'history'
  /** With `as_of`: a bare date, or an instant where a time was said. For a month or year its first day. */
  readonly at?: string
  /** With `as_of` where more than a day was said ("in March"): the first date after it. */
  readonly until?: string
  /** The value that is asked about: "do I like tea?". */
  readonly value?: JsonValue
}

export interface EverythingQuestion {
  readonly kind: 'everything'
  readonly subject: string
}

export type Question = ValueQuestion | EverythingQuestion

/** What the text asks memory; undefined where it is no question, or none that is understood. */
export function readQuestion(text: string, { at, timeZone, previous, known }: QuestionContext): Question | undefined {
  const current = known.map(({ subject, attribute, value = null }) => ({ subject, attribute, value, validFrom: '' }))
  return readEnglishQuestion(text, sceneOf({ at, timeZone, previous, current, attributes: {} }))
}
