/** What was acknowledged, and whether it is there. */
import type { Figures } from './figures.ts'
import { LANES, operationAt, partIn, partsOf, placeOf } from './operations.ts'
import type { Operation } from './operations.ts'
import type { ReadBack, Stored } from './tab-protocol.ts'

export interface Circumstances {
  /** The engine had thrown the database away. */
  readonly wiped: boolean
  /** The harness had cut off the end of the database. */
  readonly cut: boolean
  /** There was a copy of the store outside the database. */
  readonly mirrored: boolean
  /** That copy was waited for before anything was acknowledged. */
  readonly waited: boolean
  /** When the fault struck, on the clock of `performance.now()`. */
  readonly faultAt: number
}

/** A copy that is not waited for is written right after; what is missing from it and older than this was lost otherwise. */
const COPY_LAG_MS = 5_000

/** So many of what is wrong are told of each check; all are counted. */
const REMARKS = 3

export class Acknowledged {
  readonly #seed: string
  /** Name of the operation, and when it was heard of. */
  readonly #heard = new Map<string, number>()

  constructor(seed: string) {
    this.#seed = seed
  }

  get size(): number {
    return this.#heard.size
  }

  /** @returns false where it was acknowledged before */
  hear(name: string, at: number): boolean {
    if (this.#heard.has(name)) return false
    this.#heard.set(name, at)
    return true
  }

  /**
   * What of one cycle can be done again under its key: the last operation of each writer that was acknowledged, and the one
   * after it, which may or may not have been stored.
   */
  repeatable(cycle: number, tabs: number): string[] {
    const places = Array.from({ length: tabs * LANES }, (_, i) => ({ cycle, tab: Math.floor(i / LANES), lane: i % LANES }))
    return places.flatMap(place => {
      let n = 0
      while (this.#heard.has(operationAt(this.#seed, { ...place, n }).name)) n += 1
      return [n - 1, n]
        .filter(one => one >= 0)
        .map(one => operationAt(this.#seed, { ...place, n: one }))
        .filter(operation => operation.keyed)
        .map(operation => operation.name)
    })
  }

  /** Compares with what is stored; what is missing is counted once, and not asked for again. */
  check(stored: ReadBack, circumstances: Circumstances, figures: Figures, remark: (text: string) => void): void {
    const parts = new Map<string, Map<number, number>>()
    const operations = new Map<string, Operation>()
    let complaints = 0
    const take = ({ id, text, length }: Stored): void => {
      const part = partIn(text)
      if (!part) return complain('changed', `nobody wrote ${id}: ${text}`)
      const operation = operations.get(part.name) ?? operationAt(this.#seed, placeOf(part.name))
      operations.set(part.name, operation)
      const planned = operation.facts[part.i]?.value ?? operation.episode
      if (planned?.length !== length) complain('changed', `${text} has ${length} characters, not ${planned?.length}`)
      const seen = parts.get(part.name) ?? new Map<number, number>()
      parts.set(part.name, seen.set(part.i, (seen.get(part.i) ?? 0) + 1))
    }
    const complain = (key: 'changed' | 'doubled' | 'torn' | 'lost' | 'unsound', what: string): void => {
      figures[key] += 1
      complaints += 1
      if (complaints <= REMARKS) remark(`${key}: ${what}`)
    }
    for (const fact of stored.facts) take(fact)
    for (const episode of stored.episodes) take(episode)
    for (const [name, seen] of parts) {
      const operation = operations.get(name)
      if (operation && seen.size !== partsOf(operation)) {
        const known = this.#heard.has(name) ? 'acknowledged' : 'not acknowledged'
        complain('torn', `${name}, ${known}, has the parts ${[...seen.keys()].join()} of ${partsOf(operation)}`)
      }
      if ([...seen.values()].some(times => times > 1)) complain('doubled', name)
    }
    for (const [name, at] of this.#heard) {
      if (parts.has(name)) continue
      this.#heard.delete(name)
      const ageMs = Math.round(circumstances.faultAt - at)
      const { wiped, cut, mirrored, waited } = circumstances
      if (!(wiped || cut) || waited || (mirrored && ageMs > COPY_LAG_MS))
        complain('lost', `${name}, acknowledged ${ageMs} ms before the fault`)
      else if (mirrored) {
        figures.lostWithWipe += 1
        figures.lostWithWipeMs = Math.max(figures.lostWithWipeMs, ageMs)
      } else figures.wipedAway += 1
    }
    const { quarantine } = stored.health
    for (const { what, reason } of quarantine)
      // A base that the database remembers again may have had its bytes in a file that is gone: it is right to report it.
      if (circumstances.cut) remark(`${what} is in quarantine: ${reason}`)
      else complain('unsound', `${what} is in quarantine: ${reason}`)
    if (stored.integrity !== 'ok') complain('unsound', `integrity check: ${stored.integrity}`)
    if (stored.countedFacts !== stored.facts.length)
      complain('unsound', `SQL counts ${stored.countedFacts} facts, ${stored.facts.length} were read`)
  }
}
