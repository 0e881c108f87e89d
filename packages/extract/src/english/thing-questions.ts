/** Questions about what somebody has: "When is my passport deadline?", "How has it changed?", "Is my name Mira?". */
import { readDateValue } from './date-value.ts'
import { isDatedNoun, nounEntry, plainNoun, snakeCase } from './nouns.ts'
import { relationOf } from './people.ts'
import { type Asked, BE, NOUN, type QuestionRule, rule } from './question-rule.ts'
import { bare } from './values.ts'

export const thingQuestions: readonly QuestionRule[] = [
  rule(
    'How has my passport deadline changed',
    `(?:how|when|why|how often|how many times) (?:has|did|have|was) ${NOUN} (?:been )?(?:changed?|moved?|evolved?|developed?|updated)`,
    ({ noun = '' }) => named(noun, { history: true }),
  ),
  rule(
    'Has my passport deadline changed',
    `(?:has|did|have) ${NOUN} (?:ever )?(?:been )?(?:changed?|moved?|updated)`,
    ({ noun = '' }) => named(noun, { history: true }),
  ),
  rule(
    'The history of my passport deadline',
    `(?:what is |show |show me |give me )?(?:the )?history of ${NOUN}`,
    ({ noun = '' }) => named(noun, { history: true }),
  ),
  rule(
    'When does my passport expire',
    `(?:when|what day|on what day|what time|at what time) (?:do|does|did|will) ${NOUN} (?<verb>expire|run out|end|start|begin|open|close|depart|leave|arrive|land|take place)`,
    ({ noun = '', verb = '' }) => happening(noun, verb),
  ),
  rule('When is my rent due', `when ${BE} ${NOUN} due`, ({ noun = '' }) => happening(noun, 'due')),
  rule(
    'When is my passport deadline',
    `(?:when|what|what date|what day|on what day|on what date|what time|at what time) ${BE} ${NOUN}(?: (?:on|set to|set for|at|due))?`,
    ({ noun = '' }) => named(noun),
  ),
  rule('Tell me when my passport deadline is', `(?:when|what) ${NOUN} ${BE}`, ({ noun = '' }) => named(noun)),
  rule('Tell me my passport deadline', NOUN, ({ noun = '' }) => named(noun)),
  rule('Where is my car', `where ${BE} ${NOUN}`, ({ noun = '' }) => {
    const asked = named(noun)
    return asked && { ...asked, ifKnown: true }
  }),
]

/** About a value that something may have. Here capitals count: they show where the value begins. */
export const valueQuestions: readonly QuestionRule[] = [
  {
    says: 'Is my passport deadline July 15',
    pattern: new RegExp(
      `^(?:[Ii]s|[Ww]as|[Aa]re) ${NOUN}(?: still| now)?(?: (?:on|set for|set to))? (?<what>(?:the )?(?:\\p{Lu}|\\d).{1,40}|[\\p{Ll}\\p{Lo}]{3,20})$`,
      'u',
    ),
    read({ noun = '', what = '' }, scene) {
      const asked = named(noun)
      const attribute = asked?.attributes[0]
      if (
        asked === undefined ||
        attribute === undefined ||
        /^(?:on|at|due|called|again|now|soon|late|over|still|before|changed|moved)$/u.test(what)
      )
        return undefined
      return { ...asked, value: readDateValue(what, attribute, undefined, scene) ?? bare(what), ifKnown: true }
    },
  },
]

/** The noun phrase without its owner: "my sister's birthday" is a birthday, "my passport's deadline" is not one. */
export function nounOf(phrase: string): string {
  const owned = /^(?:(?:my|our) (?<relation>[\p{L} -]+)|\p{Lu}[\p{L}\p{M}-]*)'s (?<noun>.+)$/u.exec(phrase)?.groups
  if (owned?.noun !== undefined && (owned.relation === undefined || relationOf(owned.relation) !== undefined)) return owned.noun
  return phrase
    .replace(/^(?:my|our|her|his) /iu, '')
    .replace(/^the (?=.* (?:of|for) (?:my )?)/iu, '')
    .replace(/^the /iu, '')
}

function named(phrase: string, more: Omit<Asked, 'attributes'> = {}): Asked | undefined {
  const entry = nounEntry(nounOf(phrase))
  if (entry === undefined) return undefined
  // Of other things than these only memory can say whether they are its matter: "what is my best option for dinner?"
  const ifKnown =
    (/^the /iu.test(phrase) && !/\bmy\b/iu.test(phrase)) ||
    (entry.value === 'date' && !isDatedNoun(entry.attribute.replaceAll('_', ' ')))
  return { attributes: [entry.attribute], ...more, ...(ifKnown ? { ifKnown } : {}) }
}

function happening(phrase: string, verb: string): Asked | undefined {
  const noun = plainNoun(nounOf(phrase))
  if (noun === undefined) return undefined
  const base = snakeCase(noun)
  const suffix = /^(?:expire|run out)/iu.test(verb)
    ? 'expiry'
    : /^(?:end|close)/iu.test(verb)
      ? 'end'
      : /^due/iu.test(verb)
        ? 'due_date'
        : /^(?:depart|leave)/iu.test(verb)
          ? 'departure'
          : /^(?:arrive|land)/iu.test(verb)
            ? 'arrival'
            : 'start'
  return { attributes: suffix === 'expiry' ? [`${base}_expiry`, `${base}_deadline`] : [`${base}_${suffix}`, base] }
}
