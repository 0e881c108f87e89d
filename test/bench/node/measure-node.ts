/** The measurements under Node: finding what holds now or held then, beside native SQLite on the published table. */
import { setImmediate as breathe } from 'node:timers/promises'
import { Samples, type Measurement } from '../measurement.ts'
import type { BenchOptions } from '../options.ts'
import { TENANT, instant, lastSecond, slotCount, syntheticFact, syntheticSlot } from '../synthetic-facts.ts'
import type { Lookup, Question } from './lookup.ts'
import { filledMemory, ledgerLookup, publicGet } from './memory-lookups.ts'
import { openNativePeer } from './native-peer.ts'

export interface NodeResult {
  readonly facts: number
  readonly native: boolean
  readonly measurements: readonly Measurement[]
}

const LOOKUPS = 2_000
const HOT_SLOTS = 10

export async function measureNode(peers: string, options: BenchOptions, progress: (text: string) => void): Promise<NodeResult> {
  const facts = options.full ? 200_000 : 20_000
  progress(`filling a memory of ${facts} facts under Node`)
  const memory = await filledMemory(facts)
  const native = openNativePeer(peers, facts)
  const lookups = [publicGet(memory), await ledgerLookup(memory), ...(native === undefined ? [] : [native])]
  try {
    for (const lookup of lookups) await check(lookup, facts)
    const samples = new Samples()
    for (let round = 0; round <= options.rounds; round++) {
      progress(`round ${round} of ${options.rounds} under Node`)
      for (const [kind, questions] of Object.entries(questionsOf(facts)))
        for (const lookup of lookups) {
          const ms = await timeOf(lookup, questions)
          // The first round finds cold caches and code that is not compiled yet.
          if (round > 0) samples.add(`${kind}: ${lookup.name}`, facts, [ms])
          await breathe()
        }
    }
    return { facts, native: native !== undefined, measurements: samples.all() }
  } finally {
    for (const lookup of lookups) await lookup.close()
  }
}

/** A fast wrong answer is worth nothing: each way must find what was written. */
async function check(lookup: Lookup, facts: number): Promise<void> {
  for (let n = 0; n < facts; n += Math.max(1, Math.floor(facts / 500))) {
    const { value, from } = syntheticFact(n, facts)
    const found = await lookup.find(question(n, facts, from))
    if (found !== value) throw new Error(`${lookup.name} found ${found} where ${value} holds`)
  }
}

function questionsOf(facts: number): Record<string, readonly Question[]> {
  const any = (): number => Math.floor(Math.random() * facts)
  const now = Math.floor(Date.now() / 1000)
  const many = (make: () => Question): Question[] => Array.from({ length: LOOKUPS }, make)
  return {
    'current, hot': many(() => question(any() % HOT_SLOTS, facts, now)),
    'current, random': many(() => question(any(), facts, now)),
    'as of, random': many(() => {
      const n = any()
      const first = syntheticFact(n % slotCount(facts), facts).from
      return question(n, facts, first + Math.floor(Math.random() * (lastSecond(facts) - first + 1)))
    }),
  }
}

function question(n: number, facts: number, atSecond: number): Question {
  return { tenant: TENANT, ...syntheticSlot(n, facts), at: instant(atSecond), atSecond }
}

/** @returns ms per lookup */
async function timeOf({ find }: Lookup, questions: readonly Question[]): Promise<number> {
  const started = performance.now()
  for (const each of questions) {
    const found = find(each)
    // Awaited only where it must be: a turn of the event loop would be charged to those that need none.
    if (found instanceof Promise) await found
  }
  return (performance.now() - started) / questions.length
}
