/**
 * People: "my sister lives in Paris", "my friend Ann lives in Paris", "she works at Acme".
 *
 * A person's subject is the relation (`sister`), or the name where one was said with it (`Ann`). One person keeps one
 * subject: where memory already knows the person under the other of the two, that one is taken.
 */
import { type Scene, isKnownSubject } from '../scene.ts'
import { fold } from '../statement.ts'

/** f, m, or either. */
export type Gender = 'f' | 'm' | 'x'

/** By gender; `mom=mother` is another word for one subject. */
const WORDS: Readonly<Record<Gender, string>> = {
  f: `mother|mom=mother|mum=mother|mama=mother|wife|girlfriend|fianc\u00e9e|daughter|sister|aunt|niece|grandmother|grandma=grandmother
    |granny=grandmother|mother-in-law|sister-in-law`,
  m: `father|dad=father|papa=father|husband|boyfriend|fianc\u00e9|son|brother|uncle|nephew|grandfather|grandpa=grandfather|father-in-law
    |brother-in-law`,
  x: `spouse|partner|cousin|friend|best friend|roommate|flatmate|neighbor|neighbour=neighbor|boss|manager|colleague|coworker|assistant
    |landlord|doctor|dentist|therapist|teacher|lawyer|accountant|trainer|dog|cat|baby`,
}

/** From the word to its subject and gender. */
const RELATIONS: ReadonlyMap<string, readonly [subject: string, gender: Gender]> = new Map(
  (['f', 'm', 'x'] as const).flatMap(gender =>
    WORDS[gender].split(/\s*\|/u).map(entry => {
      const [word = '', subject = word] = entry.split('=')
      return [word, [subject, gender]] as const
    }),
  ),
)

/** One word of a relation, for patterns; longest first, so that "best friend" is not a "friend". */
export const RELATION: string = [...RELATIONS.keys()].toSorted((a, b) => b.length - a.length).join('|')

const QUALIFIER = /^(?:(?:older|elder|younger|little|big|twin|only|new|current|dear|good|old) )+/u

/** The subject of "my <words>" without a name; undefined where the words are no relation. Two sisters told apart by age are two subjects. */
export function relationOf(words: string): string | undefined {
  const folded = fold(words)
  const plain = folded.replace(QUALIFIER, '')
  const relation = (RELATIONS.get(folded) ?? RELATIONS.get(plain))?.[0]
  const rank = /\b(older|elder|younger|little|big)\b/u.exec(folded.slice(0, folded.length - plain.length))?.[1]
  if (relation === undefined || rank === undefined) return relation
  return `${rank === 'elder' || rank === 'big' ? 'older' : rank === 'little' ? 'younger' : rank} ${relation}`
}

/** 'x' for a name or a relation that tells nothing. */
function genderOf(subject: string): Gender {
  const relation = fold(subject).replace(QUALIFIER, '')
  return RELATIONS.get(relation)?.[1] ?? 'x'
}

export function isRelation(subject: string): boolean {
  return relationOf(subject) !== undefined
}

/** The subject of "my sister", or of "my sister Ann". */
export function subjectOf(relation: string, name: string | undefined, scene: Scene): string {
  const known = nameOf(relation, scene)
  if (name === undefined) return known !== undefined && isKnownSubject(scene, known) ? known : relation
  const sameAs = known === undefined ? isKnownSubject(scene, relation) : fold(known) === fold(name)
  return sameAs && !isKnownSubject(scene, name) ? relation : name
}

/** The subject of a bare name: only of somebody who was talked about before; undefined for strangers. */
export function namedSubject(name: string, scene: Scene): string | undefined {
  if (isKnownSubject(scene, name)) return scene.current.find(fact => fold(fact.subject) === fold(name))?.subject
  const bearers = [
    ...scene.current
      .filter(fact => fact.attribute === 'name' && fact.subject !== 'user')
      .map(fact => [fact.subject, fact.value] as const),
    ...scene.topics
      .filter(topic => topic.attribute === 'name' && topic.subject !== 'user')
      .map(topic => [topic.subject, topic.value] as const),
  ].filter(([, value]) => typeof value === 'string' && fold(value) === fold(name))
  const subjects = new Set(bearers.map(([subject]) => subject))
  if (subjects.size === 1) return [...subjects][0]
  return scene.topics.find(topic => fold(topic.subject) === fold(name))?.subject
}

/** Whom "she" or "he" is: the person last talked about, if it can be. */
export function lastPerson(pronoun: 'she' | 'he', scene: Scene): string | undefined {
  const subject = scene.topics.findLast(topic => topic.subject !== 'user')?.subject
  const gender = subject === undefined ? undefined : genderOf(subject)
  return gender === 'x' || gender === (pronoun === 'she' ? 'f' : 'm') ? subject : undefined
}

function nameOf(relation: string, scene: Scene): string | undefined {
  const value = scene.current.findLast(fact => fold(fact.subject) === relation && fact.attribute === 'name')?.value
  return typeof value === 'string' ? value : undefined
}
