/** `assert` and `retract`: from a caller's words to an assertion record, or a refusal that names the field. */
import { MemoryError } from '../errors.ts'
import { episodeRecordOf, isErasedEpisode } from '../ledger/episode-reads.ts'
import { factId } from '../ledger/fact-builder.ts'
import { holdingIn, slotsOf, toFact } from '../ledger/reads.ts'
import type { Asserted, Author, Trust } from '../memory.ts'
import { TRUST_ORDER, type AssertionRecord, type Evidence } from '../records/assertion.ts'
import type { EpisodeRecord } from '../records/episode.ts'
import { assertJson, canonicalJson, MAX_DEPTH, MAX_VALUE_BYTES, utf8Bytes, type JsonValue } from '../records/json.ts'
import { nameKey } from '../records/name.ts'
import { clockMs } from '../time/hybrid-clock.ts'
import { formatMs, formatSecond, parseSecond } from '../time/instant.ts'
import { checkEqualSecond } from './equal-second.ts'
import { idText, objectInput, text } from './input.ts'
import { checkValue, definitionOf } from './value.ts'
import type { Writer } from './writer.ts'

export interface StateOptions {
  /** `correct` has rejected what was there: the policy for equal seconds has nothing to say. */
  readonly settled?: boolean
}

export function stateFact(
  writer: Writer,
  statement: 'value' | 'retraction',
  input: unknown,
  options: StateOptions = {},
): Asserted {
  const fields = objectInput(input, 'input')
  const subject = nameKey(fields['subject'], 'subject')
  const attribute = nameKey(fields['attribute'], 'attribute')
  const definition = definitionOf(writer.around.schema, attribute)
  const value = readValue(fields, statement)
  if (value !== undefined) checkValue(definition, value)
  const source = fields['from'] === undefined ? undefined : sourceEpisode(writer, fields['from'])
  const evidence = source === undefined ? [] : [locate(source, fields['quote'])]
  if (source === undefined && fields['quote'] !== undefined)
    throw new MemoryError('INVALID_ARGUMENT', 'quote needs the episode it stands in, in from', { field: 'from' })
  const id = newAssertionId(writer, fields['id'])

  const clock = writer.tick()
  const saidMs = source === undefined ? clockMs(clock) : Date.parse(source.at)
  const timeZone = source?.timeZone ?? writer.around.timeZone
  const dated = fields['validFrom'] !== undefined && fields['validFrom'] !== null
  const from = dated ? parseSecond(fields['validFrom'], { field: 'validFrom', timeZone }) : Math.floor(saidMs / 1000)
  const until =
    fields['validUntil'] === undefined || fields['validUntil'] === null
      ? null
      : parseSecond(fields['validUntil'], { field: 'validUntil', timeZone })
  if (until !== null && until <= from)
    throw new MemoryError('INVALID_INTERVAL', 'validUntil must be after validFrom', { field: 'validUntil' })
  if (fields['ifFact'] !== undefined) checkIfFact(writer, subject, attribute, value, from, fields['ifFact'])

  const confidence = readConfidence(fields['confidence'])
  const record: AssertionRecord = {
    kind: 'assertion',
    id,
    clock,
    by: writer.actor,
    subject,
    attribute,
    statement,
    ...(value === undefined ? {} : { value }),
    validFrom: formatSecond(from),
    validUntil: until === null ? null : formatSecond(until),
    dated,
    trust: trustOf(source?.author ?? writer.actor),
    saidAt: formatMs(saidMs),
    saidOffset: evidence[0]?.start ?? 0,
    evidence,
    born: 'accepted',
    ...(confidence === undefined ? {} : { confidence }),
    memoryType: definition?.type ?? 'fact',
    schemaVersion: writer.around.schema.version,
    ...(fields['retention'] === undefined ? {} : { retention: text(fields['retention'], 'retention') }),
  }
  const held = options.settled === true ? undefined : checkEqualSecond(writer, record, from)
  writer.write(held === undefined ? record : { ...record, born: 'held', reason: held })
  return held === undefined ? { id, status: 'accepted' } : { id, status: 'held', reason: held }
}

