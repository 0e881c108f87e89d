/** Reading: a text of the user becomes statements, clause by clause, each against what was said before it. */
import type { Scene } from '../scene.ts'
import type { Reading, Statement } from '../statement.ts'
import type { BareHead, Clause, Head, PersonHead, PronounHead, Rule, ThingHead } from './clause.ts'
import { clausesOf } from './clauses.ts'
import { bareCorrections, personCorrections, pronounChanges, thingChanges } from './corrections.ts'
import { habits } from './habits.ts'
import { readHead } from './heads.ts'
import { moves } from './moves.ts'
import { nounEntry } from './nouns.ts'
import { callMe, names } from './names.ts'
import { preferences } from './preferences.ts'
import { overlaps, quotedPassages } from './quotes.ts'
import { MAX_SENTENCE, type Passage, type Sentence, sentencesOf } from './sentences.ts'
import { isHedged, isJoke, isQuestion, isTakenBack, silenceOf } from './silence.ts'
import { bareStatements, statements } from './statements.ts'
import { traits } from './traits.ts'
import { type ValidityFrame, readAdjunct } from './validity.ts'
import { asksToRemember, isGreeting, isMarker, peel, plainWording } from './wording.ts'
import { work } from './work.ts'

const PERSON: readonly Rule<PersonHead>[] = [
  ...personCorrections,
  ...moves,
  ...traits,
  ...habits,
  ...names,
  ...work,
  ...preferences,
]
const THING: readonly Rule<ThingHead>[] = [...thingChanges, ...statements]
const PRONOUN: readonly Rule<PronounHead>[] = pronounChanges
const BARE: readonly Rule<BareHead>[] = [...callMe, ...bareStatements, ...bareCorrections]

/** Longest text that is read, in UTF-16 units: nobody types more than this about themselves. */
const MAX_TEXT = 50_000
/** For finding out whether words are a time at all. */
const ANY_TIME: ValidityFrame = { point: 'starts', lean: 'nearest', duration: 'ahead' }
/** A future that a rule may still accept, because it wants its day. */
const DATED_FUTURE =
  /^(?:(?:i|we|she|he) will (?:be (?:in|staying|visiting|moving|working)|stay in|move to|start|join|work)|(?:i|we|she|he) should have said|my .+ will (?:be|expire|end|start|begin|depart|leave|arrive)|(?:you (?:may|should|can) )?call me)\b/iu

/** What the text states. Adds to the scene's topics as it goes, so "it" can mean what the sentence before was about. */
export function readStatements(text: string, scene: Scene): Reading[] {
  if (text.length > MAX_TEXT || isTakenBack(text)) return []
  const lower = !/\p{Lu}/u.test(text)
  const quoted = quotedPassages(text)
  const found: Reading[] = []
  let before: Setting = { lower, greeting: false, correcting: false }
  for (const sentence of sentencesOf(text)) {
    if (sentence.end - sentence.start > MAX_SENTENCE) continue
    const typed = text.slice(sentence.start, sentence.end)
    const wording = peel(plainWording(typed))
    const silence = silenceOf(wording.text)
    if (silence.after) break
    if (overlaps(quoted, sentence) || silence.here || isJoke(typed) || isQuestion(wording.text)) continue
    const asks = sentence.asks && !asksToRemember(plainWording(typed))
    readSentence(text, { ...sentence, asks }, scene, { ...before, correcting: before.correcting || wording.correcting }, found)
    // "Hi! I am Mira" and "Sorry. It is June 30" lead in with a sentence of its own.
    before = { lower, greeting: isGreeting(wording.text) || wording.greeting, correcting: isMarker(wording.text) }
  }
  return found
}

function readSentence(text: string, sentence: Sentence, scene: Scene, setting: Setting, found: Reading[]): void {
  let inherited: PersonHead | undefined
  let start: number | undefined
  let lead = ''
  let { correcting } = setting
  for (const passage of clausesOf(text, sentence)) {
    const words = plainWording(text.slice(passage.start, passage.end))
    start ??= passage.start
    // "In 2024, I …", "no, I meant …": what leads in belongs to the clause after it.
    if (isMarker(words) || readAdjunct(words, scene, ANY_TIME) !== undefined) {
      if (isMarker(words)) correcting = true
      else lead = words
      continue
    }
    const count = found.length
    const head = readClause(words, { start, end: passage.end }, scene, { ...setting, correcting }, lead, inherited, found)
    // Only a clause that was understood shows that the next verb is about the same person.
    inherited = head?.kind === 'person' && found.length > count ? head : undefined
    // "My deadline is not July 15, it is June 30."
    correcting = head?.polarity === 'denied' && (head.kind === 'thing' || head.kind === 'pronoun')
    // What is denied belongs to the passage that says how it is.
    ;[start, lead] = [correcting ? start : undefined, '']
  }
}

interface Setting {
  readonly lower: boolean
  readonly greeting: boolean
  readonly correcting: boolean
}

function readClause(
  words: string,
  passage: Passage,
  scene: Scene,
  setting: Setting,
  before: string,
  inherited: PersonHead | undefined,
  found: Reading[],
): Head | undefined {
  const peeled = peel(words)
  const { rest, lead } = takeLead(peeled.text, scene)
  if (isHedged(rest) && !DATED_FUTURE.test(rest)) return undefined
  const head = readHead(rest, scene, inherited)
  if (head === undefined) return undefined
  const clause: Clause = {
    lead: lead || before,
    lower: setting.lower,
    correcting: setting.correcting || peeled.correcting,
    greeting: setting.greeting || peeled.greeting,
  }
  const said = apply(head, clause, scene) ?? []
  for (const statement of said) {
    found.push({ statement, ...passage })
    scene.topics.push({
      subject: statement.subject,
      attribute: statement.attribute,
      value: statement.ended ? undefined : statement.value,
    })
  }
  const mentioned = said.length === 0 && head.kind === 'thing' ? nounEntry(head.noun) : undefined
  if (mentioned !== undefined && head.kind === 'thing')
    scene.topics.push({ subject: head.subject, attribute: mentioned.attribute, value: undefined })
  return head
}

function apply(head: Head, clause: Clause, scene: Scene): readonly Statement[] | undefined {
  switch (head.kind) {
    case 'person':
      return firstOf(PERSON, head, clause, scene)
    case 'thing':
      return firstOf(THING, head, clause, scene)
    case 'pronoun':
      return firstOf(PRONOUN, head, clause, scene)
    case 'bare':
      return firstOf(BARE, head, clause, scene)
  }
}

function firstOf<H extends Head>(
  rules: readonly Rule<H>[],
  head: H,
  clause: Clause,
  scene: Scene,
): readonly Statement[] | undefined {
  for (const rule of rules) {
    const match = rule.pattern.exec(head.predicate)
    const said = match === null ? undefined : rule.read(match.groups ?? {}, head, clause, scene)
    if (said !== undefined && said.length > 0) return said
  }
  return undefined
}

/** "Since March I …", "in 2024 I …", "last week my …": the time before the subject. */
function takeLead(text: string, scene: Scene): { readonly rest: string; readonly lead: string } {
  const subject = /^(?<lead>.{3,60}?)(?:,\s+|\s+)(?=(?:i|we|my|our|she|he|it|her|his)\b)/iu.exec(text)
  const lead = subject?.groups?.lead ?? ''
  return lead === '' || readAdjunct(lead, scene, ANY_TIME) === undefined
    ? { rest: text, lead: '' }
    : { rest: text.slice(subject?.[0].length), lead }
}
