/**
 * Taking turns between tabs that write at once: a Web Lock around the append. It is a hint that saves collisions; the fence
 * is `add(head + 1)`. A frozen tab keeps its locks, so nobody waits longer than `TURN_WAIT_MS`, nor that long again soon.
 *
 * Who collided keeps the turn for the catch-up and the second try: otherwise a tab that writes without a pause would win
 * every time against one that appends much at once. A tab that has not heard of another writer for a while does not ask for
 * a lock at all.
 */
import { acquireLock } from '../bounded-lock.ts'

/** Long enough for another's second try with a full append; measured: some 200 ms for 4 MB where the machine is busy. */
export const TURN_WAIT_MS = 2_000
/** After it was waited for in vain, its holder is taken for frozen: so long, */
const DOUBT_MS = 60_000
/** waits end after this. */
export const DOUBTFUL_WAIT_MS = 100
/** Who collided keeps the turn so long. Less than others wait: they began to wait before the collision. */
const KEEP_MS = 1_500
/** How long after the last sign of another writer appends still take turns. */
const RIVAL_MEMORY_MS = 2_000

export class Turn {
  readonly #name: string
  #rivalUntil = 0
  #doubtUntil = 0
  #release: (() => void) | undefined
  #keepTimer: ReturnType<typeof setTimeout> | undefined

  constructor(name: string) {
    this.#name = name
  }

  /** Another writer was heard of. */
  sawRival(): void {
    this.#rivalUntil = performance.now() + RIVAL_MEMORY_MS
  }

  /** Runs `append`, in turn where another tab writes too. */
  async run<T>(append: () => Promise<T>, collided: (outcome: T) => boolean): Promise<T> {
    clearTimeout(this.#keepTimer)
    if (!this.#release && performance.now() < this.#rivalUntil) this.#release = await this.#acquire()
    let keep = false
    try {
      const outcome = await append()
      keep = collided(outcome)
      if (keep) this.sawRival()
      return outcome
    } finally {
      if (!keep) this.end()
      else if (this.#release) this.#keepTimer = setTimeout(() => this.end(), KEEP_MS)
    }
  }

  end(): void {
    clearTimeout(this.#keepTimer)
    this.#release?.()
    this.#release = undefined
  }

  async #acquire(): Promise<(() => void) | undefined> {
    const doubtful = performance.now() < this.#doubtUntil
    const release = await acquireLock(this.#name, { waitMs: doubtful ? DOUBTFUL_WAIT_MS : TURN_WAIT_MS })
    if (!release) this.#doubtUntil = performance.now() + DOUBT_MS
    else if (doubtful) this.#doubtUntil = 0
    return release
  }
}
