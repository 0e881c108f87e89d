/**
 * The connection to one store's database: opened by Dexie, opened again after it was lost, given up once the store is gone.
 *
 * | what happens                                   | what follows                                                       |
 * |------------------------------------------------|--------------------------------------------------------------------|
 * | the browser closes the connection (`close`)    | the next call opens again                                          |
 * | it closes it while it is being opened          | opened again at once: what became of the database is not known yet |
 * | somebody deletes or upgrades (`versionchange`) | we let go at once, so that nobody waits for us; next call opens     |
 * | the database is not there any more, or another | STORE_UNAVAILABLE for ever: an empty one must not pass for ours    |
 * | a pending deletion keeps `open` waiting        | STORE_UNAVAILABLE with reason `blocked` after `openTimeoutMs`      |
 */
import { Dexie } from 'dexie'
import { MemoryError } from '@palimpsest/core'
import { databaseName } from './database-name.ts'
import { oneShot } from './one-shot.ts'
import { META, NATIVE_VERSION, STORES } from './rows.ts'
import type { MetaRow } from './rows.ts'

const INCARNATION = 'incarnation'
/** How often the browser may close a connection while it is being opened, as it does where it clears the site's data. */
const OPENINGS = 3

export class StoreDatabase {
  readonly #name: string
  readonly #openTimeoutMs: number
  #dexie: Dexie | undefined
  #opening: Promise<IDBDatabase> | undefined
  /** A random name given to the database when it was created; another one under the same name is another store. */
  #incarnation: string | undefined
  #gone = false

  constructor(storeName: string, openTimeoutMs: number) {
    this.#name = databaseName(storeName)
    this.#openTimeoutMs = openTimeoutMs
  }

  /** The open connection, opened where there is none. @throws {MemoryError} STORE_UNAVAILABLE */
  connection(): Promise<IDBDatabase> {
    const open = this.#dexie?.backendDB()
    if (open) return Promise.resolve(open)
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined))
    return this.#opening
  }

  /** The connection now open; undefined while there is none. Lets a transaction begin without giving up the turn. */
  current(): IDBDatabase | undefined {
    return this.#dexie?.backendDB() ?? undefined
  }

  /** Lets go of a connection that no longer works. */
  drop(connection: IDBDatabase): void {
    if (this.#dexie?.backendDB() === connection) this.close()
    else connection.close()
  }

  close(): void {
    this.#dexie?.close()
    this.#dexie = undefined
  }

  async #open(): Promise<IDBDatabase> {
    for (let left = OPENINGS - 1; ; left -= 1) {
      try {
        return await this.#openOnce()
      } catch (error) {
        if (left === 0 || !wasClosed(error)) throw error
      }
    }
  }

  async #openOnce(): Promise<IDBDatabase> {
    if (this.#gone) throw gone()
    if (typeof indexedDB === 'undefined') throw unavailable('no IndexedDB')
    const dexie = new Dexie(this.#name, { autoOpen: false })
    dexie.version(1).stores(STORES)
    let refusedCreation = false
    dexie.on('populate', tx => {
      if (this.#incarnation !== undefined) {
        refusedCreation = true
        tx.abort()
        return
      }
      void tx.table(META).add({ key: INCARNATION, value: randomName() })
    })
    // Dexie's own handler closes as well, but also warns on the console about what is normal here.
    dexie.on('versionchange', () => {
      dexie.close()
      return false
    })
    try {
      await withDeadline(dexie.open(), this.#openTimeoutMs)
    } catch (error) {
      dexie.close()
      if (refusedCreation) {
        this.#gone = true
        throw gone()
      }
      throw unavailable(reasonOf(error), error)
    }
    const connection = dexie.backendDB()
    if (connection.version !== NATIVE_VERSION) {
      dexie.close()
      throw unavailable('newer')
    }
    const incarnation = await this.#readIncarnation(connection).catch((error: unknown) => {
      dexie.close()
      throw unavailable(reasonOf(error), error)
    })
    if (this.#incarnation !== undefined && incarnation !== this.#incarnation) {
      dexie.close()
      this.#gone = true
      throw gone()
    }
    this.#incarnation = incarnation
    this.#dexie = dexie
    return connection
  }

  #readIncarnation(connection: IDBDatabase): Promise<string> {
    return oneShot(connection.transaction(META, 'readonly'), this.#openTimeoutMs, tx => {
      const row = tx.objectStore(META).get(INCARNATION)
      return () => ((row.result as MetaRow | undefined)?.value as string | undefined) ?? ''
    })
  }
}

/** Reasons that are codes, in words. */
const SAID: Readonly<Record<string, string>> = {
  'no IndexedDB': 'there is no IndexedDB here',
  newer: 'newer code changed it',
}

function unavailable(reason: string, cause?: unknown): MemoryError {
  const message = `The store cannot be opened: ${SAID[reason] ?? reason}`
  return new MemoryError('STORE_UNAVAILABLE', message, { reason }, { cause })
}

function gone(): MemoryError {
  return new MemoryError(
    'STORE_UNAVAILABLE',
    'The database of this store was deleted while it was in use; open the memory again',
    { reason: 'deleted' },
  )
}

class Blocked extends Error {}

function wasClosed(error: unknown): boolean {
  const inner = MemoryError.is(error) ? innermost(error.cause) : undefined
  return inner instanceof DOMException && inner.name === 'AbortError'
}

/** Dexie wraps what the browser said. */
function innermost(error: unknown): unknown {
  return (error as { readonly inner?: unknown } | null | undefined)?.inner ?? error
}

/** The name of the innermost error tells most. */
function reasonOf(error: unknown): string {
  if (error instanceof Blocked) return 'blocked'
  const inner = innermost(error)
  return inner instanceof Error || inner instanceof DOMException ? `${inner.name}: ${inner.message}` : String(inner)
}

function withDeadline<T>(promise: PromiseLike<T>, timeoutMs: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Blocked()), timeoutMs)
    promise.then(resolve, reject)
    void Promise.resolve(promise).then(
      () => clearTimeout(timer),
      () => clearTimeout(timer),
    )
  })
}

/** `crypto.randomUUID` is missing outside secure contexts. */
function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}
