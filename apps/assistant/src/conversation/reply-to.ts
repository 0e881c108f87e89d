/** The assistant's sentences for a turn, worked out from memory as it stood when they were said, minus what was forgotten since. */
import { MemoryError, type Episode } from '@palimpsest/core'
import type { Home } from '../home/home.ts'
import type { Frame } from '../talk/dates.ts'
import { marksOf, type Mark } from '../talk/marks.ts'
import { decided, ended, forgotten, held, known, noted, outweighed, refused, unclear } from '../talk/noted.ts'
import type { Reply } from '../talk/reply.ts'
import { answerAsked } from './asked.ts'
import type { Turn } from './turns.ts'

export async function replyTo(home: Home, { said, answer }: Turn): Promise<Reply> {
  if (answer === undefined) return []
  const frame: Frame = { now: said.at, timeZone: said.timeZone ?? home.timeZone }
  const lines: Reply[] = []
  for (const mark of marksOf(answer.tags)) lines.push(await linesOf(home, mark, said, answer, frame))
  return lines.flat()
}

async function linesOf(home: Home, mark: Mark, said: Episode, answer: Episode, frame: Frame): Promise<Reply> {
  if (mark.kind === 'unclear') return [unclear]
  if (mark.kind === 'refused') return [refused(mark.code)]
  if (mark.kind === 'asked') return answerAsked(home, said, frame, answer.recordedAt)
  const { person } = home
  const knownAt = answer.recordedAt
  if (mark.kind === 'held') {
    const waiting = (await person.review()).find(({ id }) => id === mark.id)
    return [waiting?.value === undefined ? decided : held({ ...waiting, value: waiting.value })]
  }
  const fact = await person.fact(mark.id, { knownAt })
  if (fact === undefined) return [(await isErased(home, mark.id)) ? forgotten : outweighed]
  if (mark.kind === 'known') return [known(fact, frame)]
  if (mark.kind === 'ended') return [ended(fact, frame)]
  const before = fact.supersedes === null ? undefined : await person.fact(fact.supersedes, { knownAt })
  return [noted(fact, frame, { again: fact.assertions[0] !== mark.id && fact.assertions.length > 1, before })]
}

async function isErased({ person }: Home, id: string): Promise<boolean> {
  try {
    await person.why(id)
    return false
  } catch (error) {
    if (MemoryError.is(error, 'ERASED')) return true
    if (MemoryError.is(error, 'NOT_FOUND')) return false
    throw error
  }
}
