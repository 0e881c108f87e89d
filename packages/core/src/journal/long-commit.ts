/**
 * A commit too large for one append: its parts go into the journal one after the other, and what others write goes in
 * between. It was decided when it was asked for; with its last part it takes effect, merging with what came meanwhile as
 * records from another device would. A writer that dies on the way leaves parts that mean nothing.
 */
import type { Unplaced } from './entry.ts'
import { PlacedAppend } from './placed-append.ts'
import type { QueueHost } from './queue-host.ts'
import type { Replica } from './replica.ts'
import { isStaged } from './staging.ts'

export class LongCommit {
  readonly #host: QueueHost
  readonly #parts: readonly Unplaced[]
  #next = 0

  constructor(host: QueueHost, parts: readonly Unplaced[]) {
    this.#host = host
    this.#parts = parts
  }

  /** @returns true once the commit has taken effect. @throws what the journal raises; the attempt is given up then */
  async appendNext(): Promise<boolean> {
    const part = this.#parts[this.#next]
    if (part === undefined) return true
    try {
      await new PlacedAppend(this.#host).run(part, replica => isThere(replica, part))
    } catch (error) {
      await this.giveUp().catch(() => undefined)
      throw error
    }
    this.#next++
    return this.#next === this.#parts.length
  }

  /** Frees what the parts take. A failure is no harm: without the last part they stay without effect. */
  async giveUp(): Promise<void> {
    const [first] = this.#parts
    if (first === undefined || this.#next === 0) return
    await new PlacedAppend(this.#host).run({ ...first, part: 0, items: [] }, () => false)
  }
}

/** Is this entry's content in the image, in effect or waiting for its other parts? */
export function isThere(replica: Replica, entry: Pick<Unplaced, 'commit' | 'attempt' | 'part'>): boolean {
  return replica.findCommit(entry.commit) !== undefined || isStaged(replica.db, entry)
}
