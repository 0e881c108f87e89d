/** Row codecs: assertions and episodes as records again. SQL is snake_case, records are camelCase; they meet here only. */
import { TRUST_ORDER, type AssertionRecord, type Evidence } from '../records/assertion.ts'
import type { JsonValue } from '../records/json.ts'
import { formatMs, formatSecond } from '../time/instant.ts'
import { WHOLE } from './assertion-rows.ts'
import type { LedgerState } from './state.ts'

const COLUMNS = `a.nr, a.id, s.subject, s.attribute, a.valid_from, a.valid_until, a.statement, a.value, a.trust, a.said_ms, a.said_offset,
  a.clock, a.actor, a.dated, a.born, a.reason, a.confidence, a.memory_type, a.schema_version, a.retention, a.standing, a.slot`

type Row = [
  number,
  string,
  string,
  string,
  number,
  number | null,
  number,
  string | null,
  number,
  number,
  number,
  string,
  AssertionRecord['by'],
  number,
  number,
  string | null,
  number | null,
  string,
  number,
  string | null,
  number,
  number,
]

/** An assertion as it stands in the tables. */
export interface StoredAssertion {
  readonly nr: number
  readonly slot: number
  readonly standing: boolean
  readonly record: AssertionRecord
}

/** Assertions by a condition on `a` (assertion) and `s` (slot). */
export function storedAssertions(
  state: LedgerState,
  where: string,
  params: readonly (string | number | null)[],
): StoredAssertion[] {
  return state.db
    .all<Row>(`select ${COLUMNS} from assertion a join slot s on s.nr = a.slot where ${where}`, params)
    .map(row => decode(state, row))
}

function decode(state: LedgerState, row: Row): StoredAssertion {
  const [
    nr,
    id,
    subject,
    attribute,
    from,
    until,
    statement,
    value,
    trust,
    saidMs,
    saidOffset,
    clock,
    by,
    dated,
    born,
    reason,
    confidence,
    memoryType,
    schemaVersion,
    retention,
    standing,
    slot,
  ] = row
  const record: AssertionRecord = {
    kind: 'assertion',
    id,
    clock,
    by,
    subject,
    attribute,
    statement: statement === 1 ? 'value' : 'retraction',
    ...(value === null ? {} : { value: JSON.parse(value) as JsonValue }),
    validFrom: formatSecond(from),
    validUntil: until === null ? null : formatSecond(until),
    dated: dated === 1,
    trust: TRUST_ORDER[trust] ?? 'assistant',
    saidAt: formatMs(saidMs),
    saidOffset,
    evidence: evidenceOf(state, nr),
    born: born === 1 ? 'accepted' : 'held',
    ...(reason === null ? {} : { reason }),
    ...(confidence === null ? {} : { confidence }),
    memoryType,
    schemaVersion,
    ...(retention === null ? {} : { retention }),
  }
  return { nr, slot, standing: standing === 1, record }
}

/** Sorted by episode and offsets, so that equal records are equal texts. */
function evidenceOf(state: LedgerState, nr: number): Evidence[] {
  return state.db
    .all<[string, number, number]>(
      'select e.id, v.start, v.stop from evidence v join episode_id e on e.nr = v.ref where v.assertion = ? order by e.id, v.start, v.stop',
      [nr],
    )
    .map(([episode, start, end]) => (start === WHOLE ? { episode } : { episode, start, end }))
}
