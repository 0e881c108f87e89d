/** Names: "Call me Mira", "My name is Mira", "I go by Mira", "I have a sister named Ann". */
import { type BareHead, HAPPENED, type PersonHead, type Rule, leadOf, state, timed } from './clause.ts'
import { RELATION, isRelation, relationOf } from './people.ts'
import { readName } from './values.ts'

/** "My boss is Norwegian" tells no name. */
const DEMONYM =
  /(?:^(?:american|brit|british|scottish|welsh|irish|english|french|german|dutch|danish|swedish|norwegian|finnish|polish|czech|greek|turkish|spanish|portuguese|swiss|italian|russian|ukrainian|indian|chinese|japanese|korean|thai|vietnamese|canadian|australian|austrian|belgian|brazilian|mexican|hungarian|romanian|bulgarian|croatian|serbian|iranian|egyptian|nigerian|kenyan|african|asian|european|israeli|iraqi|pakistani|catholic|protestant|christian|muslim|jewish|buddhist|hindu|orthodox|republican|democrat|gemini|leo|virgo|libra|aries|taurus|scorpio|pisces|capricorn|aquarius)|ese)$/iu

export const names: readonly Rule<PersonHead>[] = [
  {
    says: 'I go by Mira',
    pattern: /^(?:goes by|go by|(?:am|is) (?:called|named|known as)|prefers? (?:to be called|being called)) (?<rest>.+)$/iu,
    read({ rest = '' }, head, clause, scene) {
      const name = readName(withoutRest(rest), clause.lower)
      return name === undefined ? undefined : state(head, 'name', name, leadOf(clause, scene), scene)
    },
  },
  {
    says: 'I changed my name to Mira last year',
    pattern:
      /^(?:have |has )?(?:legally |officially )?changed (?:my|her|his) (?<which>first |last )?name (?:from .+? )?to (?<rest>.+)$/iu,
    read({ which, rest = '' }, head, clause, scene) {
      const found = timed(rest, clause, scene, HAPPENED)
      const name = found && readName(found.rest, clause.lower)
      return found && name && head.polarity === 'affirmed'
        ? state(head, which === 'last ' ? 'last_name' : 'name', name, found.times, scene)
        : undefined
    },
  },
  {
    says: 'Hi, I am Mira',
    pattern: /^(?:am|is)(?: now)? (?<rest>\p{Lu}\S*(?: \p{Lu}\S*){0,2})$/u,
    read({ rest = '' }, head, clause, scene) {
      const name = readName(rest)
      // Without a greeting "I am X" may be anything that X is; "my boss is X" is mostly a name.
      const introduces = head.subject === 'user' ? clause.greeting : isRelation(head.subject)
      return name === undefined || !introduces || DEMONYM.test(name) || head.polarity !== 'affirmed'
        ? undefined
        : state(head, 'name', name, leadOf(clause, scene), scene, 0.8)
    },
  },
  {
    says: 'I have a sister named Ann',
    pattern: new RegExp(
      `^(?:have|has|have got|got) (?:an?|one) (?<relation>(?:\\p{L}+ )?(?:${RELATION}))(?: who is)?,? (?:named|called|whose name is) (?<rest>.+)$`,
      'u',
    ),
    read({ relation = '', rest = '' }, head, clause, scene) {
      const subject = relationOf(relation)
      const name = readName(withoutRest(rest), clause.lower)
      if (subject === undefined || name === undefined || head.subject !== 'user' || head.polarity !== 'affirmed') return undefined
      return state({ ...head, subject }, 'name', name, leadOf(clause, scene), scene)
    },
  },
]

export const callMe: readonly Rule<BareHead>[] = [
  {
    says: 'Call me Mira',
    pattern:
      /^(?:(?:please|just|you (?:can|may|should)|everyone|everybody|people|friends|my friends|most people|from now on,?) )*calls? me (?<rest>.+)$/iu,
    read({ rest = '' }, _head, clause, scene) {
      // Here small letters are no name: "call me later".
      const name = readName(withoutRest(rest))
      return name === undefined
        ? undefined
        : state(
            { kind: 'person', subject: 'user', predicate: '', polarity: 'affirmed' },
            'name',
            name,
            leadOf(clause, scene),
            scene,
          )
    },
  },
]

/** "Mira, not Miranda", "Mira from now on". */
function withoutRest(text: string): string {
  return text
    .replace(/,? (?:not|instead of|rather than) .+$/iu, '')
    .replace(/,? (?:please|from now on|instead|for short|now|by the way)$/iu, '')
}
