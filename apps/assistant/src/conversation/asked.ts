/** Questions: what a text asks, and what memory answers, as it stood when it was asked. */
import { parseInstant, type Episode, type Fact } from '@palimpsest/core'
import { readQuestion, type Question, type ValueQuestion } from '@palimpsest/extract'
import type { Home } from '../home/home.ts'
import { answerEverything, answerHistory, answerNow, answerSpan, answerWhether, type Found, type Slot } from '../talk/answer.ts'
import { onDay, spanWords, type Frame } from '../talk/dates.ts'
import type { Reply } from '../talk/reply.ts'
import { unclear } from '../talk/noted.ts'
import { knownSlots } from './known-slots.ts'

/** How many texts before a question decide what "it" means. */
const PREVIOUS = 8
const PAGE = 1000

/** By episode: reading a question takes far longer than answering it, and a text asks the same until it is blacked out. */
const read = new Map<string, { readonly text: string; readonly question: Question | undefined }>()

/** Undefined where the text is no question, or none that is understood. */
export async function readAsked(home: Home, said: Episode): Promise<Question | undefined> {
  const kept = read.get(said.id)
  if (kept?.text === said.text) return kept.question
  const [previous, known] = await Promise.all([textsBefore(home, said), knownSlots(home)])
  const question = readQuestion(said.text, { at: said.at, timeZone: said.timeZone ?? home.timeZone, previous, known })
  read.set(said.id, { text: said.text, question })
  return question
}

/** @param knownAt what memory had learned by then is what is answered from */
export async function answerAsked(home: Home, said: Episode, frame: Frame, knownAt: string): Promise<Reply> {
  const question = await readAsked(home, said)
  // The words were forgotten, or what they speak of was.
  if (question === undefined) return [unclear]
  const then = { at: said.at, knownAt }
  if (question.kind === 'everything') {
    const { subject } = question
    const [{ facts }, known] = await Promise.all([home.person.facts({ subject, limit: PAGE, ...then }), knownSlots(home)])
    const others = subject === 'user' ? [...new Set(known.map(slot => slot.subject))].filter(name => name !== subject) : []
    return answerEverything(subject, facts, others, frame)
  }
  return answerValue(home, question, then, frame)
}

interface Then {
  readonly at: string
  readonly knownAt: string
}

async function answerValue({ person }: Home, question: ValueQuestion, then: Then, frame: Frame): Promise<Reply> {
  const { subject, attributes, mode, value } = question
  const all = await Promise.all(
    attributes.map(async attribute => ({
      slot: { subject, attribute },
      found: (await person.standing(subject, attribute, then)) as Found,
    })),
  )
  const best = all.find(({ found }) => found.state !== 'never') ?? all[0]
  if (best === undefined) return [unclear]
  if (mode === 'now') {
    if (value === undefined) return answerNow(best.slot, best.found, frame)
    const rest = all.filter(one => one !== all[0] && (one.found.state === 'known' || one.found.state === 'contested'))
    return answerWhether(
      best.slot,
      value,
      all[0]?.found ?? best.found,
      rest.flatMap(({ found }) => found.facts),
      frame,
    )
  }
  const histories = await Promise.all(all.map(({ slot }) => historyOf(person, slot, then.knownAt)))
  const index = Math.max(
    histories.findIndex(facts => facts.length > 0),
    0,
  )
  const facts = histories[index] ?? []
  const { slot, found } = all[index] ?? best
  if (mode === 'history' || question.at === undefined) return answerHistory(slot, facts, found, frame)
  const span = spanOf(question.at, question.until, frame)
  const inside = facts.filter(
    fact => Date.parse(fact.validFrom) < span.until && (fact.validTo === null || Date.parse(fact.validTo) > span.from),
  )
  return answerSpan(slot, inside, facts, span.words, frame)
}

async function historyOf(person: Home['person'], slot: Slot, knownAt: string): Promise<readonly Fact[]> {
  const { facts } = await person.facts({ ...slot, history: true, limit: PAGE, knownAt })
  return facts.toSorted((a, b) => Date.parse(a.validFrom) - Date.parse(b.validFrom))
}

/** A bare date is its whole day, a date with another after it all days before that one, an instant its second. In ms since 1970. */
function spanOf(
  at: string,
  until: string | undefined,
  frame: Frame,
): { readonly from: number; readonly until: number; readonly words: string } {
  const start = (date: string): number => parseInstant(date, { field: 'at', timeZone: frame.timeZone })
  const from = start(at)
  if (at.length > 10) return { from, until: from + 1000, words: onDay(at, frame) }
  const end = start(until ?? new Date(Date.parse(at) + 86_400_000).toISOString().slice(0, 10))
  return { from, until: end, words: until === undefined ? onDay(new Date(from).toISOString(), frame) : spanWords(at, until) }
}

/** The latest texts of the same talk before this one, oldest first. */
async function textsBefore(
  { person }: Home,
  said: Episode,
): Promise<readonly { readonly author: Episode['author']; readonly text: string }[]> {
  if (said.session === undefined) return []
  let before: Episode[] = []
  let after: string | undefined
  do {
    const page = await person.episodes({
      session: said.session,
      at: said.at,
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    })
    before = [...before, ...page.episodes].slice(-PREVIOUS - 2)
    after = page.next ?? undefined
  } while (after !== undefined)
  const own = before.findIndex(({ id }) => id === said.id)
  return before.slice(0, own < 0 ? undefined : own).slice(-PREVIOUS)
}
