/**
 * A local write that starts at the same second as another value (DESIGN 3). A merge never comes here: precedence ranks.
 *
 * | policy | outcome |
 * |---|---|
 * | reject | CONFLICT |
 * | latest | stored; the one said later holds |
 * | trusted | stored if its trust is greater than that of all it meets, else CONFLICT |
 * | ask | stored held, with reason `conflict` |
 *
 * Two undated statements by one actor, with one trust, are a correction: stored, whatever the policy.
 */
import { MemoryError } from '../errors.ts'
import { storedAssertions } from '../ledger/rows.ts'
import { TRUST_ORDER, type AssertionRecord } from '../records/assertion.ts'
import { canonicalJson } from '../records/json.ts'
import type { Writer } from './writer.ts'

/**
 * @param from start of `record`, seconds
 * @returns the reason for which the record must be held; undefined where it may be accepted
 * @throws {MemoryError} CONFLICT
 */
export function checkEqualSecond(writer: Writer, record: AssertionRecord, from: number): string | undefined {
  const { state, tenant } = writer
  const many = state.isMany(tenant, record.attribute)
  const member = many && record.value !== undefined ? canonicalJson(record.value) : ''
  const slots =
    many && member === ''
      ? undefined
      : [
          state.findSlot(tenant, record.subject, record.attribute, member),
          many ? state.findSlot(tenant, record.subject, record.attribute, '') : undefined,
        ]
  const numbers = slots?.filter(slot => slot !== undefined)
  // What is said of all values meets what is said of each of them.
  const rivals = (
    numbers === undefined
      ? storedAssertions(state, 's.tenant = ? and s.subject = ? and s.attribute = ? and a.standing = 1 and a.valid_from = ?', [
          tenant,
          record.subject,
          record.attribute,
          from,
        ])
      : numbers.flatMap(slot => storedAssertions(state, 'a.slot = ? and a.standing = 1 and a.valid_from = ?', [slot, from]))
  ).map(stored => stored.record)
  const meets = rivals.filter(rival => says(rival) !== says(record))
  if (meets.length === 0) return undefined
  if (!record.dated && meets.every(rival => !rival.dated && rival.by === record.by && rival.trust === record.trust))
    return undefined
  const policy = state.projection(tenant).attributes.get(record.attribute)?.onEqualSecond ?? 'reject'
  const trust = TRUST_ORDER.indexOf(record.trust)
  if (policy === 'latest') return undefined
  if (policy === 'ask') return 'conflict'
  if (policy === 'trusted' && meets.every(rival => trust > TRUST_ORDER.indexOf(rival.trust))) return undefined
  throw new MemoryError('CONFLICT', `Another value of ${record.attribute} starts at ${record.validFrom}`, {
    field: 'validFrom',
    attribute: record.attribute,
    assertions: meets.map(rival => rival.id),
  })
}

function says(record: AssertionRecord): string {
  return record.statement === 'retraction' ? 'nothing' : canonicalJson({ value: record.value ?? null })
}
