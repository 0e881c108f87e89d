/**
 * A mirror's place that goes wrong at one call: the `at`-th that a fault of its kind can meet. Letting go never fails.
 *
 * | kind | what happens | what the caller is told |
 * |---|---|---|
 * | fails before | nothing | NOT_STORED, or STORE_UNAVAILABLE where it reads |
 * | fails before, whole | nothing to a file that is appended to | NOT_STORED, with `isWhole` |
 * | fails after | it is done | the same as before |
 * | leaves a part | half of the bytes are appended | NOT_STORED |
 * | fails for a while | nothing, at this call and some after it | the same as before |
 * | slow | it is done some turns later | what it came to |
 */
import { MemoryError } from '../../src/errors.ts'
import type { MirrorFile, MirrorPlace } from '../../src/mirror/port.ts'
import { turns } from '../faults/faulty-journal.ts'

export const PLACE_FAULTS = [
  'fails before',
  'fails before, whole',
  'fails after',
  'leaves a part',
  'fails for a while',
  'slow',
] as const

export type PlaceFault = (typeof PLACE_FAULTS)[number]

/** Those that only an append can meet. */
export const APPEND_FAULTS: ReadonlySet<PlaceFault> = new Set(['fails before, whole', 'leaves a part'])

type Method = 'list' | 'read' | 'create' | 'remove' | 'append'

const READINGS: ReadonlySet<Method> = new Set(['list', 'read'])
/** Of a while, in calls; odd, so that what is tried twice each time fails in the middle too. */
const WHILE = 9
const SLOW_TURNS = 5

/** One fault, and the places that it may meet: those of a process after the other. */
export class PlaceFaults {
  readonly kind: PlaceFault
  readonly at: number
  /** The call that was met first. */
  fired: Method | undefined
  #calls = 0
  #mended = false

  constructor(kind: PlaceFault, at: number) {
    this.kind = kind
    this.at = at
  }

  /** From now on nothing goes wrong. */
  mend(): void {
    this.#mended = true
  }

  around(inner: MirrorPlace): MirrorPlace {
    const meet = <T>(method: Method, effect: () => Promise<T>): Promise<T> => this.#meet(method, effect)
    const around = (file: MirrorFile): MirrorFile => ({
      append: (bytes, options) =>
        this.#meet(
          'append',
          () => file.append(bytes, options),
          () => file.append(bytes.subarray(0, bytes.length >> 1), options),
        ),
      close: () => file.close(),
    })
    return {
      kind: inner.kind,
      list: () => meet('list', () => inner.list()),
      read: name => meet('read', () => inner.read(name)),
      create: name => meet('create', async () => around(await inner.create(name))),
      remove: (name, sizeBytes) => meet('remove', () => inner.remove(name, sizeBytes)),
      close: () => inner.close(),
    }
  }

  async #meet<T>(method: Method, effect: () => Promise<T>, half?: () => Promise<T>): Promise<T> {
    if (this.#mended || (APPEND_FAULTS.has(this.kind) && method !== 'append')) return effect()
    this.#calls += 1
    const last = this.kind === 'fails for a while' ? this.at + WHILE - 1 : this.at
    if (this.#calls < this.at || this.#calls > last) return effect()
    this.fired ??= method
    if (this.kind === 'slow') {
      await turns(SLOW_TURNS)
      return effect()
    }
    if (this.kind === 'fails after') await effect()
    if (this.kind === 'leaves a part') await half?.()
    throw failure(method, this.kind === 'fails before, whole')
  }
}

function failure(method: Method, isWhole: boolean): MemoryError {
  if (READINGS.has(method)) return new MemoryError('STORE_UNAVAILABLE', 'The mirror was not read', { reason: 'faulty' })
  return new MemoryError('NOT_STORED', 'The mirror was not written', { reason: 'faulty', ...(isWhole ? { isWhole } : {}) })
}
