/** Values by slot: what the words after "is" or "changed to" may be, given the slot and what it held. */
import { type BuiltInAttribute, builtInAttributes } from '../attributes.ts'
import type { Scene } from '../scene.ts'
import type { JsonValue } from '../statement.ts'
import type { Clause } from './clause.ts'
import { isDateValue, readDateValue } from './date-value.ts'
import { type ValueKind, nounEntry } from './nouns.ts'
import { isOccupation } from './occupations.ts'
import { bare, readDigits, readEmail, readLanguage, readName, readPlace, readThing } from './values.ts'

/** Adjectives and states that a word for a value is not: "my address is wrong". */
const COMMENT =
  /^(?:very|so|too|really|quite|always|still|already|wrong|right|correct|fine|good|bad|great|nice|awesome|amazing|terrible|awful|hard|easy|important|ok|okay|broken|dead|full|empty|down|late|boring|stressful|unknown|private|secret|irrelevant|changing|killing|going|getting|being|coming|making|driving|doing|not|no|none|near|close|far|in|on|at|under|over|with|about|up|out|what|that|because|like|gone|lost|over|done|ready)\b/iu

/** A value of the kind, or undefined. */
export function readAs(kind: ValueKind, text: string, clause: Clause): JsonValue | undefined {
  switch (kind) {
    case 'name':
      return readName(text, clause.lower)
    case 'place':
      return readPlace(text.replace(/^in /u, ''), clause.lower)
    case 'email':
      return readEmail(text)
    case 'digits':
      return readDigits(text)
    case 'language':
      return readLanguage(text)
    case 'count':
      return /^\d{1,3}$/u.test(bare(text)) ? Number(bare(text)) : undefined
    case 'occupation': {
      const job = readThing(text, { article: true })
      return job !== undefined && !COMMENT.test(job) && (isOccupation(job) || /^an? /u.test(text)) ? job : undefined
    }
    case 'thing':
      return /^(?:an? |the )?\p{Lu}/u.test(text) ? readThing(text, { article: true }) : undefined
    case 'any': {
      const thing = COMMENT.test(text) ? undefined : readThing(text, { article: true })
      return thing ?? (COMMENT.test(text) ? undefined : readPlain(text))
    }
    case 'date':
    case 'things':
      return undefined
  }
}

/** The words as a value of the slot that held `former`; undefined where they are of another kind. */
export function readForSlot(
  attribute: string,
  former: JsonValue | undefined,
  text: string,
  clause: Clause,
  scene: Scene,
): JsonValue | undefined {
  const table: Readonly<Record<string, BuiltInAttribute | undefined>> = builtInAttributes
  const builtIn = Object.hasOwn(builtInAttributes, attribute) ? table[attribute] : undefined
  if (isDateValue(former) || builtIn?.kind === 'date') return readDateValue(text, attribute, former, scene)
  if (typeof former === 'boolean' || builtIn?.kind === 'flag') return undefined
  if (typeof former === 'number' || builtIn?.kind === 'count') return readAs('count', text, clause)
  const kind = KINDS[attribute] ?? nounEntry(attribute.replaceAll('_', ' '))?.value ?? 'any'
  if (former === undefined && kind === 'date') return readDateValue(text, attribute, former, scene)
  return readAs(kind === 'date' || kind === 'things' ? 'any' : kind, text, clause)
}

const KINDS: Readonly<Record<string, ValueKind>> = {
  name: 'name',
  last_name: 'name',
  nickname: 'name',
  employer: 'name',
  school: 'name',
  lives_in: 'place',
  location: 'place',
  origin: 'place',
  birthplace: 'place',
  email: 'email',
  phone: 'digits',
  address: 'digits',
  job: 'any',
  likes: 'any',
  dislikes: 'any',
  prefers: 'any',
  speaks: 'language',
}

/** A code or measure: "42", "A+", "BA 117", "180 cm". */
function readPlain(text: string): string | undefined {
  const value = bare(text)
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,'+#/_-]{0,40}$/u.test(value) &&
    /\d|^\p{Lu}/u.test(value) &&
    value.split(' ').length <= 4
    ? value
    : undefined
}
