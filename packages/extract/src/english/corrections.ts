/**
 * Corrections and changes of what was talked about: "Actually it moved to June 30", "It changed to X", "No, I meant X".
 *
 * "It moved" is a change in the world; "I meant" takes the place of what was said by mistake.
 */
import { isMany } from '../scene.ts'
import { untimed } from '../statement.ts'
import { type BareHead, type PersonHead, type PronounHead, type Rule, type ThingHead, leadOf } from './clause.ts'
import { nounEntry } from './nouns.ts'
import { change, formerOf, made, resolve } from './resolve.ts'

const CHANGED = String.raw`^(?:(?:has|was|got|is|have|had|were|gets)(?: now| just| been| since| again)* )?(?:moved|changed|pushed|postponed|rescheduled|shifted|slipped|delayed|extended|brought forward|put off|updated|switched|set|bumped|renamed)(?: back| forward| up| out| again)*(?: from (?<old>.+?))? (?:to|until|till|for) (?<rest>.+)$`
const CANCELLED = /^(?:(?:was|is|got|has been|is now) (?:cancell?ed|called off|off|gone|over|void|obsolete)|is no more)$/u

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
      const holds = slot !== undefined && head.polarity === 'affirmed' && formerOf(slot, scene) !== undefined
      return slot && holds
        ? [{ ...slot, value: null, ended: true, ...(leadOf(clause, scene) ?? untimed), confidence: 0.85 }]
        : undefined
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
    pattern:
      /^(?:is|was)(?: supposed to be| meant to be)?(?<marked>(?: (?:now|actually|currently|really|in fact))*)(?: (?:on|due))? (?<rest>.+?)(?<after> (?:now|instead|actually))?$/iu,
    read({ marked = '', rest = '', after = '' }, head, clause, scene) {
      // "It is Friday" says what day it is; "actually it is Friday" corrects.
      if (
        head.polarity !== 'affirmed' ||
        !(
          clause.correcting ||
          /^(?:now|currently|as of)\b/iu.test(clause.lead) ||
          marked !== '' ||
          after !== '' ||
          /^not .+ but /iu.test(rest) ||
          /, not /iu.test(rest)
        )
      )
        return undefined
      return resolve(rest, clause, scene, false)
    },
  },
  {
    says: 'It was cancelled',
    pattern: CANCELLED,
    read(_groups, head, clause, scene) {
      const topic = scene.topics.at(-1)
      if (
        head.polarity !== 'affirmed' ||
        topic?.attribute === undefined ||
        topic.value === undefined ||
        isMany(scene, topic.attribute)
      )
        return undefined
      return [
        {
          subject: topic.subject,
          attribute: topic.attribute,
          value: null,
          ended: true,
          ...(leadOf(clause, scene) ?? untimed),
          confidence: 0.8,
        },
      ]
    },
  },
]

/** Somebody changes it: "they moved it to June 30", "I rescheduled my dentist appointment to June 3". */
const MADE = String.raw`(?:have |has |had to |just )*(?<verb>moved|changed|pushed|postponed|rescheduled|extended|switched|updated) (?<thing>it|that|(?:my|the|our) [\p{L}][\p{L}' -]{1,50}?)(?: back| forward| out)?(?: from .+?)? to (?<rest>.+)$`

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
      return head.subject === 'user' && head.polarity === 'affirmed'
        ? resolve(rest.replace(/^(?:it (?:is|was) |that (?:is|was) )/iu, ''), clause, scene, true)
        : undefined
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
    read: ({ rest = '' }, _head, clause, scene) =>
      (clause.correcting || /^not .+ but /iu.test(rest)) && rest.split(' ').length <= 8
        ? resolve(rest, clause, scene, true)
        : undefined,
  },
]
