/**
 * One queue for everything that touches a replica: reads, writes, jobs, in the order of their arrival.
 *
 * ```
 *   BEGIN ─ op, op, op (a savepoint and an entry each) ─ journal.append ─┬ appended  → COMMIT, acknowledge, announce
 *                                                                        ├ collision → ROLLBACK, apply what is missing, again
 *                                                                        ├ behind    → ROLLBACK, open again, again
 *                                                                        └ failed    → ROLLBACK, one by one, typed error
 * ```
 *
 * A commit over `APPEND_BYTES` is appended part by part (`long-commit.ts`), in turn with what else is asked for.
 *
 * 1. Nothing is acknowledged before the append has settled.
 * 2. Nothing is read that is not durable: a read waits for the commit before it.
 * 3. A commit id belongs to its operation; where it is in the journal already, the operation is not done twice.
 */
import { v7 as uuidv7 } from 'uuid'
import { MemoryError, toMemoryError } from '../errors.ts'
import { applyRecords } from '../ledger/apply.ts'
import type { TenantRecord } from '../records/record.ts'
import { savepoint } from '../sql/database.ts'
import { partition, placeEntry, type Unplaced } from './entry.ts'
import { newsOf } from './checkpoint.ts'
import { APPEND_BYTES } from './limits.ts'
import { LongCommit } from './long-commit.ts'
import { PlacedAppend } from './placed-append.ts'
import type { StoredEntry } from './port.ts'
import { ifUnknown, isUnknown, MAX_COLLISIONS, type QueueHost } from './queue-host.ts'
import type { Replica } from './replica.ts'

export interface WriteResult {
  readonly items: readonly TenantRecord[]
  readonly value: unknown
}

interface WriteTask {
  readonly kind: 'write'
  readonly commit: string
  readonly signal: AbortSignal | undefined
  run(): WriteResult
  settle(outcome: Outcome): void
  /** What the last run gave, for the case that it turns out to be stored. */
  last: Outcome | undefined
  /** The records of the last run. */
  items: readonly TenantRecord[]
  /** Why it is not known whether they are stored. They may land yet: another try is with the same ones, and no refusal is certain. */
  doubt: unknown
}

interface OtherTask {
  readonly kind: 'read' | 'job'
  run(): Promise<void> | void
  fail(error: unknown): void
}

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown }

/** Most operations that share one append. */
const GROUP_LIMIT = 512

export class CommitQueue {
  readonly #host: QueueHost
  readonly #tasks: (WriteTask | OtherTask)[] = []
  #running: Promise<void> | undefined
  #closed = false

  constructor(host: QueueHost) {
    this.#host = host
  }

  read<T>(run: () => T): Promise<T> {
    return this.#other('read', run)
  }

  /** Something that takes its time and must not meet a commit: catching up, a checkpoint. */
  job<T>(run: () => Promise<T>): Promise<T> {
    return this.#other('job', run)
  }

