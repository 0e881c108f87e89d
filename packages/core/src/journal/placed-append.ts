/** Appends an entry that decides nothing: a part, a marker, what a mirror brought back. Its place is the next free one. */
import { MemoryError } from '../errors.ts'
import { newsOf } from './checkpoint.ts'
import { placeEntry, type Unplaced } from './entry.ts'
import { ifUnknown, MAX_COLLISIONS, type QueueHost } from './queue-host.ts'
import type { Replica } from './replica.ts'

export class PlacedAppend {
  readonly #host: QueueHost

  constructor(host: QueueHost) {
    this.#host = host
  }

  /**
   * Durable and applied when it settles with `true`; `false`, and nothing appended, where it turned out to be there.
   * @throws {MemoryError} READ_ONLY, NOT_STORED and what the journal raises
   */
  async run(entry: Unplaced, isThere: (replica: Replica) => boolean): Promise<boolean> {
    const { journal } = this.#host
    for (let collisions = 0; collisions < MAX_COLLISIONS; collisions++) {
      const replica = this.#host.replica()
      if (isThere(replica)) return false
      replica.assertWritable()
      const seq = replica.head + 1
      const stored = [{ seq, bytes: placeEntry(entry, seq, replica.chain).bytes }]
      let outcome
      try {
        outcome = await journal.append(stored)
      } catch (error) {
        // A lost answer is not a lost write: the journal knows.
        await this.#host.catchUp().catch(() => {
          throw ifUnknown(error)
        })
        if (isThere(this.#host.replica())) return true
        throw error
      }
      if (outcome === 'appended') {
        try {
          this.#host.applyAppended(stored)
        } catch {
          // What is durable is true; an image that could not follow is worth nothing.
          await this.#host.reopen()
        }
        journal.announce(newsOf(seq, stored))
        return true
      }
      if (outcome === 'behind') await this.#host.reopen()
      else await this.#host.catchUp()
    }
    throw new MemoryError('NOT_STORED', 'Other replicas were faster every time', { reason: 'busy' })
  }
}
