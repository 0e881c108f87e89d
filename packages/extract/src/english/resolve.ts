/**
 * Which slot "it" is. It is the last topic that can hold the new value: what this text said, else the texts before, else
 * the fact that memory learned last.
 */
import { makeDay } from '../calendar.ts'
import { type Scene, type Topic, currentIn, isMany } from '../scene.ts'
import { type JsonValue, type Slot, type Statement, type Times, sameValue } from '../statement.ts'
import { type Clause, type Groups, HAPPENED, PRESENT, leadOf, timed } from './clause.ts'
import { isDateValue, readDateValue } from './date-value.ts'
import { nounEntry } from './nouns.ts'
import { readForSlot } from './slot-value.ts'

/** States the new value in the slot talked about last, if the words are a value for it. */
export function resolve(text: string, clause: Clause, scene: Scene, mistake: boolean): readonly Statement[] | undefined {
  const talked = scene.topics.toReversed()
  for (const topic of talked) {
    // Something else was talked about last, and what it was is not known.
    if (topic.attribute === undefined) return undefined
    const slot: Slot = { subject: topic.subject, attribute: topic.attribute }
    const former = topic.value ?? formerOf(slot, scene)
    if (!mistake && isMany(scene, slot.attribute)) continue
    const found = change(slot, former, text, clause, scene, 0.85)
    if (found !== undefined)
      return mistake && former !== undefined
        ? found.map(said => ({ ...said, value: sameDay(said.value, former), instead: former }))
        : found
    // A date is not corrected past a slot of another kind that was the last word.
    if (mistake) return undefined
  }
  if (talked.length > 0) return undefined
  const topic = lastLearned(text, scene)
  return topic === undefined ? undefined : change(topic, topic.value, text, clause, scene, 0.7)
}

/** "I meant June, not July" leaves the day as it was. */
function sameDay(value: JsonValue, former: JsonValue): JsonValue {
  if (
    typeof value !== 'string' ||
    !/^\d{4}-\d\d$/u.test(value) ||
    typeof former !== 'string' ||
    !/^\d{4}-\d\d-\d\d$/u.test(former)
  )
    return value
  return makeDay(Number(value.slice(0, 4)), Number(value.slice(5)), Number(former.slice(8))) ?? value
}

export function change(
  slot: Slot,
  former: JsonValue | undefined,
  text: string,
  clause: Clause,
  scene: Scene,
  confidence: number,
): readonly Statement[] | undefined {
  const words = text
    .replace(/^not .+? but (?:rather )?/iu, '')
    .replace(/,? (?:and |but )?(?:not|instead of|rather than|from) .+$/iu, '')
    .replace(/,? (?:instead|please|now|thanks)$/iu, '')
  const whole = readForSlot(slot.attribute, former, words, clause, scene)
  if (whole !== undefined) return stated(slot, whole, leadOf(clause, scene), confidence)
  const found = timed(words, clause, scene, isDateValue(former) ? PRESENT : HAPPENED)
  const value = found && readForSlot(slot.attribute, former, found.rest, clause, scene)
  return found && value !== undefined ? stated(slot, value, found.times, confidence) : undefined
}

function stated(slot: Slot, value: JsonValue, times: Times | undefined, confidence: number): readonly Statement[] | undefined {
  return times === undefined ? undefined : [{ ...slot, value, ended: false, ...times, confidence }]
}

export function formerOf(slot: Slot, scene: Scene): JsonValue | undefined {
  return (
    currentIn(scene, slot).at(-1)?.value ??
    scene.topics.findLast(topic => topic.subject === slot.subject && topic.attribute === slot.attribute)?.value
  )
}

/** Where nothing was talked about: the fact learned last if it fits, or the only date there is. */
function lastLearned(text: string, scene: Scene): (Topic & Slot) | undefined {
  const isDate = readDateValue(text.replace(/,? (?:not|instead) .*$/iu, ''), '', undefined, scene) !== undefined
  const last = scene.current.at(-1)
  const fitting = scene.current.filter(fact => isDateValue(fact.value) && !isMany(scene, fact.attribute))
  const dates = new Set(fitting.map(fact => `${fact.subject} ${fact.attribute}`))
  const chosen =
    last !== undefined && isDateValue(last.value) === isDate && !isMany(scene, last.attribute)
      ? last
      : isDate && dates.size === 1
        ? fitting.at(-1)
        : undefined
  return chosen === undefined || (!isDate && sameValue(chosen.value, text))
    ? undefined
    : { subject: chosen.subject, attribute: chosen.attribute, value: chosen.value }
}

/** What somebody makes of it, or of "my <noun>": the groups are `verb`, `thing` and `rest`. */
export function made(groups: Groups, clause: Clause, scene: Scene): readonly Statement[] | undefined {
  const { verb = '', thing = '', rest = '' } = groups
  // A car is moved to Oslo; only what is moved to a day is changed by it.
  if (!/^(?:changed|switched|updated)$/iu.test(verb) && readDateValue(rest, '', undefined, scene) === undefined) return undefined
  if (/^(?:it|that)$/iu.test(thing)) return resolve(rest, clause, scene, false)
  const entry = /^the /iu.test(thing) ? undefined : nounEntry(thing.replace(/^(?:my|our) /iu, ''))
  if (entry === undefined || isMany(scene, entry.attribute)) return undefined
  const slot = { subject: 'user', attribute: entry.attribute }
  return change(slot, formerOf(slot, scene), rest, clause, scene, 0.85)
}
