/** Sees from one opening to the next whether it is still the same database, and what the memory itself says of it. */
import type { Figures } from './figures.ts'
import type { Found } from './tab-protocol.ts'

export interface Wiped {
  /** The engine had thrown the database away since the last check. */
  readonly wiped: boolean
  /** There was a copy of the store outside the database. */
  readonly mirrored: boolean
}

export class StoreWatch {
  readonly #figures: Figures
  readonly #remark: (text: string) => void
  #known: Found | undefined
  #cut = false
  #wiped = false
  #mirrored = false

  constructor(figures: Figures, remark: (text: string) => void) {
    this.#figures = figures
    this.#remark = remark
  }

  /** An opening was cut off, and what it would have said was not heard. */
  cutOff(): void {
    this.#cut = true
  }

  /** The memory said at the opening that its store is lost. What opens next is another store. */
  lost(): void {
    const before = this.#known
    this.#known = undefined
    this.#wiped = true
    this.#figures.wipes += 1
    this.#figures.wipesDetected += 1
    this.#remark(`wiped: the memory says that the store is lost; its mirror was ${before?.mirror ?? 'not there'}`)
  }

  found(found: Found): void {
    const before = this.#known
    const cut = this.#cut
    this.#known = found
    this.#cut = false
    this.#mirrored ||= found.mirror !== null
    if (before === undefined) return
    const said = `head ${before.head} when it was opened last, ${found.head} now; restored: ${JSON.stringify(found.restored)}`
    if (before.incarnation === found.incarnation) {
      if (found.restored === null) return
      this.#figures.tailsRestored += 1
      this.#remark(`the database lacked commits: ${said}`)
      return
    }
    // What was restored in an opening that was cut off is told by what is there.
    const restored = found.restored !== null || (cut && found.head > 0 && found.storeId === before.storeId)
    this.#figures.wipes += 1
    if (restored || before.storeId !== found.storeId) this.#figures.wipesDetected += 1
    if (restored) this.#figures.restored += 1
    this.#wiped = true
    this.#remark(`wiped: ${said}`)
  }

  /** How the store is now, some time after it was opened. */
  saw(found: Found): void {
    this.#known = found
  }

  /** What happened since this was asked last. */
  sinceLastCheck(): Wiped {
    const wiped = this.#wiped
    this.#wiped = false
    return { wiped, mirrored: this.#mirrored }
  }
}
