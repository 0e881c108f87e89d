/** What became of a statement, in sentences. */
import type { Fact } from '@palimpsest/core'
import { clause, clauseAt, tenseOf, type Said } from './clauses.ts'
import { dayWords, periodWords, type Frame } from './dates.ts'
import type { Refusal } from './marks.ts'
import { line, type Line } from './reply.ts'
import { valueWords } from './values.ts'

/**
 * "Noted: your passport deadline is June 30, 2026, from today. It was July 15, 2026 before."
 *
 * @param again it was known before this was said
 * @param before the fact that it replaced
 */
export function noted(
  fact: Fact,
  frame: Frame,
  { again = false, before }: { readonly again?: boolean; readonly before?: Fact | undefined } = {},
): Line {
  const period = periodWords(fact.validFrom, fact.validTo, frame)
  if (again) return line(`Noted once more: ${clauseAt(fact, frame.now)}, ${period}.`)
  return line(`Noted: ${clauseAt(fact, frame.now)}, ${period}.${beforeWords(fact, before, frame)}`)
}

/** A flag that turned says itself what was before. */
function beforeWords(fact: Fact, before: Fact | undefined, frame: Frame): string {
  if (before === undefined || typeof before.value === 'boolean' || before.attribute !== fact.attribute) return ''
  const words = valueWords(before.value)
  return tenseOf(fact, frame.now) === 'future' ? ` Until then it is ${words}.` : ` It was ${words} before.`
}

export function known(fact: Fact, frame: Frame): Line {
  return line(`I know that already: ${clauseAt(fact, frame.now)}, ${periodWords(fact.validFrom, fact.validTo, frame)}.`)
}

export function held(said: Said): Line {
  return line(`This waits for you to confirm it, under Memory: ${clause(said)}.`)
}

/** What held until it was said to be over: "Noted: you worked at Acme, until today." */
export function ended(fact: Fact, frame: Frame): Line {
  if (fact.validTo === null) return line(`That holds again: ${clauseAt(fact, frame.now)}.`)
  const last = dayWords(fact.validTo, frame)
  return line(`Noted: ${clauseAt(fact, frame.now)}, until ${last}. It stays in the history.`)
}

/** In place of a fact that a reply named and that is no longer there. */
export const forgotten: Line = line('What was noted here was forgotten.')

/** In place of a statement that was held and has been decided or forgotten since. */
export const decided: Line = line('This waited for you to confirm it; it waits no longer.')

export const unclear: Line = line(
  'I did not understand that, so nothing was noted. Try a plain statement, \u201cMy passport deadline is July 15, 2026\u201d, or a question, \u201cWhen is my passport deadline?\u201d',
)

const REFUSALS: Readonly<Record<Refusal, string>> = {
  malformed: 'Part of that could not be read as a fact; that part was not noted.',
  quote_not_found: 'Part of that could not be read as a fact; that part was not noted.',
  attribute_refused: 'That is a kind of fact that this memory does not take; it was not noted.',
  value_refused: 'The value does not fit what is expected there; it was not noted.',
  conflict:
    'Another value already starts at the same second; nothing was changed. Say it again, or correct the fact under Memory.',
  nothing_to_retract: 'Nothing like that is known, so nothing ended.',
}

export function refused(code: Refusal): Line {
  return line(REFUSALS[code] ?? 'That was not noted.')
}

/** In place of a statement that was written and does not hold: another one starts at the same second and counts for more. */
export const outweighed: Line = line('Noted, but another statement for the same moment counts for more, so it does not hold.')
