/**
 * Keeps the table `fact` equal to the rule of time, touching only what a change can have changed.
 *
 * ```
 *        lo                         hi
 *   ──L──┼── window, recomputed ────┼──R──      L and R: the facts on either side, cut or joined, not recomputed
 * ```
 *
 * A statement that starts at `lo` can hold only until it ends or until the next unbounded one starts (`hi`): after that
 * a later start always wins. So the cost of a write follows the facts it changes, not the length of the history.
 */
import type { SqlParams } from '../sql/database.ts'
import type { Statement } from './precedence.ts'
import type { LedgerState } from './state.ts'
import { founderOf, holderAt, segments } from './timeline.ts'

export const STATEMENT_COLUMNS =
  'nr, id, valid_from, valid_until, case statement when 1 then value end, trust, confirmed, said_ms, said_offset, clock'
export type StatementRow = [number, string, number, number | null, string | null, number, string | null, number, number, string]

export function statementOf(row: StatementRow): Statement {
  const [nr, id, from, until, value, trust, confirmed, saidMs, saidOffset, clock] = row
  return { nr, id, from, until, value, trust, confirmed, saidMs, saidOffset, clock }
}

/** The slots whose statements decide a slot: itself, and for a value of a many-valued attribute what is said of all values. */
export function decidingSlots(state: LedgerState, slot: number): readonly number[] {
  const { tenant, subject, attribute, member } = state.slotRow(slot)
  if (member === '') return [slot]
  const whole = state.findSlot(tenant, subject, attribute, '')
  return whole === undefined ? [slot] : [slot, whole]
}

/**
 * Brings the facts up to date after a statement of `slot` began to stand, ceased to, or changed in precedence.
 * @param from when the statement starts, seconds
 * @param until when it ends, seconds, or null
 */
export function reproject(state: LedgerState, slot: number, from: number, until: number | null): void {
  const { tenant, subject, attribute, member } = state.slotRow(slot)
  if (member === '' && state.isMany(tenant, attribute)) {
    const members = state.db.all<[number]>(
      "select nr from slot where tenant = ? and subject = ? and attribute = ? and member <> ''",
      [tenant, subject, attribute],
    )
    for (const [nr] of members) projectWindow(state, nr, from, until)
  } else projectWindow(state, slot, from, until)
}

/** A slot of one value has facts where its attribute is many-valued, the slot of all of them where it is not. */
export function hasFacts(state: LedgerState, slot: number): boolean {
  const { tenant, attribute, member } = state.slotRow(slot)
  return (member !== '') === state.isMany(tenant, attribute)
}

/** Rebuilds every fact of a slot. */
export function reprojectAll(state: LedgerState, slot: number): void {
  state.db.run('delete from fact where slot = ?', [slot])
  if (hasFacts(state, slot)) projectWindow(state, slot, -Infinity, null)
}

interface FactRow {
  readonly from: number
  readonly to: number | null
  readonly founder: number
  readonly resumed: number
  readonly value: string
}

interface Piece {
  readonly from: number
  to: number | null
  readonly value: string
  readonly holder: Statement | undefined
  /** The fact that starts here already and keeps its founder. */
  readonly row: FactRow | undefined
}

function projectWindow(state: LedgerState, slot: number, lo: number, until: number | null): void {
  const { tenant, attribute } = state.slotRow(slot)
  const skipTrust = state.skipsTrust(tenant, attribute)
  const slots = decidingSlots(state, slot)
  const hi = windowEnd(state, slots, lo, until)
  const candidates = slots.flatMap(source => statementsIn(state, source, lo, hi))
  const old = oldFacts(state, slot, lo, hi)

  const pieces: Piece[] = []
  const left = old[0]
  if (left !== undefined && left.from < lo)
    pieces.push({
      from: left.from,
      to: left.to === null ? lo : Math.min(left.to, lo),
      value: left.value,
      holder: undefined,
      row: left,
    })
  for (const { from, to, holder } of segments(candidates, lo, hi, skipTrust)) {
    if (holder?.value != null) pieces.push({ from, to, value: holder.value, holder, row: undefined })
  }
  if (hi !== null) {
    const right = old.find(fact => fact.from <= hi && (fact.to === null || fact.to > hi))
    if (right !== undefined) {
      const holder = right.from === hi ? undefined : holderAt(candidates, hi, skipTrust)
      pieces.push({ from: hi, to: right.to, value: right.value, holder, row: right.from === hi ? right : undefined })
    }
  }

  const joined: Piece[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    if (last !== undefined && last.to === piece.from && last.value === piece.value) last.to = piece.to
    else joined.push({ ...piece })
  }
  const fresh = joined.map((piece): FactRow => {
    if (piece.row !== undefined) return { ...piece.row, to: piece.to }
    const { founder, resumed } = founderOf(candidates, piece.from, piece.holder as Statement)
    return { from: piece.from, to: piece.to, founder: founder.nr, resumed: resumed ? 1 : 0, value: piece.value }
  })
  writeDifference(state, slot, old, fresh)
}

