/** What was measured, held against what is aimed at. A target that is not met is said, and fails nothing. */
import type { Summary } from './measurement.ts'

export interface Ratio {
  readonly what: string
  readonly value: number
  /** None: what it costs is said, and nothing is aimed at. */
  readonly target?: string
  readonly met?: boolean
}

export function ratios(summaries: readonly Summary[]): Ratio[] {
  const found: Ratio[] = []
  const add = (what: string, value: number | undefined, limit: { atMost: number } | { atLeast: number }): void => {
    if (value === undefined || Number.isNaN(value)) return
    const met = 'atMost' in limit ? value <= limit.atMost : value >= limit.atLeast
    const target = 'atMost' in limit ? `at most ${round(limit.atMost)}` : `at least ${round(limit.atLeast)}`
    found.push({ what, value, target, met })
  }
  const ms = (name: string, facts?: number | null): number | undefined =>
    summaries.find(each => each.name === name && (facts === undefined || each.facts === facts))?.medianMs
  const asserts = summaries.filter(each => each.name === 'durable assert')
  for (const { facts, medianMs } of asserts) {
    add(`durable assert / bare add, ${facts} facts`, over(medianMs, ms('bare add')), { atMost: 1.5 })
    add(`durable assert / whole-file save, ${facts} facts`, over(medianMs, ms('whole-file save', facts)), { atMost: 1 / 3 })
  }
  const [first, last] = [asserts[0], asserts.at(-1)]
  if (first !== undefined && last !== undefined && first !== last)
    add(`durable assert, ${last.facts} / ${first.facts} facts`, over(last.medianMs, first.medianMs), { atMost: 1.3 })
  // What each costs: the same commit with it, over the same without it.
  const cost = (what: string, above: string, below: string): void => {
    const variant = summaries.find(each => each.name === below)
    const value = over(ms(above, variant?.facts), variant?.medianMs)
    if (value !== undefined) found.push({ what: `${what}: assert with it / without`, value })
  }
  cost('encryption', 'durable assert', 'durable assert, not encrypted')
  cost('mirror', 'durable assert', 'durable assert, no mirror')
  cost('encryption and mirror', 'durable assert', 'durable assert, neither')
  cost('waiting for the mirror', 'durable assert, waits for the mirror', 'durable assert')
  const batched = summaries.find(each => each.name === 'batched assert, per fact')
  add('one by one / batched, per fact', over(ms('durable assert', batched?.facts), batched?.medianMs), { atLeast: 20 })
  for (const { name, facts, medianMs } of summaries) {
    if (name === 'get from the page') add(`get from the page / echo, ${facts} facts`, over(medianMs, ms('echo')), { atMost: 1.3 })
    if (name === 'get from the page, pipelined')
      add(`get, pipelined / echo, pipelined, ${facts} facts`, over(medianMs, ms('echo, pipelined')), { atMost: 1.3 })
  }
  for (const kind of ['current, hot', 'current, random', 'as of, random']) {
    const native = ms(`${kind}: native SQLite, published table`)
    add(`${kind}: lookups a second, ledger / native`, over(native, ms(`${kind}: SQL on the ledger, sql.js`)), { atLeast: 0.5 })
    add(`${kind}: lookups a second, get / native`, over(native, ms(`${kind}: get, public API`)), { atLeast: 0.5 })
  }
  return found
}

function over(above: number | undefined, below: number | undefined): number | undefined {
  return above === undefined || below === undefined ? undefined : above / below
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100)
}
