/** Reads of episodes. */
import type { Author, Episode, EpisodeKind, EpisodesPage } from '../memory.ts'
import type { EpisodeRecord } from '../records/episode.ts'
import { clockMs } from '../time/hybrid-clock.ts'
import { formatMs } from '../time/instant.ts'
import { parseCursor } from './cursor.ts'
import type { LedgerState } from './state.ts'

export interface EpisodesQuery {
  readonly session: string | undefined
  readonly kind: EpisodeKind | undefined
  readonly author: Author | undefined
  readonly tag: string | undefined
  readonly entity: string | undefined
  readonly uri: string | undefined
  readonly place: string | undefined
  readonly retention: string | undefined
  /** Milliseconds, inclusive. */
  readonly atMs: number | undefined
  readonly bound: string | undefined
  readonly after: string | undefined
  readonly limit: number
}

export function episodeRecordOf(state: LedgerState, tenant: number, id: string): EpisodeRecord | undefined {
  const row = state.db.first<[string]>(
    'select x.body from episode_id e join episode x on x.ref = e.nr and x.shown = 1 where e.tenant = ? and e.id = ?',
    [tenant, id],
  )
  return row === undefined ? undefined : (JSON.parse(row[0]) as EpisodeRecord)
}

export function isErasedEpisode(state: LedgerState, tenant: number, id: string): boolean {
  return state.db.first('select 1 from episode_id where tenant = ? and id = ? and erased = 1', [tenant, id]) !== undefined
}

/** By their own time, then by when they were recorded, then by id. */
export function listEpisodes(state: LedgerState, tenant: number, query: EpisodesQuery): EpisodesPage {
  const conditions = ['x.tenant = ?1', 'x.shown = 1']
  const params: (string | number)[] = [tenant]
  const add = (condition: (n: number) => string, value: string | number | undefined): void => {
    if (value !== undefined) conditions.push(condition(params.push(value)))
  }
  const field = (name: string, value: string | undefined): void => add(n => `x.body ->> '$.${name}' = ?${n}`, value)
  const label = (name: string, value: string | undefined): void =>
    add(n => `exists (select 1 from json_each(x.body, '$.${name}') where value = ?${n})`, value)
  add(n => `x.session = ?${n}`, query.session)
  field('episodeKind', query.kind)
  field('author', query.author)
  field('uri', query.uri)
  field('place', query.place)
  field('retention', query.retention)
  label('tags', query.tag)
  label('entities', query.entity)
  add(n => `x.at_ms <= ?${n}`, query.atMs)
  add(n => `x.clock < ?${n}`, query.bound)
  if (query.after !== undefined) {
    const [atMs, clock, id] = parseCursor<[number, string, string]>(query.after, ['integer', 'text', 'text'])
    const first = params.push(atMs, clock, id) - 2
    conditions.push(`(x.at_ms, x.clock, e.id) > (?${first}, ?${first + 1}, ?${first + 2})`)
  }
  const rows = state.db.all<[number, string, string, string]>(
    `select x.at_ms, x.clock, e.id, x.body from episode x join episode_id e on e.nr = x.ref
     where ${conditions.join(' and ')} order by x.at_ms, x.clock, e.id limit ${query.limit + 1}`,
    params,
  )
  const page = rows.slice(0, query.limit)
  const last = page.at(-1)
  return {
    episodes: page.map(row => toEpisode(JSON.parse(row[3]) as EpisodeRecord)),
    next: rows.length > query.limit && last !== undefined ? JSON.stringify(last.slice(0, 3)) : null,
  }
}

export function toEpisode(record: EpisodeRecord): Episode {
  const { kind: _, clock, episodeKind, entities, tags, ...rest } = record
  return { ...rest, kind: episodeKind, entities: entities ?? [], tags: tags ?? [], recordedAt: formatMs(clockMs(clock)) }
}
