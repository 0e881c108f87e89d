/**
 * The rule of time as DESIGN 3 says it, second by second. Slow and obvious on purpose: it shares no code with the ledger
 * and no idea but the sentence "of those that contain t, the one that starts latest holds".
 */

/** A statement about one slot that stands. `value` is canonical JSON; null in a retraction. */
export interface Stated {
  readonly id: string
  readonly from: number
  readonly until: number | null
  readonly value: string | null
  readonly trust: number
  readonly confirmed: string | null
  readonly saidMs: number
  readonly saidOffset: number
  readonly clock: string
}

export interface OracleRun {
  readonly id: string
  readonly value: string
  readonly from: number
  readonly to: number | null
}

/** What is compared, in this order, to find who holds: the start, then precedence. */
function rank(statement: Stated, skipTrust: boolean): (number | string)[] {
  const { from, confirmed, trust, saidMs, saidOffset, clock, id } = statement
  return [from, confirmed ?? '', skipTrust ? 0 : trust, saidMs, saidOffset, clock, id]
}

function compare(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] as number | string
    if (left !== right) return left < right ? -1 : 1
  }
  return 0
}

/** Who holds at one second. */
export function oracleHolder(statements: readonly Stated[], t: number, skipTrust: boolean): Stated | undefined {
  const there = statements.filter(({ from, until }) => from <= t && (until === null || t < until))
  return there.toSorted((a, b) => compare(rank(a, skipTrust), rank(b, skipTrust))).at(-1)
}

/** Every second at which something can change, and its neighbours. */
export function secondsOfInterest(statements: readonly Stated[]): number[] {
  const seconds = new Set<number>()
  for (const { from, until } of statements)
    for (const edge of until === null ? [from] : [from, until])
      for (const second of [edge - 1, edge, edge + 1]) seconds.add(second)
  return [...seconds].toSorted((a, b) => a - b)
}

/** The maximal runs of one value. */
export function oracleRuns(statements: readonly Stated[], skipTrust: boolean): OracleRun[] {
  const result: OracleRun[] = []
  let open: { value: string; from: number; id: string } | undefined
  for (const t of secondsOfInterest(statements)) {
    const holder = oracleHolder(statements, t, skipTrust)
    const value = holder?.value ?? null
    if (open !== undefined && open.value !== value) {
      result.push({ ...open, to: t })
      open = undefined
    }
    if (holder !== undefined && value !== null && open === undefined) open = { value, from: t, id: runId(statements, t, holder) }
  }
  if (open !== undefined) result.push({ ...open, to: null })
  return result
}

/** The earliest recorded of the same value that starts with the run; else the run resumes under its holder. */
function runId(statements: readonly Stated[], from: number, holder: Stated): string {
  const starters = statements.filter(statement => statement.from === from && statement.value === holder.value)
  const first = starters.toSorted((a, b) => compare([a.clock, a.id], [b.clock, b.id]))[0]
  return first === undefined ? `${holder.id}@${isoSecond(from)}` : first.id
}

export function isoSecond(second: number): string {
  return `${new Date(second * 1000).toISOString().slice(0, 19)}Z`
}