/** The first instant at which the change can no longer matter; null for never. */
function windowEnd(state: LedgerState, slots: readonly number[], lo: number, until: number | null): number | null {
  let end = until
  if (lo === -Infinity) return null
  for (const slot of slots) {
    const row = state.db.first<[number]>(
      `select valid_from from assertion indexed by assertion_open
       where slot = ? and standing = 1 and valid_until is null and valid_from > ? and valid_from < ? order by valid_from limit 1`,
      [slot, lo, end ?? 1e15],
    )
    if (row) end = row[0]
  }
  return end
}

/** Every statement that can hold in [lo, hi], and those that start at `hi`. */
export function statementsIn(state: LedgerState, slot: number, lo: number, hi: number | null): Statement[] {
  const select = (where: string, params: SqlParams): Statement[] =>
    state.db.all<StatementRow>(`select ${STATEMENT_COLUMNS} from assertion indexed by ${where}`, params).map(statementOf)
  const time = 'assertion_time where slot = ? and standing = 1'
  const open = 'assertion_open where slot = ? and standing = 1 and valid_until is null'
  if (lo === -Infinity) return select(time, [slot])
  const within = select(`${time} and valid_from >= ? and valid_from <= ?`, [slot, lo, hi ?? 1e15])
  const base = state.db.first<[number]>(
    `select valid_from from assertion indexed by ${open} and valid_from < ? order by valid_from desc limit 1`,
    [slot, lo],
  )?.[0]
  const last = base === undefined ? [] : select(`${open} and valid_from = ?`, [slot, base])
  const bounded = select(
    'assertion_until where slot = ? and standing = 1 and valid_until is not null and valid_until > ? and valid_from < ? and valid_from >= ?',
    [slot, lo, lo, base ?? -1e15],
  )
  return [...last, ...bounded, ...within]
}

/** The fact before the window if it reaches it, then those that start in it or at its end, in order. */
function oldFacts(state: LedgerState, slot: number, lo: number, hi: number | null): FactRow[] {
  const columns =
    'select f.valid_from, f.valid_to, f.founder, f.resumed, a.value from fact f join assertion a on a.nr = f.founder'
  type Row = [number, number | null, number, number, string]
  const read = (row: Row): FactRow => ({ from: row[0], to: row[1], founder: row[2], resumed: row[3], value: row[4] })
  const low = lo === -Infinity ? -1e15 : lo
  const before = state.db.first<Row>(`${columns} where f.slot = ? and f.valid_from < ? order by f.valid_from desc limit 1`, [
    slot,
    low,
  ])
  const rows = state.db
    .all<Row>(`${columns} where f.slot = ? and f.valid_from >= ? and f.valid_from <= ? order by f.valid_from`, [
      slot,
      low,
      hi ?? 1e15,
    ])
    .map(read)
  if (before !== undefined && (before[1] === null || before[1] >= low)) rows.unshift(read(before))
  return rows
}

/** Writes only rows that differ; closes before it opens, so that the guard of one open fact holds at every step. */
function writeDifference(state: LedgerState, slot: number, old: readonly FactRow[], fresh: readonly FactRow[]): void {
  const { db } = state
  const before = new Map(old.map(fact => [fact.from, fact]))
  const after = new Map(fresh.map(fact => [fact.from, fact]))
  for (const fact of old)
    if (!after.has(fact.from)) db.run('delete from fact where slot = ? and valid_from = ?', [slot, fact.from])
  const changed = fresh.filter(fact => {
    const was = before.get(fact.from)
    return was === undefined || was.to !== fact.to || was.founder !== fact.founder || was.resumed !== fact.resumed
  })
  for (const fact of changed.toSorted((a, b) => Number(a.to === null) - Number(b.to === null))) {
    if (before.has(fact.from))
      db.run('update fact set valid_to = ?, founder = ?, resumed = ? where slot = ? and valid_from = ?', [
        fact.to,
        fact.founder,
        fact.resumed,
        slot,
        fact.from,
      ])
    else
      db.run('insert into fact (slot, valid_from, valid_to, founder, resumed) values (?, ?, ?, ?, ?)', [
        slot,
        fact.from,
        fact.to,
        fact.founder,
        fact.resumed,
      ])
  }
}
