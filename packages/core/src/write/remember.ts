/** `remember`: keeps the episode, asks the extractor, and puts every candidate through the gate. */
import { MemoryError } from '../errors.ts'
import type { CurrentValue, ExtractionInput, Extractor, MemoryUpdate } from '../extractor.ts'
import { episodeRecordOf } from '../ledger/episode-reads.ts'
import { listFacts } from '../ledger/reads.ts'
import type { LedgerState } from '../ledger/state.ts'
import type { Outcome } from '../memory.ts'
import type { AttributeDefinition } from '../schema/define-schema.ts'
import { admit } from './gate.ts'
import type { Surroundings, Writer } from './writer.ts'

/** Most episodes of the session, and most facts, that an extractor is shown. */
const SHOWN_EPISODES = 8
const SHOWN_FACTS = 200

/** What the extractor is shown. Reads only. */
export function extractionInput(
  around: Surroundings,
  state: LedgerState,
  tenant: number,
  episodeId: string,
  signal: AbortSignal | undefined,
): ExtractionInput {
  const episode = episodeRecordOf(state, tenant, episodeId)
  if (episode === undefined) throw new MemoryError('NOT_FOUND', 'The episode is not in this memory', { field: 'episode' })
  const atMs = Date.parse(episode.at)
  const session = episode.session
  const earlier = session === undefined ? [] : lastEpisodes(state, tenant, session, atMs, episode.clock)
  const { facts } = listFacts(
    state,
    tenant,
    { subject: undefined, attribute: undefined, value: undefined, history: false, after: undefined, limit: 1000 },
    { at: Math.floor(atMs / 1000), bound: undefined },
  )
  const current = facts
    .toSorted((a, b) => (a.recordedAt < b.recordedAt ? -1 : 1))
    .slice(-SHOWN_FACTS)
    .map(({ subject, attribute, value, validFrom }): CurrentValue => ({ subject, attribute, value, validFrom }))
  const attributes = Object.entries<AttributeDefinition>(around.schema.attributes).map(([name, { many, description }]) => [
    name,
    { many: many ?? false, ...(description === undefined ? {} : { description }) },
  ])
  return {
    text: episode.text,
    author: episode.author,
    at: episode.at,
    timeZone: episode.timeZone ?? around.timeZone,
    previous: earlier,
    current,
    attributes: Object.fromEntries(attributes) as ExtractionInput['attributes'],
    ...(signal === undefined ? {} : { signal }),
  }
}

function lastEpisodes(
  state: LedgerState,
  tenant: number,
  session: string,
  atMs: number,
  clock: string,
): ExtractionInput['previous'] {
  const rows = state.db.all<[string, string]>(
    `select body ->> '$.author', body ->> '$.text' from episode
     where tenant = ? and session = ? and shown = 1 and (at_ms, clock) < (?, ?) order by at_ms desc, clock desc limit ${SHOWN_EPISODES}`,
    [tenant, session, atMs, clock],
  )
  return rows.toReversed().map(([author, text]) => ({ author: author as ExtractionInput['author'], text }))
}

/** @throws {MemoryError} EXTRACTION_FAILED with what the extractor said */
export async function extract(extractor: Extractor, input: ExtractionInput): Promise<readonly MemoryUpdate[]> {
  try {
    const candidates: unknown = await extractor.extract(input)
    if (!Array.isArray(candidates)) throw new TypeError('it did not answer with a list')
    return candidates as readonly MemoryUpdate[]
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new MemoryError(
      'EXTRACTION_FAILED',
      `The extractor ${extractor.name} failed: ${reason}`,
      { extractor: extractor.name, reason },
      { cause },
    )
  }
}

/** Admits every candidate and keeps the extraction record: what was read, by whom, and what became of it. */
export function admitAll(writer: Writer, episode: string, extractor: Extractor, candidates: readonly MemoryUpdate[]): Outcome[] {
  const outcomes = candidates.map(candidate => admit(writer, episode, candidate))
  writer.write({
    kind: 'extraction',
    id: writer.around.newId(),
    clock: writer.tick(),
    episode,
    extractor: extractor.name,
    version: extractor.version,
    outcomes: outcomes.map(({ code, assertion }) => (assertion === undefined ? { code } : { code, assertion })),
  })
  return outcomes
}

/** True where a value that the extractor was shown has changed since: what it concluded rests on what is no longer so. */
export function restsOnOldValues(
  state: LedgerState,
  tenant: number,
  shown: ExtractionInput,
  around: Surroundings,
  episode: string,
): boolean {
  const now = extractionInput(around, state, tenant, episode, undefined)
  const key = (values: readonly CurrentValue[]): string =>
    JSON.stringify(values.map(value => [value.subject, value.attribute, value.value]))
  return key(now.current) !== key(shown.current)
}
