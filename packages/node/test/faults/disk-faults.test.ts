/** Any fault at any call to the disk, under a whole memory: acknowledged is there once, refused is not, and it goes on. */
import { MemoryError, type Memory } from '@palimpsest/core'
import { describe, expect, test, vi } from 'vitest'
import { memoryDisk } from '../journal/memory-disk.ts'
import { DISK_FAULTS, FaultyDisk, type DiskFault } from './faulty-disk.ts'
import { commit, commitAsOne, DIRECTORY, expectIntact, numbersIn, openOn, quarantineOf } from './numbered.ts'
import { FULL, keepFigures } from '../../../../test/support/size.ts'
import { randomFrom } from '../../../../test/support/random.ts'

// A number takes less than 1 kB, which is an entry: three of them share an append, and more are a commit that needs several.
vi.mock('../../../core/src/journal/limits.ts', () => ({ ENTRY_BYTES: 600, APPEND_BYTES: 2_800 }))

/** Numbers of a long commit, and its parts. */
const LONG = 4
/** Every life has one, at this step. */
const LONG_STEP = 1

/** Turns that any call has; looking at the lock and encryption take their time beside them, so that some more are given in time. */
const TURNS = 300
const SLOW_TURNS = 2_000
const SLOW_TURN_MS = 5

async function settled<T>(call: Promise<T>, what: string): Promise<T> {
  const state = { isSettled: false }
  const end = (): void => void (state.isSettled = true)
  call.then(end, end)
  for (let i = 0; i < TURNS && !state.isSettled; i++) await new Promise(resolve => void setImmediate(resolve))
  for (let i = 0; i < SLOW_TURNS && !state.isSettled; i++) await new Promise(resolve => void setTimeout(resolve, SLOW_TURN_MS))
  if (!state.isSettled) throw new Error(`${what} never settled`)
  return call
}

/** Errors that the place of storage may cause. What cannot be read counts as damaged, as long as it cannot be read. */
const STORAGE = ['NOT_STORED', 'STORE_UNAVAILABLE', 'CLOSED', 'LOCKED']
const UNREADABLE = [...STORAGE, 'STORE_CORRUPT', 'KEY_DAMAGED']

function typed(error: unknown, kind: DiskFault): MemoryError {
  if (MemoryError.is(error) && (kind.startsWith('unreadable') ? UNREADABLE : STORAGE).includes(error.code)) return error
  throw error
}

class LifeOnDisk {
  readonly disk = memoryDisk()
  readonly acknowledged: number[] = []
  readonly unknown: number[] = []
  /** The numbers of each long commit: all of them are there, or none. */
  readonly long: (readonly number[])[] = []
  #memory: Memory | undefined
  #count = 0
  readonly #faulty: FaultyDisk
  readonly #random: (below: number) => number

  constructor(faulty: FaultyDisk, seed: number) {
    this.#faulty = faulty
    this.#random = randomFrom(seed)
  }