  write(commit: string, run: () => WriteResult, signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#push({
        kind: 'write',
        commit,
        signal,
        run,
        last: undefined,
        items: [],
        doubt: undefined,
        settle(outcome) {
          if (outcome.ok) resolve(outcome.value)
          else reject(toMemoryError(this.doubt ?? outcome.error))
        },
      })
    })
  }

  /**
   * Appends entries that decide nothing, one by one, in turn with what else is asked for; `isThere` says which have become
   * needless by the time their turn comes. @returns how many were appended
   */
  async place(entries: readonly Unplaced[], isThere: (replica: Replica, entry: Unplaced) => boolean): Promise<number> {
    let appended = 0
    for (const entry of entries) {
      const done = await this.job(() => new PlacedAppend(this.#host).run(entry, replica => isThere(replica, entry)))
      if (done) appended++
    }
    return appended
  }

  /** Lets what was asked for finish; asks for nothing more. */
  async close(): Promise<void> {
    this.#closed = true
    while (this.#running !== undefined) await this.#running
  }

  get idle(): boolean {
    return this.#running === undefined
  }

  #other<T>(kind: 'read' | 'job', run: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => reject(toMemoryError(error))
      const settle = async (): Promise<void> => {
        try {
          resolve(await run())
        } catch (error) {
          fail(error)
        }
      }
      this.#push({ kind, run: settle, fail })
    })
  }

  #push(task: WriteTask | OtherTask): void {
    if (this.#closed) {
      const error = new MemoryError('CLOSED', 'The memory is closed')
      if (task.kind === 'write') task.settle({ ok: false, error })
      else task.fail(error)
      return
    }
    this.#tasks.push(task)
    this.#running ??= this.#drain()
  }

  async #drain(): Promise<void> {
    // Calls made in one turn of the event loop are asked for together and share an append.
    await Promise.resolve()
    for (let task = this.#tasks.shift(); task !== undefined; task = this.#tasks.shift()) {
      if (task.kind !== 'write') {
        await task.run()
        continue
      }
      const group = [task]
      for (let next = this.#tasks[0]; next?.kind === 'write' && group.length < GROUP_LIMIT; next = this.#tasks[0]) {
        group.push(next)
        this.#tasks.shift()
      }
      await this.#commit(group)
    }
    // In the same turn in which the queue was found empty: what is asked for after it starts a new round.
    this.#running = undefined
  }

  /** Settles every task of the group, whatever happens. */
  async #commit(group: readonly WriteTask[]): Promise<void> {
    try {
      await this.#commitTogether(group)
    } catch (error) {
      if (group.length === 1) {
        group[0]?.settle({ ok: false, error })
        return
      }
      // One of them may be what the store refuses; the others are not to suffer, and refusals that rested on them are void.
      for (const task of group) await this.#commit([task])
    }
  }

  async #commitTogether(group: readonly WriteTask[]): Promise<void> {
    for (let collisions = 0; collisions < MAX_COLLISIONS; collisions++) {
      const replica = this.#host.replica()
      const open = this.#answerStored(replica, group)
      if (open.length === 0) return
      const attempt = this.#runAll(replica, open)
      if (attempt.sizeBytes > APPEND_BYTES) {
        this.#rollBack(replica)
        const [only] = open
        if (open.length > 1 || only === undefined) for (const task of open) await this.#commit([task])
        else this.#beginLong(only, attempt.unplaced)
        return
      }
      if (attempt.entries.length === 0) {
        replica.db.run('commit')
        for (const [task, outcome] of attempt.outcomes) task.settle(outcome)
        return
      }
      let outcome
      try {
        outcome = await this.#host.journal.append(attempt.entries)
      } catch (error) {
        this.#rollBack(replica)
        // A lost answer is not a lost write: the journal knows.
        const failure = await this.#host.catchUp().then(
          () => error,
          () => ifUnknown(error),
        )
        const unanswered = this.#answerStored(this.#host.replica(), open)
        if (unanswered.length === 0) return
        if (isUnknown(failure)) for (const task of unanswered) doubt(task, failure)
        throw failure
      }
      if (outcome === 'appended') {
        await this.#finish(replica, attempt)
        return
      }
      this.#rollBack(replica)
      if (outcome === 'behind') await this.#host.reopen()
      else await this.#host.catchUp()
    }
    throw new MemoryError('NOT_STORED', 'Other replicas were faster every time', { reason: 'busy' })
  }

  /** One part now and the next at the end of the queue, until the last has been appended and taken effect. */
  #beginLong(task: WriteTask, parts: readonly Unplaced[]): void {
    const long = new LongCommit(this.#host, parts)
    const { last } = task
    const step = async (): Promise<void> => {
      try {
        if (task.signal?.aborted === true) {
          await long.giveUp()
          throw new MemoryError('ABORTED', 'The call was aborted; nothing was written')
        }
        if (!(await long.appendNext())) this.#tasks.push({ kind: 'job', run: step, fail })
        else if (last !== undefined && this.#host.replica().findCommit(task.commit) !== undefined) task.settle(last)
        // All parts are stored, and without effect: what another tab did under this key counts, or took them for abandoned.
        else await this.#commit([{ ...task, last: undefined, items: [] }])
      } catch (error) {
        fail(error)
      }
    }
    const fail = (error: unknown): void => task.settle({ ok: false, error })
    this.#tasks.push({ kind: 'job', run: step, fail })
  }

  /** Answers the tasks whose commit is in the journal already; returns the others. */
  #answerStored(replica: Replica, group: readonly WriteTask[]): WriteTask[] {
    return group.filter(task => {
      if (task.last === undefined || replica.findCommit(task.commit) === undefined) return true
      task.settle(task.last)
      return false
    })
  }

  #runAll(replica: Replica, group: readonly WriteTask[]): Attempt {
    const { db } = replica
    const attempt: Attempt = {
      outcomes: [],
      entries: [],
      unplaced: [],
      tenants: new Set(),
      head: replica.head,
      chain: replica.chain,
      sizeBytes: 0,
    }
    db.run('begin')
    for (const task of group) {
      let outcome: Outcome
      try {
        outcome = savepoint(db, (): Outcome => {
          if (task.signal?.aborted === true) throw new MemoryError('ABORTED', 'The call was aborted; nothing was written')
          replica.assertWritable()
          if (task.doubt !== undefined && task.last?.ok === true) {
            applyRecords(replica.state, task.items)
            this.#encode(replica, attempt, task.commit, task.items)
            return task.last
          }
          const { items, value } = task.run()
          task.items = items
          this.#encode(replica, attempt, task.commit, items)
          return { ok: true, value }
        })
      } catch (error) {
        this.#host.forgetUncommitted()
        outcome = { ok: false, error }
      }
      task.last = outcome
      attempt.outcomes.push([task, outcome])
    }
    return attempt
  }

  #encode(replica: Replica, attempt: Attempt, commit: string, items: readonly TenantRecord[]): void {
    if (items.length === 0) return
    const parts = partition(items)
    replica.db.run('insert into commit_log (id, seq) values (?, ?)', [commit, attempt.head + parts.length])
    const attemptId = parts.length > 1 ? { attempt: uuidv7() } : {}
    for (const [index, part] of parts.entries()) {
      const seq = attempt.head + 1
      const entry: Unplaced = { commit, part: index + 1, parts: parts.length, ...attemptId, items: part }
      const { bytes, hash } = placeEntry(entry, seq, attempt.chain)
      attempt.unplaced.push(entry)
      attempt.entries.push({ seq, bytes })
      attempt.sizeBytes += bytes.length
      attempt.head = seq
      attempt.chain = hash
    }
    for (const { tenant } of items) attempt.tenants.add(tenant)
  }

  async #finish(replica: Replica, attempt: Attempt): Promise<void> {
    try {
      replica.db.run('commit')
      replica.head = attempt.head
      replica.chain = attempt.chain
    } catch {
      // What is durable is true; an image that could not follow is worth nothing.
      await this.#host.reopen()
    }
    this.#host.committed(attempt.entries, attempt.tenants)
    this.#host.journal.announce(newsOf(attempt.head, attempt.entries))
    for (const [task, outcome] of attempt.outcomes) task.settle(outcome)
  }

  #rollBack(replica: Replica): void {
    replica.db.run('rollback')
    this.#host.forgetUncommitted()
  }
}

/** A refusal is one whatever became of the append: only what was to be written is in doubt. */
function doubt(task: WriteTask, failure: unknown): void {
  if (task.last?.ok === true && task.items.length > 0) task.doubt ??= failure
}

interface Attempt {
  readonly outcomes: [WriteTask, Outcome][]
  readonly entries: StoredEntry[]
  /** The same entries, before they had their places. */
  readonly unplaced: Unplaced[]
  readonly tenants: Set<string>
  sizeBytes: number
  head: number
  chain: string
}
