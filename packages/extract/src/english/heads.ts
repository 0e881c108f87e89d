/** Heads: whom or what a clause is about, and whether it affirms, denies or ends it. */
import type { Scene } from '../scene.ts'
import { fold } from '../statement.ts'
import type { BareHead, Head, PersonHead, Polarity } from './clause.ts'
import { plainNoun, snakeCase } from './nouns.ts'
import { RELATION, lastPerson, namedSubject, relationOf, subjectOf } from './people.ts'

const CAPITAL = String.raw`[\p{Lu}\p{Lo}][\p{L}\p{M}'-]*(?: [\p{Lu}\p{Lo}][\p{L}\p{M}'-]*){0,2}`
const QUALIFIED = `(?:(?:older|elder|younger|little|big|twin|only|new|current|dear|good|old) )*(?:${RELATION})`
/** Words with which the predicate of a person or thing begins; they show where its name ends. */
const VERB = `(?:is|are|was|were|am|will|has|have|had|got|gets|does|do|no longer|never|used to|moved|changed|shifted|slipped|became|expires?|ends?|starts?|begins?|runs out|falls|departs?|leaves?|arrives?|closes?|opens?|lives?|lived|works?|worked|studies|likes?|loves?|hates?|prefers?|dislikes?|enjoys?|adores?|speaks?|eats?|drinks?|smokes?|goes by|relocated|joined|left|quit|stopped|started|can not|comes? from|was born|turned|recently|just|now|currently|still|also|really)`

const FIRST = /^(?:i|we) (?<predicate>.+)$/iu
const THIRD = /^(?<who>she|he) (?<predicate>.+)$/iu
const RELATED = new RegExp(
  `^(?:[Mm]y|[Oo]ur) (?<relation>${QUALIFIED}),?(?: (?<name>${CAPITAL}),?)? (?<predicate>${VERB}\\b.*)$`,
  'u',
)
const NAMED = new RegExp(`^(?<name>${CAPITAL}) (?<predicate>${VERB}\\b.*)$`, 'u')
const POSSESSED = new RegExp(
  `^(?:(?<owner>[Mm]y|[Oo]ur|[Hh]er|[Hh]is)(?: (?<relation>${QUALIFIED})(?: (?<called>[\\p{Lu}\\p{Lo}][\\p{L}\\p{M}-]*))?'s)?|(?<name>${CAPITAL})'s) (?<noun>[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}' /-]{0,60}?)(?:'s (?="?\\p{Lu})| (?=${VERB}\\b)|(?<colon>: ))(?<predicate>.+)$`,
  'u',
)
const OF_MINE = new RegExp(`^[Tt]he (?<noun>[\\p{L} -]{2,40}? (?:of|for) my [\\p{L}' -]{2,40}?) (?<predicate>${VERB}\\b.*)$`, 'u')
const DEFINITE = new RegExp(`^[Tt]he (?<noun>[\\p{L}' -]{3,50}?) (?<predicate>${VERB}\\b.*)$`, 'u')
const PRONOUN = /^(?:it|that|this) (?<predicate>(?:is|was|has|got|moved|changed|shifted|slipped|will|no longer|now)\b.*)$/iu

/** @param inherited the person of the clause before, for "I live in Oslo and work at Acme" */
export function readHead(text: string, scene: Scene, inherited: PersonHead | undefined): Head | undefined {
  const first = FIRST.exec(text)?.groups?.predicate
  if (first !== undefined) return person('user', first)
  const third = THIRD.exec(text)?.groups
  if (third !== undefined) {
    const subject = lastPerson(fold(third.who ?? '') === 'she' ? 'she' : 'he', scene)
    return subject === undefined ? undefined : person(subject, third.predicate ?? '')
  }
  const related = RELATED.exec(text)?.groups
  if (related !== undefined) {
    const relation = relationOf(related.relation ?? '')
    return relation === undefined ? undefined : person(subjectOf(relation, related.name, scene), related.predicate ?? '')
  }
  const thing = readPossessed(text, scene)
  if (thing !== undefined) return thing
  const pronoun = PRONOUN.exec(text)?.groups?.predicate
  if (pronoun !== undefined) return { kind: 'pronoun', ...polarityOf(pronoun) }
  const named = NAMED.exec(text)?.groups
  const subject = named === undefined ? undefined : namedSubject(named.name ?? '', scene)
  if (subject !== undefined) return person(subject, named?.predicate ?? '')
  if (inherited !== undefined) return inherited.polarity === 'affirmed' ? person(inherited.subject, text) : undefined
  const bare: BareHead = { kind: 'bare', predicate: text, polarity: 'affirmed' }
  return bare
}

