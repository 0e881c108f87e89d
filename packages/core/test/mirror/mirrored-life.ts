/**
 * A life of a store and its mirror, process after process, whose storage is lost now and then: written down is what each write
 * was told, and whether the mirror was said to hold it. Commit n is an episode `e<n>` and a statement that rests on it.
 */
import { expect } from 'vitest'
import { createClient } from '../../src/client.ts'
import { MemoryError } from '../../src/errors.ts'
import { MemoryJournal, MemoryStore } from '../../src/journal/memory-journal.ts'
import { localTransport } from '../../src/local-transport.ts'
import type { Memory, TenantMemory } from '../../src/memory.ts'
import { MemoryFiles, MemoryPlace } from '../../src/mirror/memory-place.ts'
import { openService } from '../../src/service.ts'
import { randomFrom, type Random } from '../../../../test/support/random.ts'
import type { PlaceFaults } from './faulty-place.ts'

export interface Script {
  readonly seed: number
  readonly steps: number
  readonly durability: 'mirrored' | 'strict'
}

/** An acknowledged change: commit n is there, or is there no more. */
interface Told {
  readonly n: number
  readonly what: 'said' | 'forgotten'
  /** The writes of one step are told together. */
  readonly step: number
  isMirrored: boolean
}

/** What a mirror that cannot be read may keep from opening, and what one that cannot be written may keep from being stored. */
const CAUSED: ReadonlySet<string> = new Set(['NOT_STORED', 'STORE_UNAVAILABLE'])
/** A place that fails for a while is tried again so often, and then mended. */
const OPENINGS = 3

export class MirroredLife {
  readonly #script: Script
  readonly #faults: PlaceFaults
  readonly #random: Random
  readonly #files = new MemoryFiles()
  #store = new MemoryStore()
  /** Its storage is empty, and has not been opened since. */
  #process: Process | undefined
  #told: Told[] = []
  #count = 0
  #step = 0

  constructor(script: Script, faults: PlaceFaults) {
    this.#script = script
    this.#faults = faults
    this.#random = randomFrom(script.seed)
  }

