/**
 * A journal that goes wrong at one step: the `at`-th call that a fault of its kind can meet. Before and after it, and in
 * everything that it does not know, it is the journal that it stands before.
 */
import { MemoryError, type Journal } from '../../src/index.ts'
import { canMeet, type FaultKind } from './fault-kinds.ts'

export interface Fault {
  readonly kind: FaultKind
  /** 1 is the first call that can be met. */
  readonly at: number
  /** Before which later call an effect lands that is late: 1 is the next one. */
  readonly lag: number
}

/** Calls that have no answer to lose. */
const NOT_MET: ReadonlySet<string | symbol> = new Set(['announce', 'subscribe', 'close'])
const WRITES = /^(?:append|save|drop|init|write)/

/** So many turns of the event loop pass before a caller that hears nothing is told that time is up. */
const TIME_OUT_TURNS = 3

export const turn = (): Promise<void> => new Promise(resolve => void setImmediate(resolve))

export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await turn()
}

type Call = () => Promise<unknown>

/** One fault, and the connections that it may meet: a journal that is opened again counts on. */
export class FaultInjector {
  readonly fault: Fault
  /** The call that was met. */
  fired: string | undefined
  /** Calls that could have been met. */
  steps = 0
  #armed: boolean
  #unreadable = 0
  #late: { effect: Call; calls: number } | undefined

  /** @param armed false: nothing goes wrong, and nothing is counted, before `arm` */
  constructor(fault: Fault, armed = true) {
    this.fault = fault
    this.#armed = armed
  }

  arm(): void {
    this.#armed = true
  }

  /** From now on nothing goes wrong; what is late stays late until `land`. */
  disarm(): void {
    this.#armed = false
    this.#unreadable = 0
  }

  /** Whether an effect is still under way. */
  get isLate(): boolean {
    return this.#late !== undefined
  }

  /** What is late lands now. What it comes to, nobody hears. */
  async land(): Promise<void> {
    const late = this.#late
    this.#late = undefined
    await late?.effect().catch(() => undefined)
  }

  /** A connection that may be lost; another one over the same store works again. */
  connect(inner: Journal): Journal {
    const connection: Connection = { lost: undefined, isNew: true, isStuck: false }
    return new Proxy(inner, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        const call = (...args: unknown[]): unknown => Reflect.apply(member, target, args)
        if (NOT_MET.has(name)) return call
        return (...args: unknown[]) => this.#meet(connection, String(name), async () => call(...args))
      },
    })
  }

  async #meet(connection: Connection, name: string, effect: Call): Promise<unknown> {
    if (this.#late !== undefined && (--this.#late.calls === 0 || (connection.isNew && this.#late.calls === Infinity)))
      await this.land()
    connection.isNew = false
    if (connection.lost !== undefined) throw connection.lost()
    const writes = WRITES.test(name)
    if (writes && connection.isStuck) throw new MemoryError('NOT_STORED', 'It has to be opened again', { reason: 'stuck' })
    if (!writes && this.#unreadable > 0) {
      this.#unreadable--
      throw unreadable()
    }
    const { kind, at, lag } = this.fault
    if (!this.#armed || !canMeet(kind, writes)) return effect()
    this.steps++
    if (kind === 'unreadable from then on' && this.steps > at) throw unreadable()
    if (this.steps !== at) return effect()
    this.fired = name
    switch (kind) {
      case 'refused':
        throw new MemoryError('NOT_STORED', 'The disk is full', { reason: 'quota' })
      case 'aborted after success':
        await effect()
        throw lostAnswer()
      case 'aborted, then unreadable':
        await effect()
        this.#unreadable = 2
        throw lostAnswer()
      case 'unknown and not done':
        throw lostAnswer()
      case 'timed out, done':
        await effect()
        await turns(TIME_OUT_TURNS)
        throw lostAnswer()
      case 'timed out, not done':
        await turns(TIME_OUT_TURNS)
        throw lostAnswer()
      case 'timed out, lands late':
        await turns(TIME_OUT_TURNS)
        this.#late = { effect, calls: lag }
        throw lostAnswer()
      case 'unknown until opened again':
        connection.isStuck = true
        this.#late = { effect, calls: Infinity }
        throw lostAnswer()
      case 'unreadable once':
      case 'unreadable from then on':
        throw unreadable()
      case 'connection lost before':
      case 'connection lost after':
        if (kind === 'connection lost after') await effect()
        connection.lost = unreadable
        throw unreadable()
      case 'closed':
        connection.lost = () => new MemoryError('CLOSED', 'The journal was closed')
        throw connection.lost()
    }
  }
}

interface Connection {
  lost: (() => MemoryError) | undefined
  /** What is late lands before its first call. */
  isNew: boolean
  /** It does not know what it holds: nothing is written any more. */
  isStuck: boolean
}

function unreadable(): MemoryError {
  return new MemoryError('STORE_UNAVAILABLE', 'The connection was lost', { reason: 'lost' })
}

function lostAnswer(): MemoryError {
  return new MemoryError('NOT_STORED', 'The answer was lost', { reason: 'time-out', outcome: 'unknown' })
}
