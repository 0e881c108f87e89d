/** Runs the journal's transactions one by one, each on a connection that works, and says what a failed one means. */
import { MemoryError } from '@palimpsest/core'
import type { StoreDatabase } from './database.ts'
import { TransactionFailure, oneShot } from './one-shot.ts'
import type { TransactionControl } from './one-shot.ts'

export type Body<T> = (tx: IDBTransaction, control: TransactionControl<T>) => () => T

export interface TransactionsOptions {
  readonly durability: 'strict' | 'relaxed'
  readonly timeoutMs: number
}

export class Transactions {
  readonly #database: StoreDatabase
  readonly #options: TransactionsOptions
  readonly #running = new Set<Promise<void>>()
  #closed = false

  constructor(database: StoreDatabase, options: TransactionsOptions) {
    this.#database = database
    this.#options = options
  }

  /** @throws {MemoryError} STORE_UNAVAILABLE, CLOSED */
  read<T>(stores: readonly string[], body: Body<T>): Promise<T> {
    return this.#run('readonly', stores, body)
  }

  /** Durable when it settles. @throws {MemoryError} NOT_STORED, STORE_UNAVAILABLE, CLOSED */
  write<T>(stores: readonly string[], body: Body<T>): Promise<T> {
    return this.#run('readwrite', stores, body)
  }

  /** Waits for what is under way, and refuses what comes later. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#running)
  }

  #run<T>(mode: 'readonly' | 'readwrite', stores: readonly string[], body: Body<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new MemoryError('CLOSED', 'The journal was closed'))
    const run = this.#attempt(mode, stores, body)
    const settled: Promise<void> = run
      .then(
        () => {},
        () => {},
      )
      .then(() => void this.#running.delete(settled))
    this.#running.add(settled)
    return run
  }

  /** A connection that is found lost before the transaction began is opened again, once; a read that was cut off too. */
  async #attempt<T>(mode: 'readonly' | 'readwrite', stores: readonly string[], body: Body<T>): Promise<T> {
    for (let again = true; ; again = false) {
      const connection = this.#database.current() ?? (await this.#database.connection())
      let tx: IDBTransaction
      try {
        tx = connection.transaction([...stores], mode, { durability: this.#options.durability })
      } catch (error) {
        this.#database.drop(connection)
        if (again) continue
        throw unavailable(error)
      }
      try {
        return await oneShot(tx, this.#options.timeoutMs, body)
      } catch (error) {
        if (!(error instanceof TransactionFailure)) throw error
        if (!error.definite) this.#database.drop(connection)
        if (mode === 'readwrite') throw notStored(error)
        if (!again || error.definite) throw unavailable(error)
      }
    }
  }
}

function notStored(failure: TransactionFailure): MemoryError {
  const details = failure.definite ? { reason: failure.reason } : { reason: failure.reason, outcome: 'unknown' }
  return new MemoryError('NOT_STORED', `The write did not become durable: ${failure.reason}`, details, { cause: failure })
}

function unavailable(error: unknown): MemoryError {
  const reason = error instanceof Error || error instanceof DOMException ? error.message : String(error)
  return new MemoryError('STORE_UNAVAILABLE', `The store cannot be reached: ${reason}`, { reason }, { cause: error })
}