  async live(): Promise<void> {
    const steps: readonly (() => Promise<void>)[] = [
      () => this.#write(1),
      () => this.#write(1),
      () => this.#write(3),
      () => this.#forget(),
      () => this.#checkpoint(),
      () => this.#checkpoint(),
      () => this.#reopen(),
      () => this.#reopen(),
      () => this.#lose(),
    ]
    await this.#write(2)
    for (this.#step = 1; this.#step <= this.#script.steps; this.#step++) {
      await steps[this.#random(steps.length)]?.()
      await this.#look()
    }
    await this.#lose()
    await this.#look()
    // Nothing stands in the way of going on, and of losing it once more.
    this.#faults.mend()
    await this.#write(1)
    await this.#reopen()
    await this.#look()
    expect(this.#doubtful(), 'not mirrored though nothing goes wrong').toEqual([])
    await this.#lose()
    await this.#end()
  }

  /** What `health()` says of the mirror counts for everything that was acknowledged before. */
  async #look(): Promise<void> {
    const { mirror } = await (await this.#memory()).health()
    // Who waits for the mirror waits for the entries, and not for the copy of a base.
    const isThere = this.#script.durability === 'mirrored' ? mirror?.state !== 'failed' : mirror?.state === 'current'
    if (isThere) for (const told of this.#told) told.isMirrored = true
  }

  async #write(count: number): Promise<void> {
    const mine = tenantOf(await this.#memory())
    const numbers = Array.from({ length: count }, () => (this.#count += 1))
    await Promise.all(numbers.map(n => this.#tell(n, 'said', () => commit(mine, n))))
  }

  async #forget(): Promise<void> {
    const there = this.#expected()
    const n = there[this.#random(Math.max(1, there.length))]
    if (n === undefined) return
    const mine = tenantOf(await this.#memory())
    await this.#tell(n, 'forgotten', async () => (await mine.forget({ episode: `e${n}` })).apply())
  }

  async #tell(n: number, what: Told['what'], call: () => Promise<unknown>): Promise<void> {
    try {
      await call()
    } catch (error) {
      // The journal works: what a mirror refuses was not begun.
      if (this.#script.durability !== 'mirrored') throw error
      expect(error).toMatchObject({ code: 'NOT_STORED', details: { reason: 'mirror' } })
      return
    }
    this.#told.push({ n, what, step: this.#step, isMirrored: false })
  }

  async #checkpoint(): Promise<void> {
    await (await this.#memory()).checkpoint()
  }

  /** The storage is as it was left: whatever became of the mirror, all that was acknowledged is there and nothing else. */
  async #reopen(): Promise<void> {
    await this.#end()
    expect(await numbersIn(await this.#memory()), 'in a storage that lost nothing').toEqual(this.#expected())
  }

  async #lose(): Promise<void> {
    await this.#end()
    this.#store = new MemoryStore()
    const [expected, doubtful] = [this.#expected(), this.#doubtful()]
    // Half an entry, of a mirror that has nothing else yet, cannot be told from damage.
    const memory = await this.#memory(this.#told.some(({ isMirrored }) => isMirrored) ? 'fail' : 'startNew')
    const found = await numbersIn(memory)
    const isCertain = (n: number): boolean => !doubtful.includes(n)
    expect(found.filter(isCertain), 'mirrored, and lost or forgotten').toEqual(expected.filter(isCertain))
    expect(
      found.filter(n => !this.#told.some(told => told.n === n)),
      'refused, and stored',
    ).toEqual([])
    expect(await memory.query('select * from pragma_integrity_check')).toEqual([{ integrity_check: 'ok' }])
    expect((await memory.health()).quarantine).toEqual([])
    // From now on what was found is what was said.
    this.#told = found.map(n => ({ n, what: 'said', step: this.#step, isMirrored: false }))
  }

  /** The commits that are there, ascending. */
  #expected(): number[] {
    const forgotten = new Set(this.#told.filter(({ what }) => what === 'forgotten').map(({ n }) => n))
    return this.#told
      .filter(({ n, what }) => what === 'said' && !forgotten.has(n))
      .map(({ n }) => n)
      .toSorted((a, b) => a - b)
  }

  /**
   * Those of which a mirror may have missed something. Where writes wait for it these are at most those of the last step that
   * was acknowledged: they met the failure, and later ones are refused.
   */
  #doubtful(): number[] {
    const open = this.#told.filter(({ isMirrored }) => !isMirrored)
    if (this.#script.durability === 'mirrored') {
      const last = this.#told.at(-1)?.step
      for (const told of open) expect(told.step, 'acknowledged behind one that is not mirrored').toBe(last)
    }
    return open.map(({ n }) => n)
  }

  async #memory(ifLost: 'fail' | 'startNew' = 'fail'): Promise<Memory> {
    for (let opening = 1; this.#process === undefined; opening++) {
      if (opening > OPENINGS) this.#faults.mend()
      const started = new Process()
      try {
        await started.open(this.#store, this.#files, this.#faults, { durability: this.#script.durability, ifLost })
        this.#process = started
      } catch (error) {
        await started.die(this.#files)
        if (!MemoryError.is(error) || !CAUSED.has(error.code) || opening > OPENINGS) throw error
      }
    }
    return this.#process.memory
  }

  /** With and without closing first: a process may just end. */
  async #end(): Promise<void> {
    if (this.#random(2) === 0) await this.#process?.memory.close()
    await this.#process?.die(this.#files)
    this.#process = undefined
  }
}

/** What has the store open: once it is dead nothing that it still asks for has an effect. */
class Process {
  #memory: Memory | undefined
  #isDead = false

  get memory(): Memory {
    if (this.#memory === undefined) throw new Error('It is not open')
    return this.#memory
  }

  async open(
    store: MemoryStore,
    files: MemoryFiles,
    faults: PlaceFaults,
    options: { readonly durability: Script['durability']; readonly ifLost: 'fail' | 'startNew' },
  ): Promise<void> {
    const service = await openService({
      journal: this.#mortal(new MemoryJournal(store)),
      mirror: faults.around(this.#mortal(new MemoryPlace(files))),
      atRest: { kind: 'device' },
      ...options,
    })
    this.#memory = createClient(localTransport(service))
  }

  /** Its locks go with it. */
  async die(files: MemoryFiles): Promise<void> {
    this.#isDead = true
    files.held.clear()
    // For the memory that it takes.
    await this.#memory?.close()
  }

  #mortal<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (object, name) => {
        const member: unknown = Reflect.get(object, name, object)
        if (typeof member !== 'function') return member
        return (...args: unknown[]): unknown => {
          if (this.#isDead && name !== 'close') throw new MemoryError('CLOSED', 'The process is dead')
          return Reflect.apply(member, object, args)
        }
      },
    })
  }
}

function tenantOf(memory: Memory): TenantMemory {
  return memory.tenant('acme', { actor: 'user' })
}

function commit(mine: TenantMemory, n: number): Promise<unknown> {
  return mine.batch(batch => {
    batch.record({ id: `e${n}`, text: `text ${n}`, author: 'user', at: '2026-01-01T00:00:00Z' })
    batch.assert({ id: `a${n}`, subject: `s${n}`, attribute: 'x', value: n, from: `e${n}` })
  })
}

/** Fails where a commit is there in part, or twice. */
async function numbersIn(memory: Memory): Promise<number[]> {
  const mine = tenantOf(memory)
  const { facts } = await mine.facts({ limit: 1000 })
  const { episodes } = await mine.episodes({ limit: 1000 })
  const stated = facts.map(({ value }) => Number(value)).toSorted((a, b) => a - b)
  expect(
    episodes.map(({ id }) => Number(id.slice(1))).toSorted((a, b) => a - b),
    'episodes and facts',
  ).toEqual(stated)
  expect(new Set(stated).size, 'each once').toBe(stated.length)
  return stated
}
