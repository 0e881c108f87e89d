/**
 * Replicas that copy entries and bases at once, their steps mixed in every order that chance makes of them: after each step,
 * what a mirror has said that it holds can be read from the files alone.
 */
import { afterEach, expect, test, vi } from 'vitest'
import type { StoredEntry } from '../../src/journal/port.ts'
import { MemoryFiles, MemoryPlace } from '../../src/mirror/memory-place.ts'
import { Mirror } from '../../src/mirror/mirror.ts'
import type { MirrorFile } from '../../src/mirror/port.ts'
import { findBases, readLogs } from '../../src/mirror/read-mirror.ts'
import { randomFrom } from '../../../../test/support/random.ts'
import { IDENTITY, base, entry } from './samples.ts'

const SEEDS = 300
const REPLICAS = 3
const STEPS = 6

/** A place whose every call waits for its turn; whose turn it is, chance decides. */
class TurnPlace extends MemoryPlace {
  readonly #turns: Turns

  constructor(files: MemoryFiles, turns: Turns) {
    super(files)
    this.#turns = turns
  }

  override async list(): Promise<readonly string[]> {
    await this.#turns.mine()
    return super.list()
  }

  override async read(name: string): Promise<Uint8Array | undefined> {
    await this.#turns.mine()
    return super.read(name)
  }

  override async create(name: string): Promise<MirrorFile> {
    await this.#turns.mine()
    const file = await super.create(name)
    return {
      append: async (bytes, options) => {
        await this.#turns.mine()
        await file.append(bytes, options)
      },
      close: async () => {
        await this.#turns.mine()
        await file.close()
      },
    }
  }

  override async remove(name: string, sizeBytes?: number): Promise<boolean> {
    await this.#turns.mine()
    return super.remove(name, sizeBytes)
  }
}

class Turns {
  readonly #waiting: (() => void)[] = []
  readonly #random: (below: number) => number

  constructor(random: (below: number) => number) {
    this.#random = random
  }

  mine(): Promise<void> {
    return new Promise(resolve => void this.#waiting.push(resolve))
  }

  /** Lets one call go on, and waits until all that it leads to waits again. @returns false when nobody waits */
  async next(): Promise<boolean> {
    const [chosen] = this.#waiting.splice(this.#random(this.#waiting.length), 1)
    chosen?.()
    await new Promise(resolve => setImmediate(resolve))
    return chosen !== undefined
  }
}

async function held(files: MemoryFiles): Promise<(seq: number) => boolean> {
  const place = new MemoryPlace(files)
  const [newest] = await findBases(place)
  const logs = await readLogs(place, IDENTITY.storeId)
  const logged = new Set(logs.flatMap(({ entries }) => entries.map(({ seq }) => seq)))
  return seq => seq <= (newest?.floor ?? 0) || logged.has(seq)
}

afterEach(() => void vi.restoreAllMocks())

test.each(Array.from({ length: SEEDS }, (_, i) => i + 1))(
  'seed %i: nothing that was copied is ever without a copy',
  async seed => {
    const random = randomFrom(seed)
    // The names of files decide between copies of the same base: they too come from the seed.
    vi.spyOn(crypto, 'getRandomValues').mockImplementation(bytes => {
      if (bytes instanceof Uint8Array) bytes.forEach((_, i) => (bytes[i] = random(256)))
      return bytes
    })
    const files = new MemoryFiles()
    const turns = new Turns(random)
    const journal = { head: 0, generation: 0 }
    const copied: number[] = []
    const bases: number[] = []

    const live = async (): Promise<void> => {
      const mirror = new Mirror(new TurnPlace(files, turns), IDENTITY)
      for (let step = 0; step < STEPS; step += 1) {
        if (random(3) > 0) {
          const entries: StoredEntry[] = Array.from({ length: 1 + random(3) }, () => entry((journal.head += 1)))
          await mirror.log(entries, { flush: true })
          copied.push(...entries.map(({ seq }) => seq))
        } else if (random(4) > 0 || journal.generation === 0) {
          const floor = journal.head
          journal.generation += 1
          bases.push(floor)
          await mirror.writeBase(base(journal.generation, floor))
        } else {
          // As one that opens copies the base that stands: others may do the same at the same time.
          await mirror.writeBase(base(journal.generation, bases.at(-1) ?? 0))
        }
      }
      await mirror.close()
    }

    const failures: unknown[] = []
    const living = new Set(Array.from({ length: REPLICAS }, (_, i) => i))
    for (const i of living)
      live()
        .catch((error: unknown) => failures.push(error))
        .finally(() => living.delete(i))
    while ((await turns.next()) || living.size > 0) {
      const isHeld = await held(files)
      expect(copied.filter(seq => !isHeld(seq))).toEqual([])
    }
    expect(failures).toEqual([])
    expect(copied.length).toBeGreaterThan(0)
    const kept = await findBases(new MemoryPlace(files))
    expect(kept[0]?.floor ?? 0).toBe(Math.max(0, ...bases))
  },
)
