/**
 * The append, one transaction: all of `entries` or nothing, and never over what another tab wrote.
 *
 * | floor      | seq is stored | seq - 1 is stored | what it means                                                   |
 * |------------|---------------|-------------------|-----------------------------------------------------------------|
 * | >= seq     | any           | any               | `behind`                                                        |
 * | <  seq     | yes           | any               | `collision`                                                     |
 * | =  seq - 1 | no            | any               | `appended`                                                      |
 * | <  seq - 1 | no            | yes               | `appended`                                                      |
 * | <  seq - 1 | no            | no                | NOT_STORED, `gap`: the caller's head is not one of this journal |
 *
 * Requests are answered in the order in which they were made, so the floor is known before the first `add` can fail. Each
 * costs about a tenth of the commit: whether `seq - 1` is stored is asked only by a connection that has not seen it.
 */
import { MemoryError } from '@palimpsest/core'
import type { AppendOutcome, StoredEntry } from '@palimpsest/core'
import type { TransactionControl } from './one-shot.ts'
import { JOURNAL, META, imageState } from './rows.ts'

export function append(
  tx: IDBTransaction,
  control: TransactionControl<AppendOutcome>,
  rows: readonly StoredEntry[],
  first: number,
  seenUpTo: number,
): () => AppendOutcome {
  const journal = tx.objectStore(JOURNAL)
  let floor = 0
  const image = tx.objectStore(META).get('image')
  image.onsuccess = () => {
    floor = imageState(image.result).floor
    if (floor >= first) control.refuse('behind')
  }
  if (first - 1 > seenUpTo) {
    const previous = journal.getKey(first - 1)
    previous.onsuccess = () => {
      if (previous.result === undefined && floor < first - 1) control.fail(gap(first))
    }
  }
  for (const row of rows) {
    const add = journal.add(row)
    add.onerror = event => {
      // Only the request's own error is a ConstraintError in every engine; the transaction's differs.
      if (add.error?.name !== 'ConstraintError') return
      event.preventDefault()
      control.refuse('collision')
    }
  }
  return () => 'appended'
}

export function gap(seq: number): MemoryError {
  return new MemoryError('NOT_STORED', `Entry ${seq} does not follow the last one in the journal`, { reason: 'gap' })
}
