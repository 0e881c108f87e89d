/**
 * What the pages write. An operation follows from the seed and its name alone, so the page that makes it, the page that
 * repeats it after a fault and the harness that looks for it need not tell each other what is in it.
 *
 * A name is `cycle.tab.lane.n`. Every part of an operation (a fact or an episode) begins with `name/i/of`: `i` of `of` parts.
 * So whatever is found in a store says to which operation it belongs, and whether that operation is there whole.
 */
import { seededRandom } from './seeded-random.ts'

/** Writers in one tab; each waits for its own last operation, so the store sees this many at once from every tab. */
export const LANES = 8

export interface PlannedFact {
  readonly subject: string
  /** `step` has one value at a time, so each one ends the one before; `note` has many. */
  readonly attribute: 'note' | 'step'
  readonly value: string
  /** For `step`: seconds apart, so that no two meet. */
  readonly validFrom?: string
}

export interface Operation {
  readonly name: string
  readonly call: 'assert' | 'record' | 'batch'
  readonly facts: readonly PlannedFact[]
  /** The text of the episode, where there is one. */
  readonly episode?: string
  /** Given under an idempotency key: it may be repeated after a fault, and must be there once. */
  readonly keyed: boolean
}

export interface Place {
  readonly cycle: number
  readonly tab: number
  readonly lane: number
  readonly n: number
}

const FIRST_SECOND = Date.UTC(2026, 0, 1)
/** Above what Chromium keeps within its own log and tables: such a value stands in a file of its own. */
const LARGE = 80 * 1024

export function operationAt(seed: string, { cycle, tab, lane, n }: Place): Operation {
  const name = `${cycle}.${tab}.${lane}.${n}`
  const random = seededRandom(`${seed}/${name}`)
  const subject = `writer ${cycle}.${tab}.${lane}`
  const keyed = random.chance(0.5)
  const part = (i: number, of: number): string => `${name}/${i}/${of}`
  const padding = random.chance(0.01) ? ` ${'x'.repeat(LARGE)}` : ` ${'y'.repeat(random.between(0, 120))}`
  const note = (i: number, of: number): PlannedFact => ({ subject, attribute: 'note', value: `${part(i, of)}${padding}` })
  const step = (i: number, of: number): PlannedFact => {
    return { subject, attribute: 'step', value: part(i, of), validFrom: new Date(FIRST_SECOND + n * 1_000).toISOString() }
  }
  const kind = random.next()
  if (kind < 0.35) return { name, call: 'assert', facts: [note(0, 1)], keyed }
  if (kind < 0.6) return { name, call: 'assert', facts: [step(0, 1)], keyed }
  if (kind < 0.75) return { name, call: 'record', facts: [], episode: `${part(0, 1)}${padding}`, keyed }
  const facts = random.between(2, 5)
  const of = facts + 1
  const notes = Array.from({ length: facts - 1 }, (_, i) => note(i + 1, of))
  return { name, call: 'batch', facts: [step(0, of), ...notes], episode: `${part(facts, of)}${padding}`, keyed }
}

/** How many parts the operation has. */
export function partsOf(operation: Operation): number {
  return operation.facts.length + (operation.episode === undefined ? 0 : 1)
}

export interface Part {
  readonly name: string
  readonly i: number
  readonly of: number
}

/** The part that a stored text begins with; undefined where the harness did not write it. */
export function partIn(text: string): Part | undefined {
  const found = /^(\d+\.\d+\.\d+\.\d+)\/(\d+)\/(\d+)(?: |$)/u.exec(text)
  return found ? { name: found[1] ?? '', i: Number(found[2]), of: Number(found[3]) } : undefined
}

export function placeOf(name: string): Place {
  const [cycle = 0, tab = 0, lane = 0, n = 0] = name.split('.').map(Number)
  return { cycle, tab, lane, n }
}
