/** The talk as memory has it: what the person said, each with the assistant's reply. */
import type { Episode } from '@palimpsest/core'
import type { Home } from '../home/home.ts'
import { answeredBy, TALK } from '../talk/marks.ts'

export interface Turn {
  readonly said: Episode
  /** Undefined while the assistant has not answered yet. */
  readonly answer: Episode | undefined
}

export interface Turns {
  /** The latest, oldest of them first. */
  readonly turns: readonly Turn[]
  /** How many came before these. */
  readonly earlier: number
}

const PAGE = 1000

export async function readTurns({ person }: Home, count: number): Promise<Turns> {
  const said: Episode[] = []
  const answers = new Map<string, Episode>()
  let after: string | undefined
  do {
    const page = await person.episodes({ tag: TALK, limit: PAGE, ...(after === undefined ? {} : { after }) })
    for (const episode of page.episodes) {
      const to = answeredBy(episode.tags)
      if (to !== undefined && episode.author === 'assistant') answers.set(to, episode)
      else if (episode.author === 'user') said.push(episode)
    }
    after = page.next ?? undefined
  } while (after !== undefined)
  const shown = said.slice(-count)
  return {
    turns: shown.map(episode => ({ said: episode, answer: answers.get(episode.id) })),
    earlier: said.length - shown.length,
  }
}
