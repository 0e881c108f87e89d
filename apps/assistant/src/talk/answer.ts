/** Answers: what was found in memory, in sentences that quote what they rest on. */
import type { Fact, StandingState } from '@palimpsest/core'
import { clause, clauseAt, slotWords, topicWords } from './clauses.ts'
import { dayWords, onDay, periodWords, type Frame } from './dates.ts'
import { sentenceCase, SELF, whom } from './names.ts'
import { citeLatest, line, type Line, type Reply } from './reply.ts'
import { valueWords, type Value } from './values.ts'

/** A slot at one moment. `facts` is what holds, or what held last. */
export interface Found {
  readonly state: StandingState
  readonly facts: readonly Fact[]
}

export interface Slot {
  readonly subject: string
  readonly attribute: string
}

/** More facts than a person reads in an answer; the rest is listed under Memory. */
const MOST_LISTED = 30

/** "June 30, 2026. You said on June 3: “Actually it moved to June 30”" */
export function answerNow(slot: Slot, { state, facts }: Found, frame: Frame): Reply {
  const [first] = facts
  if (state === 'withheld')
    return [
      line(
        `Something about ${topicWords(slot.subject, slot.attribute)} waits for you to confirm it, under Memory. Until then I do not count it.`,
      ),
    ]
  if (state === 'erased')
    return [line(`What I knew about ${topicWords(slot.subject, slot.attribute)} was forgotten, and nothing has been said since.`)]
  if (first === undefined) return [line(`I know nothing about ${topicWords(slot.subject, slot.attribute)}.`)]
  if (state === 'ended') {
    const until = first.validTo === null ? '' : `, until ${dayWords(first.validTo, frame)}`
    return [
      line(
        `Nothing now. What I know is over: ${facts.map(fact => clause(fact, 'past')).join('; ')}${until}.`,
        citeLatest(first.sources, frame),
      ),
    ]
  }
  if (facts.length > 1) return facts.map(fact => item(sentenceCase(clause(fact)), fact, frame))
  return [line(`${short(first, frame)}.`, citeLatest(first.sources, frame)), ...contested(first)]
}

/** Whether what is asked about is so. Only what was said is called true or false. */
export function answerWhether(slot: Slot, asked: Value, found: Found, other: readonly Fact[], frame: Frame): Reply {
  const holds = found.state === 'known' || found.state === 'contested'
  const same = (fact: Fact): boolean => sameWords(fact.value, asked)
  const yes = holds ? found.facts.find(same) : undefined
  if (yes !== undefined) return [line(`Yes: ${clause(yes)}, ${since(yes, frame)}.`, citeLatest(yes.sources, frame))]
  const no = other.find(same)
  if (no !== undefined) return [line(`No: ${clause(no)}, ${since(no, frame)}.`, citeLatest(no.sources, frame))]
  const known = holds ? [...found.facts, ...other] : other
  if (known.length === 0)
    return found.state === 'never' ? [line('I do not know: nobody said so.')] : answerNow(slot, found, frame)
  return [
    line('Nobody said that to me. What I know:'),
    ...known.map(fact => item(`${sentenceCase(clauseAt(fact, frame.now))}, ${since(fact, frame)}`, fact, frame)),
  ]
}

/**
 * What held in a span of time. "On June 2: July 15, 2026. You said on June 1: “…”"
 *
 * @param facts those that held at some moment of the span
 * @param known every fact of the slot, by validFrom
 */
export function answerSpan(slot: Slot, facts: readonly Fact[], known: readonly Fact[], when: string, frame: Frame): Reply {
  const [only] = facts
  if (only === undefined)
    return [
      line(
        `${sentenceCase(when)}: nothing that I know about ${topicWords(slot.subject, slot.attribute)}.${beginning(known, frame)}`,
      ),
    ]
  if (facts.length === 1) return [line(`${sentenceCase(when)}: ${plainValue(only)}.`, citeLatest(only.sources, frame))]
  return [line(`${sentenceCase(when)}:`), ...history(facts, frame)]
}

/** Everything that a slot has held. */
export function answerHistory(slot: Slot, facts: readonly Fact[], found: Found, frame: Frame): Reply {
  if (facts.length === 0) return answerNow(slot, found, frame)
  const [only] = facts
  if (facts.length === 1 && only !== undefined)
    return [line(`Only one value was ever said: ${plainValue(only)}, ${since(only, frame)}.`, citeLatest(only.sources, frame))]
  return history(facts, frame)
}

/** Everything that holds about somebody. */
export function answerEverything(subject: string, facts: readonly Fact[], others: readonly string[], frame: Frame): Reply {
  const who = whom(subject)
  const also = others.length === 0 ? [] : [line(`I also know something about ${others.map(whom).join(', ')}.`)]
  if (facts.length === 0) return [line(`I know nothing about ${who} yet.`), ...also]
  const rest = facts.length > MOST_LISTED ? [line(`And ${facts.length - MOST_LISTED} more facts, listed under Memory.`)] : []
  return [
    line(subject === SELF ? 'This is what I know about you:' : `This is what I know about ${who}:`),
    ...facts
      .slice(0, MOST_LISTED)
      .map(fact => item(`${sentenceCase(clauseAt(fact, frame.now))}, ${since(fact, frame)}`, fact, frame)),
    ...rest,
    ...also,
  ]
}

function history(facts: readonly Fact[], frame: Frame): Line[] {
  return facts.map(fact => item(`${sentenceCase(plainValue(fact))}, ${since(fact, frame)}`, fact, frame))
}

function item(text: string, fact: Fact, frame: Frame): Line {
  return { text: `${text}.`, citations: citeLatest(fact.sources, frame), item: true }
}

/** A value that says everything by itself is said alone: after "When is my passport deadline?" a date is enough. */
function short(fact: Fact, frame: Frame): string {
  const words = clause(fact)
  if (words === `${slotWords(fact.subject, fact.attribute)} is ${valueWords(fact.value)}`)
    return sentenceCase(valueWords(fact.value))
  const whole = `${words}, ${since(fact, frame)}`
  return typeof fact.value === 'boolean' ? `${fact.value ? 'Yes' : 'No'}: ${whole}` : sentenceCase(whole)
}

function plainValue(fact: Fact): string {
  return typeof fact.value === 'boolean' ? clause(fact) : valueWords(fact.value)
}

function since(fact: Fact, frame: Frame): string {
  return periodWords(fact.validFrom, fact.validTo, frame)
}

function contested(fact: Fact): Line[] {
  if (fact.contested.length === 0) return []
  const others = fact.contested.map(({ value }) => (value === undefined ? 'that it ended' : valueWords(value))).join(', ')
  return [line(`Also said for the same moment: ${others}. You can decide under Memory.`)]
}

function beginning(known: readonly Fact[], frame: Frame): string {
  const [first] = known
  return first === undefined ? '' : ` What I know begins ${onDay(first.validFrom, frame)}.`
}

function sameWords(a: Value, b: Value): boolean {
  const fold = (value: Value): string =>
    typeof value === 'string' ? value.normalize('NFKC').toLowerCase().trim() : JSON.stringify(value)
  return fold(a) === fold(b)
}
