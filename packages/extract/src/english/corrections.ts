/**
 * Corrections and changes of what was talked about: "Actually it moved to June 30", "It changed to X", "No, I meant X".
 *
 * "It" is the last topic that can hold the new value: what this text said, else the texts before, else the fact that
 * memory learned last. "It moved" is a change in the world; "I meant" takes the place of what was said by mistake.
 */
import { makeDay } from '../calendar.ts'
import { type Scene, type Topic, currentIn, isMany } from '../scene.ts'
import { type JsonValue, type Slot, type Statement, type Times, sameValue, untimed } from '../statement.ts'
import { type BareHead, type Clause, type Groups, HAPPENED, PRESENT, type PersonHead, type PronounHead, type Rule, type ThingHead, leadOf, timed } from './clause.ts'
import { isDateValue, readDateValue } from './date-value.ts'
import { nounEntry } from './nouns.ts'
import { readForSlot } from './slot-value.ts'

const CHANGED = String.raw`^(?:(?:has|was|got|is|have|had|were|gets)(?: now| just| been| since| again)* )?(?:moved|changed|pushed|postponed|rescheduled|shifted|slipped|delayed|extended|brought forward|put off|updated|switched|set|bumped|renamed)(?: back| forward| up| out| again)*(?: from (?<old>.+?))? (?:to|until|till|for) (?<rest>.+)$`
const CANCELLED = /^(?:(?:was|is|got|has been|is now) (?:cancell?ed|called off|off|gone|over|void|obsolete)|is no more|no longer (?:exists|applies|counts))$/u

export const thingChanges: readonly Rule<ThingHead>[] = [
  {
    says: 'My passport deadline moved to June 30',
    pattern: new RegExp(CHANGED, 'iu'),
    read({ rest = '' }, head, clause, scene) {
      const entry = nounEntry(head.noun)
      if (entry === undefined || head.polarity !== 'affirmed' || isMany(scene, entry.attribute)) return undefined
      const slot = { subject: head.subject, attribute: entry.attribute }
      return change(slot, formerOf(slot, scene), rest, clause, scene, 0.9)
    },
  },
  {
    says: 'My dentist appointment was cancelled',
    pattern: CANCELLED,
    read(_groups, head, clause, scene) {
      const entry = nounEntry(head.noun)
      const slot = entry && { subject: head.subject, attribute: entry.attribute }
      const holds = slot !== undefined && formerOf(slot, scene) !== undefined
      return slot && holds ? [{ ...slot, value: null, ended: true, ...(leadOf(clause, scene) ?? untimed), confidence: 0.85 }] : undefined
    },
  },
]

export const pronounChanges: readonly Rule<PronounHead>[] = [
  {
    says: 'It moved to June 30',
    pattern: new RegExp(CHANGED, 'iu'),
    read({ rest = '' }, head, clause, scene) {
      return head.polarity === 'affirmed' ? resolve(rest, clause, scene, false) : undefined
    },
  },
  {
    says: 'It is June 30 now',
    pattern: /^(?:is|was)(?: supposed to be| meant to be)?(?<marked>(?: (?:now|actually|currently|really|in fact))*)(?: (?:on|due))? (?<rest>.+?)(?<after> (?:now|instead|actually))?$/iu,
    read({ marked = '', rest = '', after = '' }, head, clause, scene) {
      // "It is Friday" says what day it is; "actually it is Friday" corrects.
      if (head.polarity !== 'affirmed' || !(clause.correcting || /^(?:now|currently|as of)\b/iu.test(clause.lead) || marked !== '' || after !== '' || /^not .+ but /iu.test(rest) || /, not /iu.test(rest))) return undefined
      return resolve(rest, clause, scene, false)
    },
  },
  {
    says: 'It was cancelled',
    pattern: CANCELLED,
    read(_groups, _head, clause, scene) {
      const topic = scene.topics.at(-1)
      if (topic?.attribute === undefined || topic.value === undefined || isMany(scene, topic.attribute)) return undefined
      return [{ subject: topic.subject, attribute: topic.attribute, value: null, ended: true, ...(leadOf(clause, scene) ?? untimed), confidence: 0.8 }]
    },
  },
]

/** Somebody changes it: "they moved it to June 30", "I rescheduled my dentist appointment to June 3". */
const MADE = String.raw`(?:have |has |had to |just )*(?<verb>moved|changed|pushed|postponed|rescheduled|extended|switched|updated) (?<thing>it|that|(?:my|the|our) [\p{L}][\p{L}' -]{1,50}?)(?: back| forward| out)?(?: from .+?)? to (?<rest>.+)$`

function made(groups: Groups, clause: Clause, scene: Scene): readonly Statement[] | undefined {
  const { verb = '', thing = '', rest = '' } = groups
  // A car is moved to Oslo; only what is moved to a day is changed by it.
  if (!/^(?:changed|switched|updated)$/iu.test(verb) && readDateValue(rest, '', undefined, scene) === undefined) return undefined
  if (/^(?:it|that)$/iu.test(thing)) return resolve(rest, clause, scene, false)
  const entry = /^the /iu.test(thing) ? undefined : nounEntry(thing.replace(/^(?:my|our) /iu, ''))
  if (entry === undefined || isMany(scene, entry.attribute)) return undefined
  const slot = { subject: 'user', attribute: entry.attribute }
  return change(slot, formerOf(slot, scene), rest, clause, scene, 0.85)
}

const MEANT = /^(?:meant(?: to (?:say|write|type))?|should have said|mean) (?<rest>.+)$/iu

