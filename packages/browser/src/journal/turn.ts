/**
 * Taking turns between tabs that write at once: a short Web Lock around the append. It is a hint that saves collisions;
 * the fence is `add(head + 1)`. A frozen tab keeps its locks, so nobody waits longer than `TURN_WAIT_MS`.
 *
 * Who collided keeps the turn for the catch-up and the second try: otherwise a tab that writes without a pause could win
 * every time. A tab that has not heard of another writer for a while does not ask for a lock at all.
 */

export const TURN_WAIT_MS = 100
/** How long after the last sign of another writer appends still take turns. */
const RIVAL_MEMORY_MS = 2_000

export class Turn {
  readonly #name: string
  #rivalUntil = 0
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
    if (!this.#release && performance.now() < this.#rivalUntil) this.#release = await acquire(this.#name)
    let keep = false
    try {
      const outcome = await append()
      keep = collided(outcome)
      if (keep) this.sawRival()
      return outcome
    } finally {
      if (!keep) this.end()
      else if (this.#release) this.#keepTimer = setTimeout(() => this.end(), TURN_WAIT_MS)
    }
  }

  end(): void {
    clearTimeout(this.#keepTimer)
    this.#release?.()
    this.#release = undefined
  }
}

/** The way to release the lock; undefined where there are no Web Locks or it was not granted in time. */
function acquire(name: string): Promise<(() => void) | undefined> {
  const locks = globalThis.navigator?.locks as LockManager | undefined
  if (!locks) return Promise.resolve(undefined)
  return new Promise(resolve => {
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(), TURN_WAIT_MS)
    const hold = (): Promise<void> => {
      clearTimeout(timer)
      return new Promise<void>(release => resolve(release))
    }
    locks.request(name, { signal: patience.signal }, hold).catch(() => {
      clearTimeout(timer)
      resolve(undefined)
    })
  })
}
