/**
 * What must hold in one slot: the rule of time as plainly as it can be said, slow and independent of the ledger.
 *
 * For an instant, of the statements whose [from, until) contains it, the one that starts latest holds; of those that start
 * at the same second the one said later, then the one that arrived later. A statement without a value says that nothing
 * holds. A stretch is a maximal interval of one value.
 */
export interface Statement {
  /** Seconds, inclusive. */
  readonly from: number
  /** Seconds, exclusive; null while no end is known. */
  readonly until: number | null
  /** Canonical JSON; null for a retraction. */
  readonly value: string | null
  readonly saidMs: number
  readonly arrival: number
}

export interface Stretch {
  readonly from: number
  readonly to: number | null
  readonly value: string
}

/** The value that holds at an instant; null where nothing does. */
export function holdsAt(statements: readonly Statement[], at: number): string | null {
  let holder: Statement | undefined
  for (const statement of statements) {
    if (statement.from > at || (statement.until !== null && statement.until <= at)) continue
    if (holder === undefined || startsLater(statement, holder)) holder = statement
  }
  return holder?.value ?? null
}

function startsLater(a: Statement, b: Statement): boolean {
  if (a.from !== b.from) return a.from > b.from
  if (a.saidMs !== b.saidMs) return a.saidMs > b.saidMs
  return a.arrival > b.arrival
}

/** Every stretch, earliest first. */
export function stretches(statements: readonly Statement[]): Stretch[] {
  const bounds = new Set<number>()
  for (const { from, until } of statements) {
    bounds.add(from)
    if (until !== null) bounds.add(until)
  }
  const instants = [...bounds].toSorted((a, b) => a - b)
  const result: Stretch[] = []
  let open: Stretch | undefined
  for (const at of instants) {
    const value = holdsAt(statements, at)
    if (open !== undefined && open.value === value) continue
    if (open !== undefined) result.push({ ...open, to: at })
    open = value === null ? undefined : { from: at, to: null, value }
  }
  if (open !== undefined) result.push(open)
  return result
}
