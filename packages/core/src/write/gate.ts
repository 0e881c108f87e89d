/**
 * The gate, first cut: what becomes of a candidate. Decided in code, each with a reason code; a model only proposes.
 *
 * | code | when |
 * |---|---|
 * | stored, held | it passed; held where the attribute's policy asks |
 * | no_change | the extractor said so; a value said again is stored, as another piece of evidence |
 * | malformed | a field is missing, blank or not what it should be |
 * | attribute_refused, value_refused | the schema says no |
 * | quote_not_found | the evidence does not stand in the episode |
 * | conflict | another value starts at the same second |
 * | nothing_to_retract | nothing holds that could end |
 */
import { MemoryError, type ErrorCode } from '../errors.ts'
import type { MemoryUpdate } from '../extractor.ts'
import { holding } from '../ledger/reads.ts'
import type { Outcome } from '../memory.ts'
import { canonicalJson } from '../records/json.ts'
import { nameKey } from '../records/name.ts'
import { savepoint } from '../sql/database.ts'
import { parseSecond } from '../time/instant.ts'
import { stateFact } from './state-fact.ts'
import type { Writer } from './writer.ts'

const CODES: Partial<Record<ErrorCode, Outcome['code']>> = {
  VALUE_REFUSED: 'value_refused',
  UNKNOWN_ATTRIBUTE: 'attribute_refused',
  QUOTE_NOT_FOUND: 'quote_not_found',
  CONFLICT: 'conflict',
}

const CHANGES: ReadonlySet<string> = new Set(['new', 'update', 'retract', 'no_change'])

/**
 * Puts one candidate through the gate and writes it where it passes. A refusal leaves nothing behind and never throws.
 * @param episode id of the episode that the candidate was read from, recorded in this tenant
 */
export function admit(writer: Writer, episode: string, candidate: MemoryUpdate): Outcome {
  if (typeof candidate !== 'object' || candidate === null)
    return { subject: '', attribute: '', change: 'new', code: 'malformed', message: 'a candidate must be an object' }
  const { subject, attribute, change } = candidate
  const named = { subject, attribute, change }
  const shown = candidate.value === null || candidate.value === undefined ? named : { ...named, value: candidate.value }
  if (!CHANGES.has(candidate.change))
    return { ...shown, change: 'new', code: 'malformed', message: 'change is not one of new, update, retract, no_change' }
  if (typeof candidate.evidence !== 'string' || candidate.evidence === '')
    return { ...shown, code: 'malformed', message: 'evidence must be the passage that says so' }
  if (candidate.change === 'no_change') return { ...shown, code: 'no_change' }
  const mark = writer.items.length
  try {
    return savepoint(writer.state.db, () => ({ ...shown, ...write(writer, episode, candidate) }))
  } catch (error) {
    writer.items.length = mark
    writer.state.dropCaches()
    if (!MemoryError.is(error)) throw error
    return { ...shown, code: CODES[error.code] ?? 'malformed', message: error.message }
  }
}

function write(writer: Writer, episode: string, candidate: MemoryUpdate): Pick<Outcome, 'code' | 'assertion'> {
  const input = {
    subject: candidate.subject,
    attribute: candidate.attribute,
    from: episode,
    quote: candidate.evidence,
    confidence: candidate.confidence,
    ...(candidate.valid_from === null ? {} : { validFrom: candidate.valid_from }),
    ...(candidate.valid_until === null ? {} : { validUntil: candidate.valid_until }),
  }
  const { state, tenant } = writer
  const now = Math.floor(writer.around.clock.nowMs() / 1000)
  const at =
    candidate.valid_from === null
      ? now
      : parseSecond(candidate.valid_from, { field: 'valid_from', timeZone: writer.around.timeZone })
  const current = holding(state, tenant, nameKey(candidate.subject, 'subject'), nameKey(candidate.attribute, 'attribute'), {
    at: Math.min(at, now),
    bound: undefined,
  })
  if (candidate.change === 'retract') {
    const value = candidate.value ?? undefined
    const ends =
      value === undefined || !state.isMany(tenant, nameKey(candidate.attribute, 'attribute'))
        ? current
        : current.filter(fact => canonicalJson(fact.value) === canonicalJson(value))
    if (ends.length === 0) return { code: 'nothing_to_retract' }
    const { confidence: _, ...retraction } = input
    const { id, status } = stateFact(writer, 'retraction', value === undefined ? retraction : { ...retraction, value })
    return { code: status === 'held' ? 'held' : 'stored', assertion: id }
  }
  // Said again, it is another piece of evidence for what holds: stored, so that the fact is confirmed and not multiplied.
  const { id, status } = stateFact(writer, 'value', { ...input, value: candidate.value })
  return { code: status === 'held' ? 'held' : 'stored', assertion: id }
}
