/** What was measured: many samples of one thing, at one size of store. */
import { median, p95 } from './statistics.ts'

export interface Measurement {
  readonly name: string
  /** Facts in the store when the rounds began; null where there is no store. */
  readonly facts: number | null
  readonly samplesMs: readonly number[]
}

export interface Summary {
  readonly name: string
  readonly facts: number | null
  readonly medianMs: number
  readonly p95Ms: number
  readonly samples: number
}

export function summary({ name, facts, samplesMs }: Measurement): Summary {
  return { name, facts, medianMs: median(samplesMs), p95Ms: p95(samplesMs), samples: samplesMs.length }
}

/** Collects samples as rounds bring them. */
export class Samples {
  readonly #measurements = new Map<string, { name: string; facts: number | null; samplesMs: number[] }>()

  add(name: string, facts: number | null, samplesMs: readonly number[]): void {
    const key = `${name} ${facts}`
    const known = this.#measurements.get(key)
    if (known === undefined) this.#measurements.set(key, { name, facts, samplesMs: [...samplesMs] })
    else known.samplesMs.push(...samplesMs)
  }

  all(): readonly Measurement[] {
    return [...this.#measurements.values()]
  }
}
