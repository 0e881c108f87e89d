/**
 * A store that is open: journal, replica, queue and checkpoints working together. It knows nothing of facts.
 */
import { MemoryError } from '../errors.ts'
import type { MemoryEvent } from '../memory.ts'
import type { SqlDatabase } from '../sql/database.ts'
import { Checkpointer } from './checkpoint.ts'
import { CommitQueue, type WriteResult } from './commit-queue.ts'
import type { Unplaced } from './entry.ts'
import { isThere } from './long-commit.ts'
import type { PageHashes } from './page-hashes.ts'
import type { Journal, JournalNews, StoredEntry } from './port.ts'
import type { QueueHost } from './queue-host.ts'
import { openReplica, type Replica, type SpareImages } from './replica.ts'
import { staleAttempts } from './staging.ts'

/** A checkpoint is due after so many entries or bytes, and is taken when nothing is asked for, */
const DUE_ENTRIES = 1000
const DUE_BYTES: number = 1024 * 1024
/** or at the latest after this many times as much. */
const OVERDUE = 4
const IDLE_MS = 200
const REBASE_ATTEMPTS = 20
/** Parts of a commit that have waited this long, ms, are of a writer that will not come back. */
const STALE_MS: number = 24 * 60 * 60 * 1000

export interface StoreOptions {
  readonly journal: Journal
  openDb(image?: Uint8Array): SqlDatabase
  readonly pageHashes: PageHashes
  /** Where there are copies of the images elsewhere. */
  readonly spare?: SpareImages
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
    const store = new Store(options, await openReplica(options.journal, options.openDb, options.observe, options.spare))
    // What others wrote before this one listened. It comes before the first read, and nobody waits for it.
    void store.refresh().catch(() => undefined)
    return store
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

  /**
   * Appends entries that decide nothing; those whose content is there already are passed over.
   * @returns how many were appended
   */
  place(entries: readonly Unplaced[]): Promise<number> {
    return this.#queue.place(entries, isThere)
  }

  /** @param seqs numbers of entries whose commits are there again, wherever they stand now */
  async heal(seqs: ReadonlySet<number>): Promise<void> {
    const isHealed = await this.#queue.job(async () => this.#replica.heal(seqs))
    // An image may say already that they are missing.
    if (isHealed) await this.checkpoint().catch(() => undefined)
  }

  /**
   * Writes everything into a new base; the generations and entries before it are gone when it settles.
   * @throws {MemoryError} READ_ONLY, NOT_STORED when other replicas were faster every time
   */
  async rebase(): Promise<void> {
    for (let attempt = 0; attempt < REBASE_ATTEMPTS; attempt++) {
      const done = await this.#queue.job(() => this.#checkpoint(true))
      if (done) return
    }
    throw new MemoryError('NOT_STORED', 'Other replicas checkpointed faster every time', { reason: 'busy' })
  }

  /** Gives up parts of commits whose writer has gone. */
  async dropStaleParts(): Promise<void> {
    const stale = await this.read(({ db }) => staleAttempts(db, Date.now() - STALE_MS))
    for (const attempt of stale) await this.#queue.place([{ ...attempt, part: 0, parts: 1, items: [] }], () => false)
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
    // A checkpoint may have dropped entries between the two reads, even all of them.
    if (entries?.[0]?.seq !== replica.head + 1) {
      await this.reopen()
      return
    }
    const { tenants } = replica.apply(entries, this.#options.observe)
    replica.skipTo(state.head)
    this.#applied(tenants, entries, false)
  }

  async reopen(): Promise<void> {
    const old = this.#replica
    this.#replica = await openReplica(this.journal, this.#options.openDb, this.#options.observe, this.#options.spare)
    this.#options.forgetUncommitted()
    this.#checkpointer.startFrom(this.#replica)
    old.db.close()
    this.#options.emit({ type: 'changed', head: this.#replica.head, tenants: [], local: false })
  }

  forgetUncommitted(): void {
    this.#replica.state.dropCaches()
    this.#options.forgetUncommitted()
  }

  applyAppended(entries: readonly StoredEntry[]): void {
    this.#applied(this.#replica.apply(entries, this.#options.observe).tenants, entries, true)
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

  /** @returns whether an image was written */
  async #checkpoint(newBase = false): Promise<boolean> {
    await this.catchUp()
    this.#replica.assertWritable()
    let outcome = await this.#checkpointer.run(this.#replica, newBase)
    if (!outcome.done && outcome.why === 'behind') {
      await this.reopen()
      outcome = await this.#checkpointer.run(this.#replica, newBase)
    }
    if (!outcome.done && outcome.why === 'raced') return false
    this.#tail = { entries: 0, bytes: 0 }
    if (outcome.done) this.#options.emit({ type: 'checkpoint', generation: outcome.generation, delta: outcome.delta })
    return outcome.done
  }

  async health(): Promise<{ state: Awaited<ReturnType<Journal['state']>>; sizeBytes: number }> {
    if (this.#closed) throw new MemoryError('CLOSED', 'The memory is closed')
    return { state: await this.journal.state(), sizeBytes: await this.journal.sizeBytes() }
  }
}