  async live(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      const what = this.#random(7)
      if (step === LONG_STEP || what === 6) await this.#writeLong()
      else if (what === 0) await this.#open()
      else if (what < 3) await this.#checkpoint()
      else await this.#write(what === 3 ? 3 : 1)
    }
  }

  /** What the memory that lived through it shows: nothing that is not durable. */
  async shown(): Promise<readonly number[]> {
    return this.#memory === undefined ? [] : numbersIn(this.#memory)
  }

  async letGo(): Promise<void> {
    await this.#memory?.close()
  }

  async #write(count: number): Promise<void> {
    const memory = await this.#opened()
    await this.#told(this.#next(count).map(n => ({ numbers: [n], call: commit(memory, n) })))
  }

  async #writeLong(): Promise<void> {
    const memory = await this.#opened()
    const numbers = this.#next(LONG)
    this.long.push(numbers)
    await this.#told([{ numbers, call: commitAsOne(memory, numbers) }])
  }

  #next(count: number): number[] {
    return Array.from({ length: count }, () => (this.#count += 1))
  }

  async #told(commits: readonly { readonly numbers: readonly number[]; readonly call: Promise<void> }[]): Promise<void> {
    const what = `commit ${commits.flatMap(({ numbers }) => numbers).join()}`
    const results = await settled(Promise.allSettled(commits.map(({ call }) => call)), what)
    for (const [i, { numbers }] of commits.entries()) {
      const result = results[i] as PromiseSettledResult<void>
      if (result.status === 'fulfilled') {
        this.acknowledged.push(...numbers)
        continue
      }
      const { code, details } = typed(result.reason, this.#faulty.kind)
      if (code !== 'NOT_STORED' || details['outcome'] === 'unknown') this.unknown.push(...numbers)
    }
    // A journal that does not know what its disk holds writes no more; a disk that failed for good has to be mended.
    if (results.some(result => result.status === 'rejected')) await this.#open()
  }

  async #checkpoint(): Promise<void> {
    const memory = await this.#opened()
    await settled(memory.checkpoint(), 'checkpoint').catch((error: unknown) => typed(error, this.#faulty.kind))
  }

  async #opened(): Promise<Memory> {
    if (this.#memory === undefined) await this.#open()
    return this.#memory as Memory
  }

  async #open(): Promise<void> {
    if (this.#memory !== undefined)
      await settled(this.#memory.close(), 'close').catch((error: unknown) => typed(error, this.#faulty.kind))
    this.#memory = undefined
    for (let attempt = 1; this.#memory === undefined; attempt++) {
      if (attempt > 2) this.#faulty.mend()
      // A process that could not let go of its lock is dead by now.
      if (attempt > 1) await this.disk.remove(`${DIRECTORY}/lock.json`)
      this.#memory = await settled(openOn(this.#faulty.around(this.disk)), 'open').catch((error: unknown) => {
        if (attempt > 4) throw error
        typed(error, this.#faulty.kind)
        return undefined
      })
    }
  }
}

async function explore(kind: DiskFault, seed: number, steps: number): Promise<string[]> {
  const met: string[] = []
  for (let at = 1; ; at++) {
    const faulty = new FaultyDisk(kind, at)
    const life = new LifeOnDisk(faulty, seed)
    try {
      await life.live(steps)
      const shown = await life.shown()
      faulty.mend()
      await life.disk.remove(`${DIRECTORY}/lock.json`)
      const again = await openOn(life.disk)
      const numbers = await numbersIn(again)
      const { acknowledged, unknown } = life
      expect(
        acknowledged.filter(n => !numbers.includes(n)),
        'acknowledged, and lost',
      ).toEqual([])
      expect(
        numbers.filter(n => !acknowledged.includes(n) && !unknown.includes(n)),
        'refused, and stored',
      ).toEqual([])
      for (const all of life.long) expect([0, LONG], 'of a long commit').toContain(all.filter(n => numbers.includes(n)).length)
      expect(
        shown.filter(n => !numbers.includes(n)),
        'shown, and not durable',
      ).toEqual([])
      expect(await quarantineOf(again)).toEqual([])
      await expectIntact(again)
      // Nothing stands in the way of going on.
      await commit(again, 5_000)
      await again.checkpoint()
      expect(await numbersIn(again)).toEqual([...numbers, 5_000])
      await again.close()
      await life.letGo()
    } catch (error) {
      const where = JSON.stringify({ kind, at, seed, steps })
      throw new Error(`${where}, met ${faulty.fired ?? 'nothing'}: ${String(error)}`, { cause: error })
    }
    if (faulty.fired === undefined) return met
    met.push(faulty.fired)
  }
}

let faults = 0
keepFigures('disk-faults', () => ({ faults }))

describe.each(DISK_FAULTS)('%s', kind => {
  test.each(Array.from({ length: FULL ? 8 : 1 }, (_, i) => 1 + i + 100 * DISK_FAULTS.indexOf(kind)))(
    'seed %i: what was acknowledged is there once, what was refused is not',
    { timeout: 3_600_000 },
    async seed => {
      const met = await explore(kind, seed, FULL ? 24 : 4)
      faults += met.length
      expect(met).toContain(kind.startsWith('unreadable') ? 'read' : 'write')
    },
  )
})
