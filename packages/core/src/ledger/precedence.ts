/**
 * Who holds when several assertions start at the same second (DESIGN 3). Pure.
 *
 * In order: the latest effective confirmation by the user; source trust (skipped where the attribute's policy is
 * `latest`); said later (episode time, then the quote's offset); recorded later; the greater id.
 */

/** What the rule of time needs to know of an assertion that stands. */
export interface Statement {
  readonly nr: number
  readonly id: string
  /** Seconds, inclusive. */
  readonly from: number
  /** Seconds, exclusive; null while no end is known. */
  readonly until: number | null
  /** Canonical JSON; null for a retraction. */
  readonly value: string | null
  readonly trust: number
  /** Clock of the latest effective confirmation by the user. */
  readonly confirmed: string | null
  readonly saidMs: number
  readonly saidOffset: number
  readonly clock: string
}

/** Negative where `a` yields to `b`. Total over statements with different ids. */
export function byPrecedence(a: Statement, b: Statement, skipTrust: boolean): number {
  if (a.confirmed !== b.confirmed) {
    if (a.confirmed === null) return -1
    if (b.confirmed === null) return 1
    return a.confirmed < b.confirmed ? -1 : 1
  }
  if (!skipTrust && a.trust !== b.trust) return a.trust - b.trust
  if (a.saidMs !== b.saidMs) return a.saidMs - b.saidMs
  if (a.saidOffset !== b.saidOffset) return a.saidOffset - b.saidOffset
  return byRecording(a, b)
}

/** Recorded earlier first; ids decide between equal clocks. */
export function byRecording(a: Statement, b: Statement): number {
  if (a.clock !== b.clock) return a.clock < b.clock ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : a.nr - b.nr
}
