/**
 * Asks every question that names an attribute, and compares with what the file says.
 *
 * `gold_value` null: nothing holds. An array: exactly these, in any order. Any other value: exactly this one. An attribute
 * `^name` asks backwards: every subject whose attribute `name` has the question's subject as value.
 *
 * Provenance is asked where an episode is named as evidence and something should hold: every fact in the answer has a
 * source among them.
 */
import { normalizeName } from '@palimpsest/core'
import type { Fact, Memory } from '@palimpsest/core'
import { canonical } from './canonical.ts'
import type { SlotQuestion } from './replay-file.ts'
import { allFacts, factsAt } from './read.ts'

export interface Verdict {
  readonly question: SlotQuestion
  readonly exact: boolean
  /** Null where the question asks for no evidence. */
  readonly supported: boolean | null
  /** What was wanted and what came, for people. */
  readonly wanted: string
  readonly got: string
}

/** Questions in flight together. */
const WINDOW = 256

export async function* ask(memory: Memory, questions: readonly SlotQuestion[]): AsyncGenerator<readonly Verdict[]> {
  for (let start = 0; start < questions.length; start += WINDOW)
    yield await Promise.all(questions.slice(start, start + WINDOW).map(question => askOne(memory, question)))
}

async function askOne(memory: Memory, question: SlotQuestion): Promise<Verdict> {
  const { subject, attribute, as_of: at } = question
  const tenant = memory.tenant(question.tenant)
  const backwards = attribute.startsWith('^')
  const facts = backwards
    ? await allFacts(tenant, { attribute: attribute.slice(1), value: subject, at })
    : await factsAt(tenant, subject, attribute, at)
  return judge(question, facts)
}

/** @param facts the memory's answer */
export function judge(question: SlotQuestion, facts: readonly Fact[]): Verdict {
  const { gold_value: gold, evidence } = question
  const backwards = question.attribute.startsWith('^')
  const list = gold === null ? [] : Array.isArray(gold) ? gold : [gold]
  const wanted = asSet(list.map(value => (backwards && typeof value === 'string' ? normalizeName(value) : canonical(value))))
  const got = asSet(facts.map(fact => (backwards ? fact.subject : canonical(fact.value))))
  const cited = new Set(evidence)
  return {
    question,
    exact: wanted === got,
    supported:
      evidence.length === 0 || list.length === 0
        ? null
        : facts.length > 0 && facts.every(fact => fact.sources.some(source => cited.has(source.episode))),
    wanted,
    got,
  }
}

/** One text for a set: sorted, without repetition. */
function asSet(values: readonly string[]): string {
  return `{${[...new Set(values)].toSorted().join(', ')}}`
}
