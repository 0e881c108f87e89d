/** The reading calls of one tenant's handle: arguments to query, query to answer. */
import { MemoryError } from './errors.ts'
import { episodeRecordOf, listEpisodes, toEpisode } from './ledger/episode-reads.ts'
import { holding, listFacts, standing, toFact, type ReadPoint } from './ledger/reads.ts'
import { explain, findRun, waiting } from './ledger/why.ts'
import type { Episode, EpisodesPage, Explanation, Fact, FactsPage, Standing } from './memory.ts'
import { assertJson } from './records/json.ts'
import { nameKey } from './records/name.ts'
import { clockBound } from './time/hybrid-clock.ts'
import { parseInstant } from './time/instant.ts'
import { AUTHORS, KINDS } from './write/record-episode.ts'
import { idText, objectInput, oneOf, optionalFlag, optionalText, pageLimit } from './write/input.ts'
import { definitionOf } from './write/value.ts'
import type { Surroundings } from './write/writer.ts'

type Fields = Readonly<Record<string, unknown>>

export class TenantReads {
  readonly #around: Surroundings
  /** -1 for a tenant that has no records: nothing is found. */
  readonly #tenant: number

  constructor(around: Surroundings, tenant: number) {
    this.#around = around
    this.#tenant = tenant
  }

  call(method: string, args: readonly unknown[]): unknown {
    const [first, second, third] = args
    const state = this.#around.state
    switch (method) {
      case 'get':
        return this.get(first, second, this.#fields(third))
      case 'standing':
        return this.standing(first, second, this.#fields(third))
      case 'facts':
        return this.facts(this.#fields(first))
      case 'fact':
        return this.fact(first, this.#fields(second))
      case 'why':
        return this.why(first)
      case 'review':
        return waiting(state, this.#tenant)
      case 'episode':
        return this.episode(first)
      case 'episodes':
        return this.episodes(this.#fields(first))
      default:
        throw new MemoryError('INVALID_ARGUMENT', `There is no call ${method}`, { field: 'method' })
    }
  }

  get(subject: unknown, attribute: unknown, options: Fields): Fact | readonly Fact[] | undefined {
    const key = nameKey(attribute, 'attribute')
    const definition = definitionOf(this.#around.schema, key)
    const facts = holding(this.#around.state, this.#tenant, nameKey(subject, 'subject'), key, this.#point(options))
    const recorded = this.#around.state.projection(this.#tenant).attributes.get(key)
    return (definition?.many ?? recorded?.many ?? false) ? facts : facts[0]
  }

  standing(subject: unknown, attribute: unknown, options: Fields): Standing {
    const key = nameKey(attribute, 'attribute')
    definitionOf(this.#around.schema, key)
    return standing(this.#around.state, this.#tenant, nameKey(subject, 'subject'), key, this.#point(options))
  }

  facts(filter: Fields): FactsPage {
    const value = filter['value']
    if (value !== undefined) assertJson(value, 'value')
    const query = {
      subject: filter['subject'] === undefined ? undefined : nameKey(filter['subject'], 'subject'),
      attribute: filter['attribute'] === undefined ? undefined : nameKey(filter['attribute'], 'attribute'),
      value,
      history: optionalFlag(filter['history'], 'history'),
      after: optionalText(filter['after'], 'after'),
      limit: pageLimit(filter['limit']),
    }
    return listFacts(this.#around.state, this.#tenant, query, this.#point(filter))
  }

  fact(id: unknown, options: Fields): Fact | undefined {
    const found = findRun(this.#around.state, this.#tenant, idText(id, 'id'), this.#bound(options))
    if (found === undefined) return undefined
    if (options['at'] !== undefined) {
      const { at } = this.#point(options)
      if (found.run.from > at || (found.run.to !== null && found.run.to <= at)) return undefined
    }
    return toFact(this.#around.state, found)
  }

  why(id: unknown): Explanation {
    const { state } = this.#around
    const name = idText(id, 'id')
    const found = findRun(state, this.#tenant, name)
    if (found !== undefined) return explain(state, this.#tenant, found)
    if (state.db.first('select 1 from erased_assertion where tenant = ? and id = ?', [this.#tenant, name]))
      throw new MemoryError('ERASED', 'What has this id was forgotten', { field: 'id' })
    throw new MemoryError('NOT_FOUND', 'No fact has this id', { field: 'id' })
  }

  episode(id: unknown): Episode | undefined {
    const record = episodeRecordOf(this.#around.state, this.#tenant, idText(id, 'id'))
    return record === undefined ? undefined : toEpisode(record)
  }

  episodes(filter: Fields): EpisodesPage {
    return listEpisodes(this.#around.state, this.#tenant, {
      session: optionalText(filter['session'], 'session'),
      kind: filter['kind'] === undefined ? undefined : oneOf(filter['kind'], KINDS, 'kind'),
      author: filter['author'] === undefined ? undefined : oneOf(filter['author'], AUTHORS, 'author'),
      tag: optionalText(filter['tag'], 'tag'),
      entity: optionalText(filter['entity'], 'entity'),
      uri: optionalText(filter['uri'], 'uri'),
      place: optionalText(filter['place'], 'place'),
      retention: optionalText(filter['retention'], 'retention'),
      atMs: filter['at'] === undefined ? undefined : this.#instant(filter['at'], 'at'),
      bound: this.#bound(filter),
      after: optionalText(filter['after'], 'after'),
      limit: pageLimit(filter['limit']),
    })
  }

  #fields(value: unknown): Fields {
    return value === undefined || value === null ? {} : objectInput(value, 'options')
  }

  #instant(value: unknown, field: string): number {
    return parseInstant(value, { field, timeZone: this.#around.timeZone })
  }

  /** Default: now, by the hybrid clock, so that a correction made against a fast clock elsewhere is not in the future. */
  #point(options: Fields): ReadPoint {
    const atMs = options['at'] === undefined ? this.#around.clock.nowMs() : this.#instant(options['at'], 'at')
    return { at: Math.floor(atMs / 1000), bound: this.#bound(options) }
  }

  #bound(options: Fields): string | undefined {
    return options['knownAt'] === undefined ? undefined : clockBound(this.#instant(options['knownAt'], 'knownAt'))
  }
}