function trustOf(author: Author): Trust {
  return TRUST_ORDER.find(trust => trust === author) ?? 'assistant'
}

function readValue(fields: Readonly<Record<string, unknown>>, statement: 'value' | 'retraction'): JsonValue | undefined {
  const value = fields['value']
  if (statement === 'retraction' && value === undefined) return undefined
  if (value === undefined)
    throw new MemoryError('INVALID_VALUE', 'value is missing; false, 0 and "" are values, undefined is not', { field: 'value' })
  // The record adds one level around the value.
  assertJson(value, 'value', MAX_DEPTH - 1)
  if (utf8Bytes(canonicalJson(value)) > MAX_VALUE_BYTES)
    throw new MemoryError('TOO_LARGE', `value is over ${MAX_VALUE_BYTES} bytes`, { field: 'value' })
  return value
}

function readConfidence(value: unknown): number | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'number' || !(value >= 0 && value <= 1))
    throw new MemoryError('INVALID_ARGUMENT', 'confidence must be a number from 0 to 1', { field: 'confidence' })
  return value
}

/** @throws {MemoryError} NOT_FOUND, ERASED */
function sourceEpisode(writer: Writer, from: unknown): EpisodeRecord {
  const id = idText(from, 'from')
  const episode = episodeRecordOf(writer.state, writer.tenant, id)
  if (episode !== undefined) return episode
  if (isErasedEpisode(writer.state, writer.tenant, id))
    throw new MemoryError('ERASED', 'The source episode was forgotten', { field: 'from' })
  throw new MemoryError('NOT_FOUND', 'The source episode is not in this memory', { field: 'from' })
}

function locate(episode: EpisodeRecord, quote: unknown): Evidence {
  if (quote === undefined) return { episode: episode.id }
  const passage = text(quote, 'quote')
  if (passage === '') throw new MemoryError('INVALID_ARGUMENT', 'quote is empty', { field: 'quote' })
  const start = episode.text.indexOf(passage)
  if (start < 0) throw new MemoryError('QUOTE_NOT_FOUND', 'The quote does not stand in the source episode', { field: 'quote' })
  return { episode: episode.id, start, end: start + passage.length }
}

function newAssertionId(writer: Writer, given: unknown): string {
  if (given === undefined) return writer.around.newId()
  const id = idText(given, 'id')
  const { db } = writer.state
  if (db.first('select 1 from erased_assertion where tenant = ? and id = ?', [writer.tenant, id]))
    throw new MemoryError('ERASED', 'The assertion with this id was forgotten', { field: 'id' })
  if (db.first('select 1 from assertion where tenant = ? and id = ?', [writer.tenant, id]))
    throw new MemoryError('ALREADY_EXISTS', 'An assertion with this id is there already', { field: 'id' })
  return id
}

/** @throws {MemoryError} FACT_CHANGED */
function checkIfFact(
  writer: Writer,
  subject: string,
  attribute: string,
  value: JsonValue | undefined,
  at: number,
  expected: unknown,
): void {
  const { state, tenant } = writer
  const member = value !== undefined && state.isMany(tenant, attribute) ? canonicalJson(value) : ''
  const slots =
    member === '' ? slotsOf(state, tenant, subject, attribute) : [state.findSlot(tenant, subject, attribute, member) ?? -1]
  const found = slots.filter(slot => slot >= 0).flatMap(slot => holdingIn(state, slot, { at, bound: undefined }) ?? [])
  if (expected === null && found.length === 0) return
  const id = expected === null ? undefined : idText(expected, 'ifFact')
  if (id !== undefined && found.some(each => factId(each.run) === id || toFact(state, each).assertions.includes(id))) return
  throw new MemoryError('FACT_CHANGED', 'Another fact holds in this slot than ifFact names', {
    field: 'ifFact',
    holds: found.map(each => factId(each.run)),
  })
}
