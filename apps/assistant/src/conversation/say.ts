/** What happens when a person sends a text: it is remembered, and the assistant's reply is kept beside it. */
import type { Fact, Outcome } from '@palimpsest/core'
import type { Home } from '../home/home.ts'
import { TALK, replySummary, replyTags, type Mark } from '../talk/marks.ts'
import { readAsked } from './asked.ts'

/**
 * @returns the id of the person's episode
 * @throws {MemoryError} as `remember`; after EXTRACTION_FAILED the text is kept, without a reply
 */
export async function say(home: Home, text: string): Promise<string> {
  const { person, assistant, session, timeZone } = home
  const { episode: id, outcomes } = await person.remember({ text, author: 'user', session, timeZone, tags: [TALK] })
  const said = await person.episode(id)
  const marks: Mark[] = []
  for (const outcome of outcomes) marks.push(...(await marksOfOutcome(home, outcome, said?.recordedAt)))
  if (said !== undefined && (await readAsked(home, said)) !== undefined) marks.push({ kind: 'asked' })
  if (marks.length === 0) marks.push({ kind: 'unclear' })
  await assistant.record({ text: replySummary(marks), author: 'assistant', session, timeZone, tags: replyTags(id, marks) })
  return id
}

async function marksOfOutcome(home: Home, outcome: Outcome, saidAt: string | undefined): Promise<Mark[]> {
  const { code, subject, attribute, assertion } = outcome
  if (code === 'no_change') return (await factsOf(home, outcome)).map(({ id }) => ({ kind: 'known', id }))
  if (code !== 'stored' && code !== 'held') return [{ kind: 'refused', code }]
  if (outcome.change === 'retract' && code === 'stored') {
    const ended = await endedSince(home, subject, attribute, saidAt)
    return ended.map(({ id }) => ({ kind: 'ended', id }))
  }
  return assertion === undefined ? [] : [{ kind: code, id: assertion }]
}

/** What holds in the slot of an outcome; of many values only the one that it names. */
async function factsOf({ person }: Home, { subject, attribute, value }: Outcome): Promise<readonly Fact[]> {
  const { facts } = await person.facts({ subject, attribute })
  const same = facts.filter(fact => value === undefined || JSON.stringify(fact.value) === JSON.stringify(value))
  return same.length > 0 ? same : facts
}

/** The facts of a slot that got an end, or another one, since an instant of recorded time. */
async function endedSince(
  { person }: Home,
  subject: string,
  attribute: string,
  since: string | undefined,
): Promise<readonly Fact[]> {
  if (since === undefined) return []
  // The statement is recorded no earlier than its episode, and may be in the same millisecond.
  const knownAt = new Date(Date.parse(since) - 1)
  const [now, then] = await Promise.all([
    person.facts({ subject, attribute, history: true }),
    person.facts({ subject, attribute, history: true, knownAt }),
  ])
  return now.facts.filter(
    fact => fact.validTo !== null && then.facts.some(({ id, validTo }) => id === fact.id && validTo !== fact.validTo),
  )
}
