/** Attributes that are a verb: `lives_in` with "Oslo" is "you live in Oslo", was "you lived in Oslo". */

export type Tense = 'past' | 'now' | 'future'

interface Verb {
  /** "live", "be" */
  readonly base: string
  readonly past: string
  /** Between the verb and the value: "in", "allergic to". */
  readonly rest: string
  /** What is known or not: "where … live". */
  readonly topic: string
}

const verb = (base: string, past: string, rest: string, topic: string): Verb => ({ base, past, rest, topic })

/** For values that are texts. */
const VERBS: Readonly<Record<string, Verb>> = {
  lives_in: verb('live', 'lived', 'in', 'where'),
  location: verb('be', '', 'in', 'where'),
  origin: verb('come', 'came', 'from', 'where'),
  employer: verb('work', 'worked', 'at', 'where'),
  job: verb('work', 'worked', 'as', 'what'),
  school: verb('study', 'studied', 'at', 'where'),
  field_of_study: verb('study', 'studied', '', 'what'),
  likes: verb('like', 'liked', '', 'what'),
  dislikes: verb('dislike', 'disliked', '', 'what'),
  prefers: verb('prefer', 'preferred', '', 'what'),
  speaks: verb('speak', 'spoke', '', 'what languages'),
  allergies: verb('be', '', 'allergic to', 'what'),
}

/** For values that are yes or no: `smokes`, `eats_meat`. */
const FLAG = /^(?<verb>eats|drinks|has|smokes)(?:_(?<what>.+))?$/u
const FLAGS: Readonly<Record<string, readonly [base: string, past: string]>> = {
  eats: ['eat', 'ate'],
  drinks: ['drink', 'drank'],
  has: ['have', 'had'],
  smokes: ['smoke', 'smoked'],
}

/** "live in" after "you"; undefined where the attribute is no verb. */
export function verbWords(attribute: string, self: boolean, tense: Tense): string | undefined {
  const found = Object.hasOwn(VERBS, attribute) ? VERBS[attribute] : undefined
  return found && [conjugated(found.base, found.past, self, tense), found.rest].filter(Boolean).join(' ')
}

/** "do not eat meat" after "you"; undefined where the attribute is no such verb. */
export function flagWords(attribute: string, holds: boolean, self: boolean, tense: Tense): string | undefined {
  const groups = FLAG.exec(attribute)?.groups
  const [base, past] = FLAGS[groups?.['verb'] ?? ''] ?? []
  if (base === undefined || past === undefined) return undefined
  const what = objectWords(base, groups?.['what'])
  if (holds) return `${conjugated(base, past, self, tense)}${what}`
  const not = tense === 'future' ? 'will not' : tense === 'past' ? 'did not' : self ? 'do not' : 'does not'
  return `${not} ${base}${what}`
}

/** "where you live", "whether you eat meat"; undefined where the attribute is no verb. */
export function verbTopic(attribute: string, whom: string, self: boolean): string | undefined {
  const found = Object.hasOwn(VERBS, attribute) ? VERBS[attribute] : undefined
  // "Where you live" needs no "in"; "what you are allergic to" needs its "to".
  const rest = found === undefined || found.topic === 'where' ? (found?.base === 'come' ? 'from' : '') : found.rest
  if (found !== undefined)
    return [found.topic, whom, conjugated(found.base, found.past, self, 'now'), rest].filter(Boolean).join(' ')
  const flag = flagWords(attribute, true, self, 'now')
  return flag && `whether ${whom} ${flag}`
}

/** The forms of a verb; "be" has its own. */
export function conjugated(base: string, past: string, self: boolean, tense: Tense): string {
  if (tense === 'future') return `will ${base}`
  if (base === 'be') return tense === 'past' ? (self ? 'were' : 'was') : self ? 'are' : 'is'
  if (tense === 'past') return past
  if (self) return base
  return base === 'have' ? 'has' : base.endsWith('y') ? `${base.slice(0, -1)}ies` : `${base}s`
}

function objectWords(base: string, what: string | undefined): string {
  if (what === undefined) return ''
  const noun = what.replaceAll('_', ' ')
  if (base !== 'have' || noun.endsWith('s')) return ` ${noun}`
  return ` ${/^[aeiou]/u.test(noun) ? 'an' : 'a'} ${noun}`
}