export const personCorrections: readonly Rule<PersonHead>[] = [
  {
    says: 'I rescheduled my dentist appointment to June 3',
    pattern: new RegExp(`^${MADE}`, 'u'),
    read: (groups, head, clause, scene) => (head.polarity === 'affirmed' ? made(groups, clause, scene) : undefined),
  },
  {
    says: 'No, I meant June 30',
    pattern: MEANT,
    read({ rest = '' }, head, clause, scene) {
      return head.subject === 'user' && head.polarity === 'affirmed' ? resolve(rest.replace(/^(?:it (?:is|was) |that (?:is|was) )/iu, ''), clause, scene, true) : undefined
    },
  },
]

export const bareCorrections: readonly Rule<BareHead>[] = [
  {
    says: 'They moved it to June 30',
    pattern: new RegExp(`^(?:[Tt]hey|[Tt]he [\\p{L} ]{2,30}?) ${MADE}`, 'u'),
    read: (groups, _head, clause, scene) => made(groups, clause, scene),
  },
  {
    says: 'Make it June 30',
    pattern: /^(?:please )?(?:make it|make that|set it to|set that to|change it to|change that to|update it to) (?<rest>.+)$/iu,
    read: ({ rest = '' }, _head, clause, scene) => resolve(rest, clause, scene, false),
  },
  {
    says: 'Moved to June 30',
    pattern: new RegExp(CHANGED, 'u'),
    read: ({ rest = '' }, _head, clause, scene) => (clause.correcting ? resolve(rest, clause, scene, false) : undefined),
  },
  {
    says: 'Sorry, June 30',
    pattern: /^(?<rest>.+)$/u,
    read: ({ rest = '' }, _head, clause, scene) => ((clause.correcting || /^not .+ but /iu.test(rest)) && rest.split(' ').length <= 8 ? resolve(rest, clause, scene, true) : undefined),
  },
]

/** States the new value in the slot talked about last, if the words are a value for it. */
function resolve(text: string, clause: Clause, scene: Scene, mistake: boolean): readonly Statement[] | undefined {
  const talked = scene.topics.toReversed()
  for (const topic of talked) {
    // Something else was talked about last, and what it was is not known.
    if (topic.attribute === undefined) return undefined
    const slot: Slot = { subject: topic.subject, attribute: topic.attribute }
    const former = topic.value ?? formerOf(slot, scene)
    if (!mistake && isMany(scene, slot.attribute)) continue
    const found = change(slot, former, text, clause, scene, 0.85)
    if (found !== undefined) return mistake && former !== undefined ? found.map(said => ({ ...said, value: sameDay(said.value, former), instead: former })) : found
    // A date is not corrected past a slot of another kind that was the last word.
    if (mistake) return undefined
  }
  if (talked.length > 0) return undefined
  const topic = lastLearned(text, scene)
  return topic === undefined ? undefined : change(topic, topic.value, text, clause, scene, 0.7)
}

/** "I meant June, not July" leaves the day as it was. */
function sameDay(value: JsonValue, former: JsonValue): JsonValue {
  if (typeof value !== 'string' || !/^\d{4}-\d\d$/u.test(value) || typeof former !== 'string' || !/^\d{4}-\d\d-\d\d$/u.test(former)) return value
  return makeDay(Number(value.slice(0, 4)), Number(value.slice(5)), Number(former.slice(8))) ?? value
}

function change(slot: Slot, former: JsonValue | undefined, text: string, clause: Clause, scene: Scene, confidence: number): readonly Statement[] | undefined {
  const words = text.replace(/^not .+? but (?:rather )?/iu, '').replace(/,? (?:and |but )?(?:not|instead of|rather than|from) .+$/iu, '').replace(/,? (?:instead|please|now|thanks)$/iu, '')
  const whole = readForSlot(slot.attribute, former, words, clause, scene)
  if (whole !== undefined) return stated(slot, whole, leadOf(clause, scene), confidence)
  const found = timed(words, clause, scene, isDateValue(former) ? PRESENT : HAPPENED)
  const value = found && readForSlot(slot.attribute, former, found.rest, clause, scene)
  return found && value !== undefined ? stated(slot, value, found.times, confidence) : undefined
}

function stated(slot: Slot, value: JsonValue, times: Times | undefined, confidence: number): readonly Statement[] | undefined {
  return times === undefined ? undefined : [{ ...slot, value, ended: false, ...times, confidence }]
}

function formerOf(slot: Slot, scene: Scene): JsonValue | undefined {
  return currentIn(scene, slot).at(-1)?.value ?? scene.topics.findLast(topic => topic.subject === slot.subject && topic.attribute === slot.attribute)?.value
}

/** Where nothing was talked about: the fact learned last if it fits, or the only date there is. */
function lastLearned(text: string, scene: Scene): (Topic & Slot) | undefined {
  const isDate = readDateValue(text.replace(/,? (?:not|instead) .*$/iu, ''), '', undefined, scene) !== undefined
  const last = scene.current.at(-1)
  const fitting = scene.current.filter(fact => isDateValue(fact.value) && !isMany(scene, fact.attribute))
  const dates = new Set(fitting.map(fact => `${fact.subject} ${fact.attribute}`))
  const chosen = last !== undefined && isDateValue(last.value) === isDate && !isMany(scene, last.attribute) ? last : isDate && dates.size === 1 ? fitting.at(-1) : undefined
  return chosen === undefined || (!isDate && sameValue(chosen.value, text)) ? undefined : { subject: chosen.subject, attribute: chosen.attribute, value: chosen.value }
}
