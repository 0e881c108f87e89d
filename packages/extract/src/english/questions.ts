/** Questions in English: whom they are about, what they ask, and for when. */
import type { Question, ValueQuestion } from '../question.ts'
import { type Scene, isKnownSubject } from '../scene.ts'
import { fold } from '../statement.ts'
import { attributesFor, hasAttribute } from './attribute-names.ts'
import { lastPerson, namedSubject, relationOf } from './people.ts'
import { personQuestions } from './person-questions.ts'
import type { Asked, QuestionRule } from './question-rule.ts'
import { type QuestionTime, readTime, takeQuestionTime } from './question-time.ts'
import { sentencesOf } from './sentences.ts'
import { nounOf, thingQuestions, valueQuestions } from './thing-questions.ts'
import { peel, plainWording } from './wording.ts'

const MAX_QUESTION = 300

/** "Can you tell me", "do you remember": what only asks politely. */
const POLITE =
  /^(?:(?:please|and|so|but|then|ok|okay),? )*(?:(?:can|could|would|will) you (?:please )?(?:tell me|remind me|say|show me|recall|look up|give me)|(?:please )?(?:tell me|remind me|show me|give me)|do you (?:know|remember|recall|happen to know)|i (?:forgot|forget|wonder|want to know|would like to know|need to know|can not remember|do not remember)|what do you (?:know|remember) about(?= when| where| what)|any idea)(?: again)?,? (?:of )?/iu
const EVERYTHING =
  /^(?:what (?:all |else |exactly )?(?:do|did) you (?:know|remember|have|store)(?: stored| saved)? (?:about|on)|what (?:is|do you have) (?:stored|saved|known|remembered) about|(?:everything|all|anything|what|whatever)(?: that)? (?:you (?:know|remember|have|have (?:stored|saved)) about|is (?:known|stored|saved) about)|(?:what facts|which facts|what things) do you (?:know|have|remember) about|(?:list|show|summari[sz]e)(?: me)? (?:everything|all|what)(?: that)? you (?:know|remember|have) about|about|what have i told you about|do you (?:know|remember) anything about|anything about) (?<who>.+)$/iu
const ABOUT_ME = /^(?:who am i|what have i told you(?: so far)?|what do you (?:know|remember)|tell me about me)$/iu
/** "What was it on June 2?", "and on June 2?", "has it changed?" */
const ABOUT_IT =
  /^(?:(?:what|when|where|how much|who) (?:is|was|were|are|will) (?:it|that|this)(?: be)?|(?:is|was) (?:it|that)(?: different)?|(?:and|what|how) about|and|it|what about it)$/iu
const IT_CHANGED =
  /^(?:(?:how|when|why|how often) )?(?:has|did|have|had|was) (?:it|that|this) (?:ever )?(?:been )?(?:changed?|moved?|updated)$/iu

/** What the last question in the text asks; undefined where it has none that is understood. */
export function readEnglishQuestion(text: string, scene: Scene): Question | undefined {
  if (text.length > 4000) return undefined
  for (const sentence of sentencesOf(text).toReversed()) {
    if (sentence.end - sentence.start > MAX_QUESTION) continue
    const asked = readOne(text.slice(sentence.start, sentence.end), scene)
    if (asked !== undefined) return asked
  }
  return undefined
}

