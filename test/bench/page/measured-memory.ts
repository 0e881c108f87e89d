/** A memory of one size under measurement, through nothing but the public API. */
import { openMemory } from '@palimpsest/browser'
import type { AtRest, Memory, TenantMemory } from '@palimpsest/core'
import { TENANT, instant, syntheticFact, syntheticSlot } from '../synthetic-facts.ts'
import { mirrorBytes } from './mirror-bytes.ts'
import type { schema } from './schema.ts'

const FILL_BATCH = 1_000

/** What of its durability differs from what an application gets without asking. */
export interface Variant {
  readonly atRest?: AtRest
  readonly durability?: 'mirrored'
  readonly hasMirror?: boolean
}

export interface StoredBytes {
  readonly name: string
  readonly facts: number
  /** In IndexedDB, and in the private file system. */
  readonly storeBytes: number
  readonly mirrorBytes: number
}

export class MeasuredMemory {
  readonly facts: number
  readonly name: string
  readonly #memory: Memory<typeof schema>
  readonly #tenant: TenantMemory<typeof schema>
  #next: number

  private constructor(name: string, facts: number, memory: Memory<typeof schema>) {
    this.name = name
    this.facts = facts
    this.#memory = memory
    this.#tenant = memory.tenant(TENANT)
    this.#next = 0
  }

  /** Opens a new store and writes `facts` facts; what stands in the journal is folded before anything is measured. */
  static async filled(name: string, facts: number, variant: Variant = {}): Promise<MeasuredMemory> {
    const { hasMirror = true, ...options } = variant
    const worker = hasMirror
      ? new Worker(new URL('./memory.worker.ts', import.meta.url), { type: 'module' })
      : new Worker(new URL('./no-mirror.worker.ts', import.meta.url), { type: 'module' })
    const memory = await openMemory<typeof schema>({ name, worker, ...options })
    if (((await memory.health()).mirror !== undefined) !== hasMirror)
      throw new Error(`${name}: the mirror is not as it was asked for`)
    const measured = new MeasuredMemory(name, facts, memory)
    await measured.#tenant.record({ id: 'e1', text: 'Everything in this store was said here.', author: 'user', at: instant(0) })
    while (measured.#next < facts) await measured.#write(Math.min(FILL_BATCH, facts - measured.#next))
    await memory.checkpoint()
    return measured
  }

  /** Durable writes, one after the other. */
  async assertOneByOne(times: number): Promise<number[]> {
    return timed(times, () => this.#tenant.assert(this.#input(this.#next++)))
  }

  /** One commit of `size` facts. @returns ms per fact */
  async assertBatch(size: number): Promise<number> {
    const [ms = NaN] = await timed(1, () => this.#write(size))
    return ms / size
  }

  /** Current values, each asked when the one before it was answered. */
  async getOneByOne(times: number): Promise<number[]> {
    return timed(times, () => {
      const { subject, attribute } = this.#anySlot()
      return this.#tenant.get(subject, attribute)
    })
  }

  /** Current values, all asked at once. @returns ms per call */
  async getPipelined(calls: number): Promise<number> {
    const slots = Array.from({ length: calls }, () => this.#anySlot())
    const [ms = NaN] = await timed(1, () =>
      Promise.all(slots.map(({ subject, attribute }) => this.#tenant.get(subject, attribute))),
    )
    return ms / calls
  }

  /** What the store takes when its journal is folded. */
  async storedBytes(): Promise<StoredBytes> {
    await this.#memory.checkpoint()
    const { name, facts } = this
    return { name, facts, storeBytes: (await this.#memory.health()).sizeBytes, mirrorBytes: await mirrorBytes(name) }
  }

  async #write(size: number): Promise<void> {
    const first = this.#next
    this.#next += size
    await this.#tenant.batch(batch => {
      for (let n = first; n < first + size; n++) batch.assert(this.#input(n))
    })
  }

  #input(n: number) {
    const { subject, attribute, value, from } = syntheticFact(n, this.facts)
    return { subject, attribute, value, validFrom: instant(from), from: 'e1' }
  }

  #anySlot(): { readonly subject: string; readonly attribute: string } {
    return syntheticSlot(Math.floor(Math.random() * this.facts), this.facts)
  }
}

async function timed(times: number, call: () => Promise<unknown>): Promise<number[]> {
  const samplesMs: number[] = []
  for (let n = 0; n < times; n++) {
    const started = performance.now()
    await call()
    samplesMs.push(performance.now() - started)
  }
  return samplesMs
}
