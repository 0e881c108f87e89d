/**
 * Checkpoints: the journal's tail is folded into the stored image. A delta holds the pages that differ from the persisted
 * image; when deltas pass 30 % of the base, a new base is written, read back and verified before the old one goes.
 */
import type { JournalNews } from './port.ts'
import type { Journal } from './port.ts'
import { decodeImage, encodeBase, encodeDelta, PAGE_BYTES, type LoadedImage } from './image.ts'
import { changedPages, type PageHashes } from './page-hashes.ts'
import type { Replica } from './replica.ts'

/** Deltas may grow to this share of the base. */
const DELTA_SHARE = 0.3

/** What is persisted, as far as this replica knows: its page hashes, for exactly this generation and number of deltas. */
interface Persisted {
  readonly generation: number
  readonly deltas: number
  readonly hashes: BigUint64Array
  /** Size of the base, and of all deltas together. */
  readonly baseBytes: number
  readonly deltaBytes: number
}

export type CheckpointOutcome =
  | { readonly done: true; readonly generation: number; readonly delta: number }
  /** `behind`: the floor is above our head; `raced`: another replica was faster; `nothing`: the tail is empty. */
  | { readonly done: false; readonly why: 'behind' | 'raced' | 'nothing' }

export class Checkpointer {
  readonly #journal: Journal
  readonly #hash: PageHashes
  #persisted: Persisted | undefined

  constructor(journal: Journal, hash: PageHashes) {
    this.#journal = journal
    this.#hash = hash
  }

  /** After (re)opening: what the replica was built from is what is persisted, unless part of it was damaged. */
  startFrom(replica: Replica): void {
    const { image } = replica
    this.#persisted = image === undefined || image.damaged.length > 0 ? undefined : this.#known(image)
    // Its bytes have been read into SQLite and hashed; kept, they would double the memory.
    replica.image = undefined
  }

  #known({ generation, deltas, deltaBytes, bytes }: LoadedImage): Persisted {
    return { generation, deltas, hashes: this.#hash(bytes), baseBytes: bytes.length, deltaBytes }
  }

  /**
   * The caller has caught up with the journal and holds no transaction. Durable when it settles with `done`.
   * @param newBase write a base in any case, and no delta; it replaces everything, what is in quarantine included
   */
  async run(replica: Replica, newBase = false): Promise<CheckpointOutcome> {
    const state = await this.#journal.state()
    if (state.floor > replica.head) return { done: false, why: 'behind' }
    if (replica.head === 0) return { done: false, why: 'nothing' }
    const persisted = await this.#current(state.generation, state.deltas)
    // Somebody has folded in all there is, and it can be read.
    if (!newBase && state.floor === replica.head && persisted !== undefined) return { done: false, why: 'nothing' }
    const image = replica.db.export()
    const point = { head: replica.head, chain: replica.chain }
    const hashes = this.#hash(image)
    if (persisted !== undefined && !newBase) {
      const pages = changedPages(persisted.hashes, hashes)
      const deltaBytes = persisted.deltaBytes + pages.length * PAGE_BYTES
      if (deltaBytes <= persisted.baseBytes * DELTA_SHARE) {
        const n = state.deltas + 1
        const bytes = encodeDelta(image, pages, point)
        const saved = await this.#journal.saveDelta({ generation: state.generation, n, bytes, floor: point.head })
        if (!saved) return { done: false, why: 'raced' }
        this.#persisted = { ...persisted, deltas: n, hashes, deltaBytes }
        return { done: true, generation: state.generation, delta: n }
      }
    }
    return this.#writeBase(state.generation + 1, image, hashes, point, newBase)
  }

  async #writeBase(
    generation: number,
    image: Uint8Array,
    hashes: BigUint64Array,
    point: { head: number; chain: string },
    quarantineToo: boolean,
  ): Promise<CheckpointOutcome> {
    const saved = await this.#journal.saveBase({ generation, segments: encodeBase(image, point), floor: point.head })
    if (!saved) return { done: false, why: 'raced' }
    this.#persisted = { generation, deltas: 0, hashes, baseBytes: image.length, deltaBytes: 0 }
    const stored = await this.#journal.image(generation)
    const readBack = stored === undefined ? undefined : decodeImage(stored)
    if (readBack === undefined || 'reason' in readBack || changedPages(hashes, this.#hash(readBack.bytes)).length > 0) {
      // The generation before and the entries above it are still there; the next checkpoint writes another base.
      this.#persisted = undefined
      return { done: false, why: 'raced' }
    }
    await this.#journal.dropBefore(generation, point.head, quarantineToo)
    return { done: true, generation, delta: 0 }
  }

  /** Page hashes of what is persisted now; read again where another replica has written since. */
  async #current(generation: number, deltas: number): Promise<Persisted | undefined> {
    if (generation === 0) return undefined
    const known = this.#persisted
    if (known === undefined) return undefined
    if (known.generation === generation && known.deltas === deltas) return known
    const stored = await this.#journal.image(generation)
    const image = stored === undefined ? undefined : decodeImage(stored)
    if (stored === undefined || image === undefined || 'reason' in image || image.damaged.length > 0 || image.deltas !== deltas)
      return undefined
    this.#persisted = this.#known(image)
    return this.#persisted
  }
}

/** Entries small enough to send to other replicas with the news. */
export function newsOf(head: number, entries: JournalNews['entries']): JournalNews {
  const sizeBytes = entries?.reduce((sum, entry) => sum + entry.bytes.length, 0) ?? 0
  return entries !== undefined && sizeBytes <= 64 * 1024 ? { head, entries } : { head }
}
