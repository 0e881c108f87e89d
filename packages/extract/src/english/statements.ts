/**
 * Statements about what one has: "My passport deadline is July 15, 2026", "My sister's name is Ann", "My lease ends in May".
 *
 * Any "my <noun phrase>" may be a date; words and names only for nouns that are known to have them (`nouns.ts`).
 */
import { currentIn } from '../scene.ts'
import { untimed } from '../statement.ts'
import { type BareHead, PRESENT, type Rule, type ThingHead, leadOf, state, timed } from './clause.ts'
import { readDateValue } from './date-value.ts'
import { nounEntry, plainNoun, snakeCase } from './nouns.ts'
import { isRelation } from './people.ts'
import { readAs } from './slot-value.ts'
import { readList, readThing } from './values.ts'

/** "My lease ends on May 31" speaks of the end of the lease. */
const EVENTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:expires?|runs out|is valid until|is valid through|will expire)/u, 'expiry'],
  [/^(?:ends?|closes?|will end)/u, 'end'],
  [/^(?:starts?|begins?|opens?|will start|will begin)/u, 'start'],
  [/^(?:departs?|leaves?|takes off|will depart|will leave)/u, 'departure'],
  [/^(?:arrives?|lands?|will arrive)/u, 'arrival'],
  [/^is due/u, 'due_date'],
]

export const statements: readonly Rule<ThingHead>[] = [
  {
    says: 'My lease ends on May 31',
    pattern:
      /^(?<verb>expires?|runs out|is valid until|is valid through|ends?|closes?|starts?|begins?|opens?|departs?|leaves?|takes off|arrives?|lands?|is due|will (?:expire|end|start|begin|depart|leave|arrive))(?: again| out)? (?<rest>.+)$/u,
    read({ verb = '', rest = '' }, head, clause, scene) {
      const noun = plainNoun(head.noun)
      const event = EVENTS.find(([pattern]) => pattern.test(verb))?.[1]
      if (noun === undefined || event === undefined || nounEntry(head.noun) === undefined || head.polarity !== 'affirmed')
        return undefined
      const attribute = `${snakeCase(noun)}_${event}`
      const value = readDateValue(rest, attribute, currentIn(scene, { subject: head.subject, attribute }).at(-1)?.value, scene)
      return value === undefined ? undefined : state(head, attribute, value, leadOf(clause, scene), scene)
    },
  },
  {
    says: 'My passport deadline is July 15, 2026',
    pattern:
      /^(?<be>is|are|was|falls|will be|takes place|has been set|is set|is scheduled|is planned)(?: now| actually| currently| still| officially)*(?: (?:on|for|due|due on|due by|set for|scheduled for|planned for|booked for))? (?<rest>.+)$/u,
    read({ be = '', rest = '' }, head, clause, scene) {
      const entry = nounEntry(head.noun)
      // "My sister is on July 15" is no statement; nor does a sister hold a date.
      if (entry === undefined || isRelation(head.noun)) return undefined
      if (entry.value !== 'date' && !/(?:number|seat)$/u.test(head.noun)) return undefined
      const found = timed(withoutContrast(rest), clause, scene, PRESENT)
      const former = currentIn(scene, { subject: head.subject, attribute: entry.attribute }).at(-1)?.value
      const lean = be === 'was' || entry.attribute === 'birthday' ? 'past' : 'coming'
      const value = found && readDateValue(found.rest, entry.attribute, former, scene, lean)
      // What was on a day past is history without bounds.
      return found && value !== undefined && be !== 'was' ? state(head, entry.attribute, value, found.times, scene) : undefined
    },
  },
  {
    says: 'My hobbies are chess and hiking',
    pattern: /^(?:is|are|include|includes)(?: now)? (?<rest>.+)$/u,
    read({ rest = '' }, head, clause, scene) {
      const entry = nounEntry(head.noun)
      const things = entry?.value === 'things' ? readList(rest, part => readThing(part)) : undefined
      return entry && things?.flatMap(thing => state(head, entry.attribute, thing, leadOf(clause, scene), scene))
    },
  },
  {
    says: "My sister's name is Ann",
    pattern: /^(?:is|are)(?: now| actually| currently| still| called)* (?<rest>.+)$/u,
    read({ rest = '' }, head, clause, scene) {
      const entry = nounEntry(head.noun)
      if (entry === undefined) return undefined
      // "My email is mira@example.com as of today": the time comes off, unless the value has numbers of its own.
      const plain = withoutContrast(rest)
      const found = ['digits', 'count'].includes(entry.value)
        ? { rest: plain, times: leadOf(clause, scene) ?? untimed }
        : timed(plain, clause, scene, PRESENT)
      // "A Dell from 2018" was not had since 2018.
      if (entry.value === 'thing' && found?.times.from !== null) return undefined
      const value = found && readAs(entry.value, found.rest, clause)
      return found && value !== undefined ? state(head, entry.attribute, value, found.times, scene) : undefined
    },
  },
]

export const bareStatements: readonly Rule<BareHead>[] = [
  {
    says: 'Blue is my favorite color',
    pattern: /^(?<value>.{2,60}?) (?:is|are) (?:still |now )?my (?:all[- ]time )?(?<noun>favorite [\p{L} ]{3,30})$/u,
    read({ value = '', noun = '' }, _head, clause, scene) {
      const entry = nounEntry(noun.replace(/s$/u, ''))
      const read = entry?.value === 'any' ? readAs('any', value, clause) : undefined
      return entry && read !== undefined
        ? state(
            { kind: 'person', subject: 'user', predicate: '', polarity: 'affirmed' },
            entry.attribute,
            read,
            leadOf(clause, scene),
            scene,
          )
        : undefined
    },
  },
]

/** "June 30, not July 15": what it is not was never stored, or is replaced. */
function withoutContrast(text: string): string {
  return text.replace(/^not .+? but (?:rather )?/u, '').replace(/,? (?:and |but )?(?:not|instead of|rather than) .+$/u, '')
}
