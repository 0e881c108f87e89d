/**
 * A store that is open: journal, replica, queue and checkpoints working together. It knows nothing of facts.
 */
import { MemoryError } from '../errors.ts'
import type { MemoryEvent } from '../memory.ts'
import type { SqlDatabase } from '../sql/database.ts'
import { Checkpointer } from './checkpoint.ts'
import { CommitQueue, type QueueHost, type WriteResult } from './commit-queue.ts'
import type { PageHashes } from './page-hashes.ts'
import type { Journal, JournalNews, StoredEntry } from './port.ts'
import { openReplica, type Replica } from './replica.ts'

/** A checkpoint is due after so many entries or bytes, and is taken when nothing is asked for, */
const DUE_ENTRIES = 1000
const DUE_BYTES: number = 1024 * 1024
/** or at the latest after this many times as much. */
const OVERDUE = 4
const IDLE_MS = 200

export interface StoreOptions {
  readonly journal: Journal
  openDb(image?: Uint8Array): SqlDatabase
  readonly pageHashes: PageHashes
  /** Takes note of a recorded time. */
  observe(clock: string): void
  /** What was cached of an uncommitted transaction is void. */
  forgetUncommitted(): void
  emit(event: MemoryEvent): void
}

export class Store implements QueueHost {
  readonly journal: Journal
  readonly #options: StoreOptions
  readonly #queue: CommitQueue
  readonly #checkpointer: Checkpointer
  readonly #unsubscribe: () => void
  #replica: Replica
  #tail = { entries: 0, bytes: 0 }
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  private constructor(options: StoreOptions, replica: Replica) {
    this.#options = options
    this.journal = options.journal
    this.#replica = replica
    this.#queue = new CommitQueue(this)
    this.#checkpointer = new Checkpointer(options.journal, options.pageHashes)
    this.#tail.entries = replica.head - (replica.image?.head ?? 0)
    this.#checkpointer.startFrom(replica)
    this.#unsubscribe = options.journal.subscribe(news => this.#hear(news))
    this.#considerCheckpoint()
  }

  static async open(options: StoreOptions): Promise<Store> {
    return new Store(options, await openReplica(options.journal, options.openDb, options.observe))
  }

  replica(): Replica {
    return this.#replica
  }

  read<T>(run: (replica: Replica) => T): Promise<T> {
    return this.#queue.read(() => run(this.#replica))
  }

  write(commit: string, run: () => WriteResult, signal?: AbortSignal): Promise<unknown> {
    return this.#queue.write(commit, run, signal)
  }

  /** Re-reads the head of the journal before anything else is served: after a freeze, or when news may have been missed. */
  refresh(): Promise<void> {
    return this.#queue.job(() => this.catchUp())
  }

  async checkpoint(): Promise<void> {
    await this.#queue.job(() => this.#checkpoint())
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#timer)
    this.#unsubscribe()
    await this.#queue.close()
    await this.journal.close()
    this.#replica.db.close()
  }

  // What the queue asks for; called only from within it.

  async catchUp(): Promise<void> {
    const state = await this.journal.state()
    const replica = this.#replica
    if (state.head <= replica.head && state.floor <= replica.head) return
    const entries = state.floor > replica.head ? undefined : await this.journal.read(replica.head)
    // A checkpoint may have dropped entries between the two reads.
    if (entries === undefined || (entries[0] !== undefined && entries[0].seq > replica.head + 1)) {
      await this.reopen()
      return
    }
    const { tenants } = replica.apply(entries, this.#options.observe)
    replica.skipTo(state.head)
    this.#applied(tenants, entries, false)
  }

  async reopen(): Promise<void> {
    const old = this.#replica
    this.#replica = await openReplica(this.journal, this.#options.openDb, this.#options.observe)
    this.#options.forgetUncommitted()
    this.#checkpointer.startFrom(this.#replica)
    old.db.close()
    this.#options.emit({ type: 'changed', head: this.#replica.head, tenants: [], local: false })
  }

  forgetUncommitted(): void {
    this.#replica.state.dropCaches()
    this.#options.forgetUncommitted()
  }

  committed(entries: readonly StoredEntry[], tenants: ReadonlySet<string>): void {
    this.#applied(tenants, entries, true)
  }

  #applied(tenants: ReadonlySet<string>, entries: readonly StoredEntry[], local: boolean): void {
    this.#tail.entries += entries.length
    this.#tail.bytes += entries.reduce((sum, entry) => sum + entry.bytes.length, 0)
    this.#options.emit({ type: 'changed', head: this.#replica.head, tenants: [...tenants], local })
    this.#considerCheckpoint()
  }

  /** Another replica says that it has written. The message may be late, early or twice; the journal is what counts. */
  #hear(news: JournalNews): void {
    if (this.#closed || news.head <= this.#replica.head) return
    this.#queue
      .job(async () => {
        const { head } = this.#replica
        if (news.head <= head) return
        const fresh = news.entries?.filter(entry => entry.seq > head) ?? []
        if (fresh[0]?.seq === head + 1 && fresh.at(-1)?.seq === news.head)
          this.#applied(this.#replica.apply(fresh, this.#options.observe).tenants, fresh, false)
        else await this.catchUp()
      })
      .catch((error: unknown) => {
        if (!this.#closed) this.#options.emit({ type: 'lost', reason: error instanceof Error ? error.message : String(error) })
      })
  }

  #considerCheckpoint(): void {
    const { entries, bytes } = this.#tail
    const due = Math.max(entries / DUE_ENTRIES, bytes / DUE_BYTES)
    if (due < 1 || this.#closed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => {
        if (this.#closed) return
        // Busy and not overdue: the next commit asks again.
        if (!this.#queue.idle && due < OVERDUE) {
          this.#considerCheckpoint()
          return
        }
        // Best effort: the journal holds everything, and the next commit asks again.
        this.checkpoint().catch(() => undefined)
      },
      due >= OVERDUE ? 0 : IDLE_MS,
    )
  }

  async #checkpoint(): Promise<void> {
    await this.catchUp()
    if (this.#replica.readOnly) throw new MemoryError('READ_ONLY', 'The journal holds entries of a newer version')
    if (!this.#replica.foldable) return
    let outcome = await this.#checkpointer.run(this.#replica)
    if (!outcome.done && outcome.why === 'behind') {
      await this.reopen()
      outcome = await this.#checkpointer.run(this.#replica)
    }
    if (!outcome.done && outcome.why === 'raced') return
    this.#tail = { entries: 0, bytes: 0 }
    if (outcome.done) this.#options.emit({ type: 'checkpoint', generation: outcome.generation, delta: outcome.delta })
  }

  async health(): Promise<{ state: Awaited<ReturnType<Journal['state']>>; sizeBytes: number }> {
    if (this.#closed) throw new MemoryError('CLOSED', 'The memory is closed')
    return { state: await this.journal.state(), sizeBytes: await this.journal.sizeBytes() }
  }
}
