/** A fact as a clause: "you live in Oslo", "your sister did not smoke", "your passport deadline will be June 30, 2026". */
import type { Fact } from '@palimpsest/core'
import { plainWords, SELF, whom, whose } from './names.ts'
import { valueWords, type Value } from './values.ts'
import { conjugated, flagWords, verbTopic, verbWords, type Tense } from './verbs.ts'

export interface Said {
  readonly subject: string
  readonly attribute: string
  readonly value: Value
}

export function clause({ subject, attribute, value }: Said, tense: Tense = 'now'): string {
  const self = subject === SELF
  const who = whom(subject)
  const be = conjugated('be', '', self, tense)
  if (typeof value === 'boolean') {
    const flag = flagWords(attribute, value, self, tense)
    if (flag !== undefined) return `${who} ${flag}`
  }
  if (typeof value === 'number') {
    if (attribute === 'age') return `${who} ${be} ${value} years old`
    if (attribute === 'children_count')
      return `${who} ${conjugated('have', 'had', self, tense)} ${value} ${value === 1 ? 'child' : 'children'}`
  }
  if (typeof value === 'string') {
    if (attribute === 'birthplace') return `${who} ${self ? 'were' : 'was'} born in ${value}`
    if (attribute === 'marital_status') return `${who} ${be} ${value}`
    const verb = verbWords(attribute, self, tense)
    if (verb !== undefined) return `${who} ${verb} ${valueWords(value)}`
  }
  return `${slotWords(subject, attribute)} ${conjugated('be', '', false, tense)} ${valueWords(value)}`
}

/** In the tense that the fact has at a moment (ISO 8601). */
export function clauseAt(fact: Fact, now: string): string {
  return clause(fact, tenseOf(fact, now))
}

export function tenseOf({ validFrom, validTo }: Pick<Fact, 'validFrom' | 'validTo'>, now: string): Tense {
  const at = Date.parse(now)
  if (validTo !== null && Date.parse(validTo) <= at) return 'past'
  return Date.parse(validFrom) > at ? 'future' : 'now'
}

/** "your passport deadline" */
export function slotWords(subject: string, attribute: string): string {
  return `${whose(subject)} ${plainWords(attribute)}`
}

/** After "about": "your passport deadline", "where you live", "whether you eat meat". */
export function topicWords(subject: string, attribute: string): string {
  return verbTopic(attribute, whom(subject), subject === SELF) ?? slotWords(subject, attribute)
}
