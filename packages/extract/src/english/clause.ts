/** A clause as rules see it, and the shape of a rule. */
import { type Scene, currentIn, isMany } from '../scene.ts'
import { type JsonValue, type Statement, type Times, sameValue, untimed } from '../statement.ts'
import { type ValidityFrame, readAdjunct, takeValidity } from './validity.ts'

/**
 * How a predicate is meant. "I live" affirms; "I no longer live" and "I do not live … anymore" end; "I do not live" only
 * denies; "I used to live" is past.
 */
export type Polarity = 'affirmed' | 'ended' | 'denied' | 'past'

/** "I live in Oslo", "my sister likes tea". The predicate is in plain wording, without its negation. */
export interface PersonHead {
  readonly kind: 'person'
  readonly subject: string
  readonly predicate: string
  readonly polarity: Polarity
}

/** "My passport deadline is July 15", "her birthday is May 3". */
export interface ThingHead {
  readonly kind: 'thing'
  readonly subject: string
  readonly noun: string
  readonly predicate: string
  readonly polarity: Polarity
}

/** "It moved to June 30". */
export interface PronounHead {
  readonly kind: 'pronoun'
  readonly predicate: string
  readonly polarity: Polarity
}

/** No subject that is understood: "call me Mira", "June 30". The predicate is the whole clause. */
export interface BareHead {
  readonly kind: 'bare'
  readonly predicate: string
  readonly polarity: Polarity
}

export type Head = PersonHead | ThingHead | PronounHead | BareHead

export interface Clause {
  /** The adjunct of time that stood before the subject; '' where there was none. */
  readonly lead: string
  readonly correcting: boolean
  readonly greeting: boolean
  /** The text was typed without capitals, so names may be too. */
  readonly lower: boolean
}

export type Groups = Readonly<Record<string, string | undefined>>

export interface Rule<H extends Head> {
  /** The sentence that it is for. */
  readonly says: string
  /** Matched against the whole predicate. */
  readonly pattern: RegExp
  /** What the clause states; undefined or nothing where it is not what it seemed. */
  read(groups: Groups, head: H, clause: Clause, scene: Scene): readonly Statement[] | undefined
}

/** Takes the time off a predicate and joins it with what stood before the subject. */
export function timed(
  text: string,
  clause: Clause,
  scene: Scene,
  frame: ValidityFrame,
): { readonly rest: string; readonly times: Times } | undefined {
  const found = takeValidity(text, scene, frame)
  const lead = leadOf(clause, scene, frame)
  if (found === undefined || lead === undefined) return undefined
  return { rest: found.rest, times: { from: found.times.from ?? lead.from, until: found.times.until ?? lead.until } }
}

/** The times that stood before the subject; undefined where they make no sense with such a predicate. */
export function leadOf(clause: Clause, scene: Scene, frame: ValidityFrame = HAPPENED): Times | undefined {
  return clause.lead === '' ? untimed : readAdjunct(clause.lead, scene, frame)
}

export const PRESENT: ValidityFrame = { point: 'none', lean: 'nearest', duration: 'ahead' }
export const PERFECT: ValidityFrame = { point: 'none', lean: 'past', duration: 'back' }
export const HAPPENED: ValidityFrame = { point: 'starts', lean: 'past', duration: 'ahead' }
export const COMING: ValidityFrame = { point: 'starts', lean: 'coming', duration: 'ahead' }

/** What a predicate about one value states, by its polarity. */
export function state(
  head: PersonHead | ThingHead,
  attribute: string,
  value: JsonValue,
  times: Times | undefined,
  scene: Scene,
  confidence = 0.9,
): readonly Statement[] {
  if (times === undefined) return []
  const slot = { subject: head.subject, attribute }
  if (head.polarity === 'affirmed') return [{ ...slot, value, ended: false, ...times, confidence }]
  const known = currentIn(scene, slot)
  const held = known.find(fact => sameValue(fact.value, value))
  // A denial ends only what memory holds: "I do not live in Paris" tells nothing to somebody who never said so.
  if (held === undefined && head.polarity !== 'ended') return []
  if (held === undefined && known.length > 0 && !isMany(scene, attribute)) return []
  if (times.until !== null && head.polarity !== 'past') return []
  const from = head.polarity === 'past' ? times.until : times.from
  return [
    { ...slot, value: isMany(scene, attribute) ? (held?.value ?? value) : null, ended: true, from, until: null, confidence },
  ]
}
