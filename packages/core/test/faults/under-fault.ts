/** A script of writes, lived on replicas of which the first is met by a fault; written down: what each write was told. */
import { expect } from 'vitest'
import { randomFrom, type Random } from '../../../../test/support/random.ts'
import type { FaultInjector } from './faulty-journal.ts'
import { LoggedStore } from './logged-store.ts'
import { answerOf, openReplica, settled, typedError, type Answer, type Replica } from './replica.ts'
import { storedLines } from './report.ts'
import { Writing, type Write } from './writes.ts'

export interface Told {
  readonly write: Write
  readonly answer: Answer
}

export interface Lived {
  readonly store: LoggedStore
  readonly told: readonly Told[]
  /** As they are at the end; one that was lost has been opened again. */
  readonly replicas: readonly Replica[]
  /** All of them, those too that were left as a process that ends leaves them: they share the memory of one SQLite. */
  letGo(): Promise<void>
}

export interface Script {
  readonly seed: number
  readonly steps: number
  readonly replicas: 1 | 2
  readonly encrypted: boolean
  /** Commits may be longer than one append: of what is asked for in one turn, the short overtake the long. */
  readonly overtaking?: boolean
}

/** How often a write under a key is repeated while nobody knows what became of it. */
const REPEATS = 4
const [CHECKPOINT, TOGETHER, ALONE, BALLAST] = [0, 3, 9, 10]
/**
 * Every script has writes that share an append, a base, and a write alone between it and a delta, which the ballast makes
 * small beside it. Of two replicas the first, which the fault meets, has the even steps.
 */
const PLANNED: Readonly<Record<number, number>> = { 0: BALLAST, 2: TOGETHER, 3: ALONE, 4: CHECKPOINT, 5: ALONE, 6: CHECKPOINT }
const BALLAST_CHARACTERS = 150_000
/** So many writes are tried on a memory whose journal is gone before it is opened again. */
const DEAD_STEPS = 2

export async function liveUnderFault(
  { seed, steps, replicas: count, encrypted, overtaking = false }: Script,
  injector: FaultInjector,
): Promise<Lived> {
  const life = new LifeUnderFault(randomFrom(seed), injector, encrypted, overtaking)
  for (let i = 0; i < count; i++) await life.open(i)
  for (let step = 0; step < steps; step++) await life.step(step)
  return life
}

class LifeUnderFault implements Lived {
  readonly store: LoggedStore
  readonly told: Told[] = []
  readonly replicas: Replica[] = []
  readonly #opened: Replica[] = []
  readonly #random: Random
  readonly #injector: FaultInjector
  readonly #writing: Writing
  /** For each replica: writes since its journal was gone. */
  readonly #dead: number[] = []
  readonly #overtaking: boolean
  #metBefore = false

  constructor(random: Random, injector: FaultInjector, encrypted: boolean, overtaking: boolean) {
    this.store = new LoggedStore(encrypted)
    this.#overtaking = overtaking
    this.#random = random
    this.#injector = injector
    this.#writing = new Writing(random)
  }

