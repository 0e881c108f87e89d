/** `record`: keeps an episode as it came. */
import { MemoryError } from '../errors.ts'
import { episodeRecordOf, isErasedEpisode } from '../ledger/episode-reads.ts'
import { canonicalJson } from '../records/json.ts'
import type { Author, EpisodeKind } from '../memory.ts'
import { MAX_LABELS, type EpisodeRecord } from '../records/episode.ts'
import { checkTimeZone, formatMs, parseInstant } from '../time/instant.ts'
import { clockMs } from '../time/hybrid-clock.ts'
import { idText, objectInput, oneOf, optionalText, text, textList } from './input.ts'
import type { Writer } from './writer.ts'

export const AUTHORS: readonly Author[] = ['user', 'assistant', 'tool', 'document', 'event']
export const KINDS: readonly EpisodeKind[] = ['message', 'tool_result', 'event', 'file', 'confirmation']
const SHORT = ['session', 'uri', 'digest', 'speaker', 'place', 'retention'] as const
const MAX_SHORT = 4096

/** @returns the episode's id */
export function recordEpisode(writer: Writer, input: unknown): string {
  const fields = objectInput(input, 'episode')
  const id = fields['id'] === undefined ? writer.around.newId() : idText(fields['id'], 'id')
  const timeZone = fields['timeZone'] === undefined ? undefined : checkTimeZone(fields['timeZone'], 'timeZone')
  const given =
    fields['at'] === undefined
      ? undefined
      : formatMs(parseInstant(fields['at'], { field: 'at', timeZone: timeZone ?? writer.around.timeZone }))
  const entities = labels(fields['entities'], 'entities')
  const tags = labels(fields['tags'], 'tags')
  const stated = {
    author: oneOf(fields['author'], AUTHORS, 'author'),
    episodeKind: fields['kind'] === undefined ? ('message' as const) : oneOf(fields['kind'], KINDS, 'kind'),
    text: text(fields['text'], 'text'),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(entities === undefined ? {} : { entities }),
    ...(tags === undefined ? {} : { tags }),
    ...Object.fromEntries(SHORT.flatMap(name => (fields[name] === undefined ? [] : [[name, short(fields[name], name)]]))),
  }
  if (isErasedEpisode(writer.state, writer.tenant, id))
    throw new MemoryError('ERASED', 'The episode with this id was forgotten', { field: 'id' })
  const existing = episodeRecordOf(writer.state, writer.tenant, id)
  if (existing !== undefined) {
    const { kind: _kind, id: _id, clock: _clock, at, ...rest } = existing
    if (canonicalJson(rest) === canonicalJson(stated) && (given === undefined || given === at)) return id
    throw new MemoryError('ALREADY_EXISTS', 'An episode with this id and other content is there already', { field: 'id' })
  }
  const clock = writer.tick()
  const record: EpisodeRecord = { kind: 'episode', id, clock, at: given ?? formatMs(clockMs(clock)), ...stated }
  writer.write(record, 'episode')
  return id
}

function short(value: unknown, field: string): string | undefined {
  const result = optionalText(value, field)
  if (result !== undefined && result.length > MAX_SHORT)
    throw new MemoryError('TOO_LARGE', `${field} is longer than ${MAX_SHORT}`, { field })
  return result
}

function labels(value: unknown, field: string): readonly string[] | undefined {
  const list = textList(value, field)
  if (list !== undefined && list.length > MAX_LABELS)
    throw new MemoryError('TOO_LARGE', `${field} has more than ${MAX_LABELS} entries`, { field })
  // No label and an empty list say the same.
  if (list?.length === 0) return undefined
  return list?.map((each, index) => short(each, `${field}[${index}]`) as string)
}
