/**
 * Question rules: "Where do I live?", "When is my passport deadline?", "Do I eat meat?".
 *
 * `who` is the person asked about, `noun` a noun phrase after "my", `what` a value. A rule names the attributes that the
 * answer may stand under.
 */
import { readDateValue } from './date-value.ts'
import { isDatedNoun, nounEntry, plainNoun, snakeCase } from './nouns.ts'
import { relationOf } from './people.ts'
import type { Scene } from '../scene.ts'
import type { JsonValue } from '../statement.ts'
import type { Groups } from './clause.ts'
import { bare, readThing } from './values.ts'

export interface Asked {
  readonly attributes: readonly string[]
  readonly value?: JsonValue
  /** All there was is asked for, whatever the tense. */
  readonly history?: boolean
  /** It does not change, so "when was I born?" asks for now. */
  readonly timeless?: boolean
  /** It is only a question to memory if memory has it. */
  readonly ifKnown?: boolean
}

export interface QuestionRule {
  readonly says: string
  readonly pattern: RegExp
  read(groups: Groups, scene: Scene): Asked | undefined
}

/** A person: "I", "my sister", "my friend Bob", "she", "Ann". */
const WHO = "(?<who>i|we|she|he|my [\\p{L}' -]{2,40}?|\\p{L}[\\p{L}\\p{M}'-]*)"
/** "My passport deadline", "my sister's birthday", "the deadline for my passport". */
const NOUN = "(?<noun>(?:my|our|her|his|the|\\p{L}[\\p{L}\\p{M}-]*'s) [\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}' /-]{1,60}?)"
const BE = '(?:is|was|are|were|am|will be|has been)'
const DO = '(?:do|does|did)'

const rule = (says: string, pattern: string, read: QuestionRule['read']): QuestionRule => ({
  says,
  pattern: new RegExp(`^${pattern}$`, 'iu'),
  read,
})
const fixed = (
  says: string,
  pattern: string,
  attributes: readonly string[],
  more: Omit<Asked, 'attributes'> = {},
): QuestionRule => rule(says, pattern, () => ({ attributes, ...more }))