  async letGo(): Promise<void> {
    for (const { memory } of this.#opened) await memory.close()
  }

  /** A fault may meet the opening too; then it is opened again. */
  async open(index: number): Promise<void> {
    this.#dead[index] = 0
    for (;;) {
      try {
        const replica = await openReplica(this.store, index === 0 ? this.#injector : undefined)
        this.replicas[index] = replica
        this.#opened.push(replica)
        return
      } catch (error) {
        typedError(error, 'opening')
        // Readings that fail from now on fail until somebody mends the place.
        if (this.#injector.fault.kind === 'unreadable from then on') this.#injector.disarm()
      }
    }
  }

  async step(step: number): Promise<void> {
    const index = step % this.replicas.length
    // Another replica may have written: as a tab that comes to the front.
    if (this.replicas.length > 1) await this.#refresh(index)
    const what = PLANNED[step] ?? this.#random(10)
    if (what === CHECKPOINT) await this.#checkpoint(index)
    else if (what === 1) await this.#refresh(index)
    else if (what === 2) await this.#reopen(index)
    else if (what === BALLAST) await this.#load(index)
    else if (what === TOGETHER) await this.#writeTogether(index, 2 + this.#random(3))
    else await this.#writeOne(index, this.#writing.next())
    await this.#afterFault(index)
  }

  /** Of another tenant, and no matter whether it comes to be. */
  async #load(index: number): Promise<void> {
    const text = 'x'.repeat(BALLAST_CHARACTERS)
    await this.#maybe(this.#replica(index).memory.tenant('ballast').record({ id: 'ballast', text, author: 'tool' }), 'ballast')
  }

  async #writeOne(index: number, write: Write): Promise<void> {
    const options = write.key === undefined ? {} : { key: write.key }
    await write.prepare()
    let answer = await answerOf(this.#run(index, write, options), write.name)
    for (let i = 0; i < REPEATS && answer.told === 'unknown' && write.key !== undefined; i++) {
      await this.#reopenWhereGone(index, answer)
      const repeated = await answerOf(this.#run(index, write, options), `${write.name}, repeated`)
      // That nothing came of repeating it says nothing of the first time.
      if (repeated.told !== 'refused') answer = repeated
    }
    await this.#note(index, write, answer, false, this.#acknowledged())
  }

  /** Asked for in one turn: they share an append. */
  async #writeTogether(index: number, count: number): Promise<void> {
    const writes = Array.from({ length: count }, () => this.#writing.next())
    for (const write of writes) await write.prepare()
    const before = this.#acknowledged()
    const calls = writes.map(write => answerOf(this.#run(index, write, {}), write.name))
    for (const [i, write] of writes.entries())
      await this.#note(index, write, (await calls[i]) as Answer, true, this.#overtaking ? before : this.#acknowledged())
  }

  #run(index: number, write: Write, options: { readonly key?: string }): Promise<unknown> {
    return write.run(this.#replica(index).mine, options)
  }

  #acknowledged(): ReadonlySet<Write> {
    return new Set(this.told.filter(each => each.answer.told === 'acknowledged').map(each => each.write))
  }

  async #note(index: number, write: Write, answer: Answer, together: boolean, known: ReadonlySet<Write>): Promise<void> {
    // What is asked for together may come between a plan and its carrying out.
    const isStale = together && answer.told === 'refused' && answer.error.code === 'PLAN_STALE'
    if (answer.told === 'refused' && answer.byRule && !isStale && write.needs.every(need => known.has(need)))
      throw new Error(`${write.name} rests on what was acknowledged, and was told ${answer.error.code}`)
    this.told.push({ write, answer })
    await this.#reopenWhereGone(index, answer)
  }

  /** A few writes are tried all the same: each has to be refused. */
  async #reopenWhereGone(index: number, answer: Answer): Promise<void> {
    const isGone =
      answer.told !== 'acknowledged' &&
      (['STORE_UNAVAILABLE', 'CLOSED'].includes(answer.error.code) || answer.error.details['reason'] === 'stuck')
    this.#dead[index] = isGone ? (this.#dead[index] ?? 0) + 1 : 0
    if ((this.#dead[index] ?? 0) < DEAD_STEPS) return
    if (this.#injector.fault.kind === 'unreadable from then on') this.#injector.disarm()
    await this.#reopen(index)
  }

  async #checkpoint(index: number): Promise<void> {
    await this.#maybe(this.#replica(index).memory.checkpoint(), 'checkpoint')
  }

  async #refresh(index: number): Promise<void> {
    const isUpToDate = await this.#maybe(this.#replica(index).service.refresh(), 'refresh')
    if (!isUpToDate && this.replicas.length > 1) await this.#reopen(index)
  }

  async #reopen(index: number): Promise<void> {
    // With and without closing first: a process may just end.
    if (this.#random(2) === 0) await this.#maybe(this.#replica(index).memory.close(), 'close')
    await this.open(index)
  }

  async #maybe(call: Promise<unknown>, what: string): Promise<boolean> {
    try {
      await settled(call, what)
      return true
    } catch (error) {
      typedError(error, what)
      return false
    }
  }

  /** In the memory that has seen the fault: what it shows is durable, or was until it was forgotten. */
  async #afterFault(index: number): Promise<void> {
    if (this.#metBefore || index !== 0 || this.#injector.fired === undefined) return
    this.#metBefore = true
    const shown = await visible(this.#replica(0))
    const other = await openReplica(this.store)
    const durable = await visible(other)
    await other.memory.close()
    expect(withoutDurable(shown, durable, this.told), 'shown, and not durable').toEqual([])
  }

  #replica(index: number): Replica {
    return this.replicas[index] as Replica
  }
}

/** Nothing where it refuses to tell. */
export async function visible({ mine }: Replica): Promise<string[]> {
  try {
    return storedLines(await settled(mine.records(), 'records'))
  } catch (error) {
    typedError(error, 'records')
    return []
  }
}

/** What is shown and neither durable nor forgotten since, which a memory that could not read may not know yet. */
export function withoutDurable(shown: readonly string[], durable: readonly string[], told: readonly Told[]): string[] {
  const there = new Set(durable)
  const signs = told.map(({ write }) => write.signs).filter(each => each.some(sign => there.has(sign)))
  const known = new Set([...durable, ...signs.flat()])
  return shown.filter(line => !known.has(line))
}