function readOne(sentence: string, scene: Scene): Question | undefined {
  const plain = plainWording(sentence.replace(/[?!.\s]+$/u, '')).replace(/[?"]+/gu, '')
  const continued = /^(?:and|what about|how about|and what about)\s+(?<time>.+)$/iu.exec(plain)?.groups?.time
  const wording = peel(plain).text
  const words = wording.replace(POLITE, '')
  const polite = words !== wording
  if (ABOUT_ME.test(words)) return { kind: 'everything', subject: 'user' }
  const everything = EVERYTHING.exec(words)?.groups?.who
  if (everything !== undefined && (polite || !/^about /iu.test(words))) return aboutAll(everything, scene)
  if (continued !== undefined) {
    const time = readTime(continued, scene, true)
    if (time !== undefined) return aboutIt({ attributes: [] }, time, scene)
  }
  const { rest, time } = takeQuestionTime(words, scene)
  if (ABOUT_IT.test(rest)) return aboutIt({ attributes: [] }, time ?? tense(rest), scene)
  if (IT_CHANGED.test(rest)) return aboutIt({ attributes: [], history: true }, time, scene)
  const asks =
    polite ||
    /^(?:what|when|where|who|whom|which|how|why|do|does|did|is|was|are|were|am|has|have|had|will|in (?:what|which)|at what|on what|show|the history|history)\b/iu.test(
      rest,
    ) ||
    /\?\s*$/u.test(sentence)
  if (!asks) return undefined
  // "Is my deadline July 15?": there the date is what is asked about.
  return (
    aboutThing(words, undefined, scene, valueQuestions) ??
    aboutRole(rest, time, scene) ??
    aboutPerson(rest, time, scene) ??
    aboutThing(rest, time, scene)
  )
}

function aboutAll(who: string, scene: Scene): Question | undefined {
  if (/^(?:me|myself|us)(?: (?:so far|now|already|at all))?$/iu.test(who)) return { kind: 'everything', subject: 'user' }
  const subject = personOf(who, scene)
  return subject === undefined ? undefined : { kind: 'everything', subject: subject[0] ?? who }
}

/** "Who is my sister?", "what is my boss called?" ask for a name. */
function aboutRole(text: string, time: QuestionTime | undefined, scene: Scene): Question | undefined {
  const role = /^who (?:is|was|are) my (?<relation>[\p{L} -]{2,30})$/iu.exec(text)?.groups?.relation
  const subject = role === undefined ? undefined : relationOf(role)
  return subject === undefined ? undefined : answer({ attributes: ['name'] }, [subject], time, text, scene)
}

function aboutPerson(text: string, time: QuestionTime | undefined, scene: Scene): Question | undefined {
  return firstOf(personQuestions, text, scene, (asked, groups) => {
    const subjects = personOf(groups.who ?? 'i', scene)
    return subjects && answer(asked, subjects, time, text, scene)
  })
}

function aboutThing(
  text: string,
  time: QuestionTime | undefined,
  scene: Scene,
  rules: readonly QuestionRule[] = thingQuestions,
): Question | undefined {
  return firstOf(rules, text, scene, (asked, groups) => {
    const subjects = ownerOf(groups.noun ?? '', scene)
    return subjects && answer(asked, subjects, time, text, scene)
  })
}

function firstOf(
  rules: readonly QuestionRule[],
  text: string,
  scene: Scene,
  then: (asked: Asked, groups: Readonly<Record<string, string | undefined>>) => Question | undefined,
): Question | undefined {
  for (const { pattern, read } of rules) {
    const match = pattern.exec(text)
    const asked = match === null ? undefined : read(match.groups ?? {}, scene)
    const question = asked && then(asked, match?.groups ?? {})
    if (question !== undefined) return question
  }
  return undefined
}

function aboutIt(asked: Asked, time: QuestionTime | undefined, scene: Scene): Question | undefined {
  const topic = scene.topics.at(-1)
  if (topic?.attribute === undefined) return undefined
  return answer({ ...asked, attributes: [topic.attribute] }, [topic.subject], time, '', scene)
}

/** The subjects under which memory may keep a person, best first. */
function personOf(who: string, scene: Scene): readonly string[] | undefined {
  const words = fold(who)
  if (words === 'i' || words === 'we' || words === 'me') return ['user']
  if (words === 'she' || words === 'he') {
    const subject = lastPerson(words, scene)
    return subject === undefined ? undefined : [subject]
  }
  const groups = /^my (?<relation>.+?)(?: (?<name>\p{Lu}[\p{L}\p{M}'-]*(?: \p{Lu}[\p{L}\p{M}'-]*)?))?$/u.exec(who)?.groups
  if (groups !== undefined) {
    const relation = relationOf(groups.relation ?? '')
    if (relation === undefined) return undefined
    const name = groups.name ?? scene.current.find(slot => fold(slot.subject) === relation && slot.attribute === 'name')?.value
    return typeof name === 'string' && isKnownSubject(scene, name) ? [relation, name] : [relation]
  }
  // A stranger is no matter of memory.
  const subject = namedSubject(who, scene)
  return subject === undefined ? undefined : [subject]
}

function ownerOf(phrase: string, scene: Scene): readonly string[] | undefined {
  const owned = /^(?:my |our )(?<relation>[\p{L} -]+)'s /iu.exec(phrase)?.groups?.relation
  if (owned !== undefined && relationOf(owned) !== undefined) return personOf(`my ${owned}`, scene)
  const pronoun = /^(?<pronoun>her|his) /iu.exec(phrase)?.groups?.pronoun
  if (pronoun !== undefined) return personOf(fold(pronoun) === 'her' ? 'she' : 'he', scene)
  const name = /^(?<name>\p{Lu}[\p{L}\p{M}-]*)'s /u.exec(phrase)?.groups?.name
  if (name !== undefined) return personOf(name, scene)
  // "My sister" alone is a person and not something that the user has.
  return relationOf(nounOf(phrase)) === undefined ? ['user'] : undefined
}

function answer(
  asked: Asked,
  subjects: readonly string[],
  time: QuestionTime | undefined,
  text: string,
  scene: Scene,
): ValueQuestion | undefined {
  const subject = subjects.find(candidate => hasAttribute(asked.attributes, candidate, scene)) ?? subjects[0]
  if (subject === undefined || (asked.ifKnown && !hasAttribute(asked.attributes, subject, scene))) return undefined
  const when = asked.history ? { mode: 'history' as const } : (time ?? (asked.timeless ? { mode: 'now' as const } : tense(text)))
  return {
    kind: 'value',
    subject,
    attributes: attributesFor(asked.attributes, subject, scene),
    ...when,
    ...(asked.value === undefined ? {} : { value: asked.value }),
  }
}

/** A question in the past without a day asks for what there was. */
function tense(text: string): QuestionTime {
  return { mode: /^(?:\S+ )?(?:was|were|did|had)\b/iu.test(text) ? 'history' : 'now' }
}