function readPossessed(text: string, scene: Scene): Head | undefined {
  const groups = POSSESSED.exec(text)?.groups ?? OF_MINE.exec(text)?.groups
  if (groups !== undefined) {
    const subject = ownerOf(groups, scene)
    // "My name's Mira" and "my deadline: July 15" leave "is" out.
    const predicate = groups.predicate ?? ''
    const rest = groups.colon === undefined && !/^"?\p{Lu}/u.test(predicate) ? predicate : `is ${predicate}`
    return subject === undefined ? undefined : { kind: 'thing', subject, noun: groups.noun ?? '', ...polarityOf(rest) }
  }
  const definite = DEFINITE.exec(text)?.groups
  const known = definite === undefined ? undefined : knownThing(definite.noun ?? '', scene)
  return known === undefined ? undefined : { kind: 'thing', ...known, ...polarityOf(definite?.predicate ?? '') }
}

function ownerOf(groups: Readonly<Record<string, string | undefined>>, scene: Scene): string | undefined {
  if (groups.name !== undefined) return namedSubject(groups.name, scene)
  if (groups.relation !== undefined) {
    const relation = relationOf(groups.relation)
    return relation === undefined ? undefined : subjectOf(relation, groups.called, scene)
  }
  const owner = fold(groups.owner ?? 'my')
  return owner === 'my' || owner === 'our' ? 'user' : lastPerson(owner === 'her' ? 'she' : 'he', scene)
}

/** "The deadline" is one that memory or the talk knows, if exactly one slot has that word. */
function knownThing(noun: string, scene: Scene): { readonly subject: string; readonly noun: string } | undefined {
  const words = snakeCase(plainNoun(noun) ?? '')
    .split('_')
    .filter(word => word !== '')
  if (words.length === 0) return undefined
  const slots = new Map<string, { readonly subject: string; readonly noun: string }>()
  for (const { subject, attribute } of [...scene.current, ...scene.topics]) {
    const parts = attribute?.split('_') ?? []
    if (attribute !== undefined && words.every(word => parts.includes(word)))
      slots.set(`${fold(subject)} ${attribute}`, { subject, noun: attribute.replaceAll('_', ' ') })
  }
  return slots.size === 1 ? [...slots.values()][0] : undefined
}

function person(subject: string, predicate: string): PersonHead {
  return { kind: 'person', subject, ...polarityOf(predicate) }
}

const ADVERB =
  /^(?:(?:now|currently|still|also|just|recently|really|absolutely|actually|definitely|always|already|finally|officially|honestly|truly|totally|simply|personally|both|only recently|do really|too) )+(?=\S)/iu
const ANYMORE = / (?:any ?more|any longer)\b/iu
const ENDED = /^(?:(?<be>am|is|are|was) )?no longer (?<rest>.+)$/iu
const STOPPED =
  /^(?:have |has )?(?:stopped|quit|given up|gave up)(?: on)? (?<rest>\p{L}+ing\b.*|meat|alcohol|dairy|sugar|gluten|coffee|caffeine|cigarettes.*)$/iu
const DENIED = /^(?:(?:do|does) not|never) (?:(?:really|actually|even|particularly|much|personally) )?(?<rest>.+)$/iu
const NOT_BEING = /^(?<be>am|is|are) not (?:(?:really|actually|even|currently) )?(?<rest>.+)$/iu
const PAST = /^used to (?<rest>.+)$/iu

/** The predicate without its negation; what it negates is read by the same rules as what it affirms. */
function polarityOf(text: string): { readonly predicate: string; readonly polarity: Polarity } {
  const plain = text.replace(ADVERB, '')
  const ended = ENDED.exec(plain)?.groups
  if (ended !== undefined)
    return {
      predicate: `${ended.be === undefined ? '' : `${ended.be} `}${ended.rest ?? ''}`.replace(ANYMORE, ''),
      polarity: 'ended',
    }
  const stopped = STOPPED.exec(plain)?.groups?.rest
  if (stopped !== undefined) return { predicate: stopped, polarity: 'ended' }
  const denied = DENIED.exec(plain)?.groups ?? NOT_BEING.exec(plain)?.groups
  if (denied !== undefined) {
    const predicate = `${denied.be === undefined ? '' : `${denied.be} `}${denied.rest ?? ''}`
    return { predicate: predicate.replace(ANYMORE, ''), polarity: ANYMORE.test(predicate) ? 'ended' : 'denied' }
  }
  const past = PAST.exec(plain)?.groups?.rest
  return past === undefined ? { predicate: plain, polarity: 'affirmed' } : { predicate: past, polarity: 'past' }
}
