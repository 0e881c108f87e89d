/** A neutral file, read once: what happened in its order, and what is asked afterwards. */
import { MalformedLine, parseLine, type EpisodeLine, type FactLine, type QuestionLine } from './line.ts'
import { readLines } from './read-lines.ts'

export interface FactEvent extends FactLine {
  readonly line: number
  /** When its episode was said, in ms: of two statements about one second the later said holds. */
  readonly saidMs: number
}

/** A question that names a slot. */
export interface SlotQuestion extends QuestionLine {
  readonly subject: string
  readonly attribute: string
  readonly line: number
}

export interface EpisodeEvent {
  readonly kind: 'episode'
  readonly episode: EpisodeLine
  readonly line: number
}

export type ReplayEvent = EpisodeEvent | { readonly kind: 'fact'; readonly fact: FactEvent }

export interface ReplayFile {
  /** In the order of the file. An episode that the file does not hold has an empty text. */
  readonly events: readonly ReplayEvent[]
  readonly facts: readonly FactEvent[]
  readonly questions: readonly SlotQuestion[]
  readonly tenants: readonly string[]
  /** In a file with `interval` or `add` every attribute is many-valued; elsewhere none. */
  readonly many: boolean
  /** Lines that are not what the format says. */
  readonly malformed: number
}

export type Complain = (line: number, reason: string) => void

/** Reads `path`; a malformed line is told to `complain` and left out. */
export async function readReplayFile(path: string, complain: Complain): Promise<ReplayFile> {
  const episodes = new Map<string, EpisodeEvent>()
  const facts: FactLineAt[] = []
  const questions: SlotQuestion[] = []
  let line = 0
  let malformed = 0
  for await (const text of readLines(path)) {
    line++
    if (text.trim() === '') continue
    try {
      const parsed = parseLine(text)
      if (parsed.kind === 'episode') {
        const key = episodeKey(parsed.body.tenant, parsed.body.id)
        if (episodes.has(key)) throw new MalformedLine(`episode.id: ${parsed.body.id} is there already`)
        episodes.set(key, { kind: 'episode', episode: parsed.body, line })
      } else if (parsed.kind === 'fact') facts.push({ ...parsed.body, line })
      else {
        const { subject, attribute } = parsed.body
        if (subject != null && attribute != null) questions.push({ ...parsed.body, subject, attribute, line })
      }
    } catch (error) {
      if (!(error instanceof MalformedLine)) throw error
      malformed++
      complain(line, error.message)
    }
  }
  return { ...inOrder(episodes, facts), questions, malformed }
}

type FactLineAt = FactLine & { readonly line: number }

/** Merges both kinds by line. A memory refuses a source that it does not hold: every source comes before its first fact. */
function inOrder(
  episodes: Map<string, EpisodeEvent>,
  facts: readonly FactLineAt[],
): Pick<ReplayFile, 'events' | 'facts' | 'tenants' | 'many'> {
  const waiting = [...episodes.values()]
  const there = new Set<EpisodeEvent>()
  const events: ReplayEvent[] = []
  const told: FactEvent[] = []
  let next = 0
  const arrive = (event: EpisodeEvent): void => {
    if (there.has(event)) return
    there.add(event)
    events.push(event)
  }
  const arriveUpTo = (line: number): void => {
    for (let event = waiting[next]; event !== undefined && event.line < line; event = waiting[++next]) arrive(event)
  }
  for (const fact of facts) {
    arriveUpTo(fact.line)
    const key = episodeKey(fact.tenant, fact.episode)
    let source = episodes.get(key)
    if (source === undefined) {
      source = {
        kind: 'episode',
        episode: { id: fact.episode, tenant: fact.tenant, at: fact.valid_from, text: '' },
        line: fact.line,
      }
      episodes.set(key, source)
    }
    arrive(source)
    const event = { ...fact, saidMs: Date.parse(source.episode.at) }
    told.push(event)
    events.push({ kind: 'fact', fact: event })
  }
  arriveUpTo(Infinity)
  return {
    events,
    facts: told,
    tenants: [...new Set(events.map(event => (event.kind === 'episode' ? event.episode.tenant : event.fact.tenant)))],
    many: facts.some(({ op }) => op === 'interval' || op === 'add'),
  }
}

function episodeKey(tenant: string, id: string): string {
  return JSON.stringify([tenant, id])
}