/** About a person. */
export const personQuestions: readonly QuestionRule[] = [
  fixed('Where have I lived', `where (?:have|has) ${WHO} (?:lived|been living)`, ['lives_in'], { history: true }),
  fixed(
    'Where do I live',
    `(?:where|what|in (?:what|which) (?:city|town|country|place)) (?:${DO}|${BE}) ${WHO} (?:live|living|reside|residing|based|located)`,
    ['lives_in'],
  ),
  fixed('What city do I live in', `(?:what|which) (?:city|town|country|place|state) (?:${DO}|${BE}) ${WHO} (?:live|living) in`, [
    'lives_in',
  ]),
  fixed('Where do I work', `where (?:${DO}|${BE}|have|has) ${WHO} (?:work|working|worked|employed)`, ['employer'], {}),
  fixed('Who do I work for', `(?:who|whom|which company|what company) (?:${DO}|${BE}) ${WHO} (?:work|working) (?:for|at)`, [
    'employer',
  ]),
  fixed('Where am I from', `where (?:${BE}|${DO}) ${WHO} (?:from|come from|originally from)`, ['origin'], { timeless: true }),
  fixed('Where was I born', `where (?:was|were) ${WHO} born`, ['birthplace'], { timeless: true }),
  fixed('When was I born', `(?:when|what day|on what day|what year|in what year) (?:was|were) ${WHO} born`, ['birthday'], {
    timeless: true,
  }),
  fixed('Where do I study', `where ${DO} ${WHO} (?:study|go to (?:school|university|college))`, ['school']),
  fixed('What do I study', `what ${DO} ${WHO} study`, ['field_of_study']),
  fixed('What am I called', `what (?:is|am|are) ${WHO} (?:called|named)`, ['name']),
  fixed('What do you call me', 'what (?:do|should|can) (?:you|people|i) call me', ['name']),
  fixed('What do I do for a living', `what ${DO} ${WHO} (?:do|do for (?:a living|work)|work as)`, ['job']),
  fixed('How old am I', `how old ${BE} ${WHO}`, ['age', 'birthday']),
  fixed('How many kids do I have', `how many (?:kids|children) ${DO} ${WHO} have`, ['children_count']),
  fixed('What do I like', `what ${DO} ${WHO} (?:like|love|enjoy)(?: doing| to do| most| best)?`, ['likes']),
  rule(
    'What color do I like',
    `(?:what|which) (?:kind of |type of |sort of )?(?<what>[\\p{L} ]{2,20}) ${DO} ${WHO} (?:like|love|enjoy)(?: most| best)?`,
    ({ what = '' }) => ({
      attributes: [`favorite_${snakeCase(plainNoun(what) ?? what)}`, 'likes'],
    }),
  ),
  fixed(
    'What do I hate',
    `(?:what|which) (?:[\\p{L} ]{2,20} )?(?:${DO}(?: not)?|can(?: not)?) ${WHO} (?:hate|dislike|not like|not stand|stand)`,
    ['dislikes'],
  ),
  fixed('What do I not like', `(?:what|which) (?:[\\p{L} ]{2,20} )?(?:do|does) not ${WHO} (?:like|enjoy)`, ['dislikes']),
  fixed('What do I prefer', `(?:what|which) (?:[\\p{L} ]{2,20} )?${DO} ${WHO} prefer`, ['prefers']),
  fixed('What am I allergic to', `what ${BE} ${WHO} allergic to`, ['allergies']),
  fixed('What languages do I speak', `(?:what|which|how many) (?:languages? )?${DO} ${WHO} speak`, ['speaks']),
  rule('Do I eat meat', `${DO} ${WHO} (?:still )?(?<verb>eat|drink) (?:any )?(?<what>[\\p{L} ]{2,30})`, ({ verb, what = '' }) => {
    const flag = `${verb?.toLowerCase() ?? ''}s_${snakeCase(what)}`
    return { attributes: verb?.toLowerCase() === 'eat' ? [flag, 'diet'] : [flag] }
  }),
  fixed('Do I smoke', `${DO} ${WHO} (?:still )?smoke`, ['smokes']),
  fixed('Do I drink', `${DO} ${WHO} (?:still )?drink`, ['drinks_alcohol']),
  rule(
    'Do I like tea',
    `${DO} ${WHO} (?:still |really )?(?<verb>like|love|enjoy|hate|dislike|prefer) (?<what>.{2,60})`,
    ({ verb = '', what = '' }) => {
      const value = readThing(what, { article: true })
      const attribute = /^(?:hate|dislike)$/iu.test(verb) ? 'dislikes' : /^prefer$/iu.test(verb) ? 'prefers' : 'likes'
      const other = attribute === 'likes' ? ['dislikes'] : attribute === 'dislikes' ? ['likes'] : []
      return value === undefined ? undefined : { attributes: [attribute, ...other], value }
    },
  ),
  rule('Do I have a car', `${DO} ${WHO} (?:still )?(?:have|own) (?:an? |any )?(?<what>[\\p{L}' ]{2,30})`, ({ what = '' }) => ({
    attributes: /^(?:kids|children)$/iu.test(what) ? ['children_count', 'has_children'] : [`has_${snakeCase(what)}`],
    // "Do I have a meeting?" is for the calendar.
    ifKnown: true,
  })),
  rule(
    'Do I live in Oslo',
    `(?:${DO} ${WHO} (?:still )?live|${BE} (?:i|we) (?:still )?(?:living|based)) in (?<what>.{2,60})`,
    ({ what = '' }) => ({ attributes: ['lives_in'], value: bare(what) }),
  ),
  rule('Do I work at Acme', `${DO} ${WHO} (?:still )?work (?:at|for) (?<what>.{2,60})`, ({ what = '' }) => ({
    attributes: ['employer'],
    value: bare(what),
  })),
  rule('Do I speak Polish', `${DO} ${WHO} (?:still )?speak (?<what>[\\p{L} ]{2,30})`, ({ what = '' }) => ({
    attributes: ['speaks'],
    value: bare(what),
  })),
  rule('Am I allergic to nuts', `${BE} ${WHO} (?:still )?allergic to (?<what>[\\p{L} ]{2,40})`, ({ what = '' }) => ({
    attributes: ['allergies'],
    value: bare(what),
  })),
  rule('Am I vegetarian', `${BE} ${WHO} (?:still )?(?:an? )?(?:vegetarian|vegan|pescatarian|flexitarian)`, () => ({
    attributes: ['diet', 'eats_meat'],
  })),
  rule('Am I married', `${BE} ${WHO} (?:still )?(?<what>married|single|engaged|divorced|widowed)`, ({ what = '' }) => ({
    attributes: ['marital_status'],
    value: what.toLowerCase(),
  })),
  fixed('Where am I', `where ${BE} ${WHO}`, ['location', 'lives_in']),
  fixed('Where will I be', `where will ${WHO} be`, ['location']),
  fixed('When did I move', `when ${DO} ${WHO} move(?: to .+| house)?`, ['lives_in'], { history: true }),
  fixed('When did I start at Acme', `when ${DO} ${WHO} (?:start(?: working)?|join|leave)(?: (?:at|for))? .+`, ['employer'], {
    history: true,
  }),
]

/** About what somebody has. */
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
