/** `merge`: records from an own backup or device, applied verbatim in one commit. */
import { MemoryError } from '../errors.ts'
import { applyRecords } from '../ledger/apply.ts'
import type { ChangeSet } from '../memory.ts'
import { clockMs } from '../time/hybrid-clock.ts'
import { parseRecord } from '../records/record.ts'
import type { Writer } from './writer.ts'

/** A clock further ahead than this is no clock of a device of the same person. */
const MAX_AHEAD_MS: number = 24 * 3600 * 1000

/** @throws {MemoryError} INVALID_ARGUMENT, TOO_LARGE for the first record that is not one; nothing is written then. */
export function mergeRecords(writer: Writer, input: unknown): ChangeSet {
  if (!Array.isArray(input)) throw new MemoryError('INVALID_ARGUMENT', 'records must be a list', { field: 'records' })
  const limit = writer.around.clock.nowMs() + MAX_AHEAD_MS
  const items = input.map((record: unknown, index) => {
    const parsed = parseRecord(record, `records[${index}]`)
    if (clockMs(parsed.clock) > limit)
      throw new MemoryError('INVALID_ARGUMENT', `records[${index}].clock is more than a day ahead`, {
        field: `records[${index}].clock`,
      })
    return { tenant: writer.tenantName, record: parsed }
  })
  for (const { record } of items) writer.around.clock.observe(record.clock)
  const changes = { added: 0, identical: 0 }
  for (const item of items) {
    const { added } = applyRecords(writer.state, [item])
    if (added > 0) {
      changes.added++
      writer.items.push(item)
    } else changes.identical++
  }
  return changes
}
