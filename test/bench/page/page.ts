/** The page under measurement: fills stores, then measures in rounds in which everything has its turn. */
import { lastEntry } from './last-entry.ts'
import { MeasuredMemory } from './measured-memory.ts'
import type { StoredBytes, Variant } from './measured-memory.ts'
import { Peer } from './peer.ts'

/** Samples of one thing from one round. */
export interface RoundSamples {
  readonly name: string
  readonly facts: number | null
  readonly samplesMs: readonly number[]
}

export interface BenchPage {
  /** A memory and a file of so many facts. */
  fill(facts: number): Promise<void>
  /** Memories of so many facts that each do without something, or wait for more. */
  fillVariants(facts: number): Promise<void>
  /** Size of the entry of one assert; called after every store is filled. */
  prepare(): Promise<{ readonly entryBytes: number }>
  round(): Promise<readonly RoundSamples[]>
  /** Called after the last round. */
  stored(): Promise<readonly StoredBytes[]>
}

declare global {
  interface Window {
    bench: BenchPage
  }
}

const WRITES = 10
const SAVES = 2
const BATCH = 200
const READS = 20

const peer = new Peer()
const VARIANTS: Readonly<Record<string, Variant>> = {
  'durable assert, not encrypted': { atRest: { kind: 'off' } },
  'durable assert, no mirror': { hasMirror: false },
  'durable assert, neither': { atRest: { kind: 'off' }, hasMirror: false },
  'durable assert, waits for the mirror': { durability: 'mirrored' },
}
const memories: MeasuredMemory[] = []
const variants: MeasuredMemory[] = []
let batches: MeasuredMemory | undefined
let entry = new Uint8Array()
let rounds = 0

window.bench = {
  async fill(facts) {
    memories.push(await MeasuredMemory.filled(`one-by-one-${facts}`, facts))
    await peer.ask({ op: 'fill', facts })
    // Batches have a store of their own: they would make the others grow between the rounds.
    batches ??= await MeasuredMemory.filled('batches', facts)
  },

  async fillVariants(facts) {
    for (const [name, variant] of Object.entries(VARIANTS)) variants.push(await MeasuredMemory.filled(name, facts, variant))
  },

  async prepare() {
    const [first] = memories
    if (first === undefined) throw new Error('nothing was filled')
    await first.assertOneByOne(1)
    entry = new Uint8Array(await lastEntry(first.name))
    return { entryBytes: entry.byteLength }
  },

  async round() {
    const turns = [
      bareAdd,
      echo,
      batched,
      ...memories.flatMap(memory => [() => assertOne(memory), () => save(memory), () => read(memory)]),
      ...variants.map(memory => () => assertOne(memory, memory.name)),
    ]
    // Every round begins elsewhere, so that nothing is always measured right after the same thing.
    const first = rounds++ % turns.length
    const samples: RoundSamples[] = []
    for (const turn of [...turns.slice(first), ...turns.slice(0, first)]) samples.push(...(await turn()))
    return samples
  },

  async stored() {
    const sizes: StoredBytes[] = []
    for (const memory of [...memories, ...variants]) sizes.push(await memory.storedBytes())
    return sizes
  },
}

async function bareAdd(): Promise<RoundSamples[]> {
  return [{ name: 'bare add', facts: null, samplesMs: await peer.ask({ op: 'add', bytes: entry, times: WRITES }) }]
}

async function echo(): Promise<RoundSamples[]> {
  const samplesMs: number[] = []
  for (let n = 0; n < READS; n++) {
    const started = performance.now()
    await peer.ask({ op: 'echo' })
    samplesMs.push(performance.now() - started)
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: BATCH }, () => peer.ask({ op: 'echo' })))
  const pipelined = (performance.now() - started) / BATCH
  return [
    { name: 'echo', facts: null, samplesMs },
    { name: 'echo, pipelined', facts: null, samplesMs: [pipelined] },
  ]
}

async function batched(): Promise<RoundSamples[]> {
  if (batches === undefined) return []
  return [{ name: 'batched assert, per fact', facts: batches.facts, samplesMs: [await batches.assertBatch(BATCH)] }]
}

async function assertOne(memory: MeasuredMemory, name: string = 'durable assert'): Promise<RoundSamples[]> {
  return [{ name, facts: memory.facts, samplesMs: await memory.assertOneByOne(WRITES) }]
}

async function save({ facts }: MeasuredMemory): Promise<RoundSamples[]> {
  return [{ name: 'whole-file save', facts, samplesMs: await peer.ask({ op: 'save', facts, times: SAVES }) }]
}

async function read(memory: MeasuredMemory): Promise<RoundSamples[]> {
  return [
    { name: 'get from the page', facts: memory.facts, samplesMs: await memory.getOneByOne(READS) },
    { name: 'get from the page, pipelined', facts: memory.facts, samplesMs: [await memory.getPipelined(BATCH)] },
  ]
}
