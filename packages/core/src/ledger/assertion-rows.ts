/** Rows of assertions, as several merge rules remove them. */
import { reproject } from './project.ts'
import type { LedgerState } from './state.ts'

/** Offsets in `evidence` where the whole text is the quote. */
export const WHOLE = -1
/** Deletes a row and what hangs on it. The caller lets the other variants of its id stand again. */
export function removeRow(state: LedgerState, nr: number): void {
  const { db } = state
  const row = db.first<[number, string, number, number, number, number | null, number]>(
    'select tenant, id, slot, standing, valid_from, valid_until, sourced from assertion where nr = ?',
    [nr],
  )
  if (!row) return
  const [tenant, id, slot, standing, from, until, sourced] = row
  if (standing === 1) {
    db.run('update assertion set standing = 0 where nr = ?', [nr])
    reproject(state, slot, from, until)
  }
  db.run('delete from evidence where assertion = ?', [nr])
  db.run('delete from assertion where nr = ?', [nr])
  dropSlotIfEmpty(state, slot)
  if (sourced === 1) db.run('insert or ignore into once_sourced (tenant, id) values (?, ?)', [tenant, id])
}

/** A slot that nothing refers to goes: its name, and for a many-valued attribute the value, are content. */
export function dropSlotIfEmpty(state: LedgerState, slot: number): void {
  if (state.db.first('select 1 from assertion where slot = ? limit 1', [slot])) return
  state.db.run('delete from slot where nr = ?', [slot])
  state.forgetSlot(slot)
}
