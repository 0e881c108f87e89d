/**
 * The rule of time, pure: for an instant, of the statements whose [from, until) contains it, the one that starts latest
 * holds; at the same second precedence decides. If the holder is a retraction, nothing holds.
 *
 * ```
 *   A  ├────────────────────────────▶      A until then, Paris while it lasts, A again
 *   Paris      ├────────┤
 *   facts  ├─A─┼─Paris──┼─A@────────▶      the second A is a resumed run: `<id of A>@<validFrom>`
 * ```
 *
 * 1. Segments partition the window: no gap, no overlap.
 * 2. Neighbouring segments of equal value are one run; a run is maximal.
 * 3. Only statements that start before `end` and end after `start` matter.
 */
import { byPrecedence, byRecording, type Statement } from './precedence.ts'

export interface Segment {
  readonly from: number
  /** Exclusive; null: open. */
  readonly to: number | null
  /** Undefined where nothing was ever said for this stretch. */
  readonly holder: Statement | undefined
}

/**
 * Who holds when, within [start, end).
 * @param statements in any order; those outside the window are allowed and ignored
 * @param start seconds; -Infinity for the beginning of time
 * @param end seconds, exclusive; null for no end
 */
export function segments(statements: readonly Statement[], start: number, end: number | null, skipTrust: boolean): Segment[] {
  const sorted = statements.toSorted((a, b) => a.from - b.from || byPrecedence(a, b, skipTrust))
  // The last pushed holds: it starts latest, and within one second it ranks highest. Those that ended are popped when they surface.
  const stack: Statement[] = []
  const result: Segment[] = []
  let next = 0
  let now = start
  for (;;) {
    for (let statement = sorted[next]; statement !== undefined && statement.from <= now; statement = sorted[++next])
      stack.push(statement)
    let holder = stack.at(-1)
    while (holder !== undefined && holder.until !== null && holder.until <= now) {
      stack.pop()
      holder = stack.at(-1)
    }
    let to = Infinity
    const upcoming = sorted[next]
    if (upcoming !== undefined) to = upcoming.from
    if (holder?.until != null && holder.until < to) to = holder.until
    if (end !== null && end < to) to = end
    if (to > now) result.push({ from: now, to: to === Infinity ? null : to, holder })
    if (to === Infinity || to === end) return result
    now = to
  }
}

/** A maximal interval of one value. */
export interface Run {
  readonly from: number
  readonly to: number | null
  readonly value: string
  /** The statement that gives the run its id. */
  readonly founder: Statement
  /** The run begins under a statement that started before it. */
  readonly resumed: boolean
}

/** All runs of a slot, from all its statements. */
export function runs(statements: readonly Statement[], skipTrust: boolean): Run[] {
  const result: Run[] = []
  for (const { from, to, holder } of segments(statements, -Infinity, null, skipTrust)) {
    if (holder?.value == null) continue
    const last = result.at(-1)
    if (last !== undefined && last.to === from && last.value === holder.value) {
      result[result.length - 1] = { ...last, to }
      continue
    }
    result.push({ from, to, value: holder.value, ...founderOf(statements, from, holder) })
  }
  return result
}

/** The earliest recorded among the same-value statements that start with the run; else the holder, resumed. */
export function founderOf(
  statements: readonly Statement[],
  from: number,
  holder: Statement,
): { founder: Statement; resumed: boolean } {
  let founder: Statement | undefined
  for (const statement of statements) {
    if (statement.from !== from || statement.value !== holder.value) continue
    if (founder === undefined || byRecording(statement, founder) < 0) founder = statement
  }
  return founder === undefined ? { founder: holder, resumed: true } : { founder, resumed: false }
}

/** Who holds at one instant. */
export function holderAt(statements: readonly Statement[], at: number, skipTrust: boolean): Statement | undefined {
  let best: Statement | undefined
  for (const statement of statements) {
    if (statement.from > at || (statement.until !== null && statement.until <= at)) continue
    if (
      best === undefined ||
      statement.from > best.from ||
      (statement.from === best.from && byPrecedence(statement, best, skipTrust) > 0)
    )
      best = statement
  }
  return best
}
