/** SQLite by sql.js (1.17 or newer: older `export()` loses statements and pragmas), in a worker or under Node. */
import initSqlJs, { type Database, type SqlJsStatic, type Statement } from 'sql.js'
import { MemoryError } from '../errors.ts'
import type { SqlDatabase, SqlParams, SqlValue } from './database.ts'

export interface SqlOptions {
  /** Where the page serves `sql-wasm-browser.wasm`; under Node sql.js finds its own. */
  readonly wasmUrl?: string
}

/**
 * Loads SQLite.
 * @throws {MemoryError} STORE_UNAVAILABLE when the wasm does not load. sql.js caches the failure for its realm: only a
 *   new worker (or process) can try again.
 */
export async function loadSql(options: SqlOptions): Promise<(image?: Uint8Array) => SqlDatabase> {
  let sql: SqlJsStatic
  try {
    const { wasmUrl } = options
    sql = await initSqlJs(wasmUrl === undefined ? {} : { locateFile: () => wasmUrl })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new MemoryError('STORE_UNAVAILABLE', `SQLite could not be loaded: ${why}`, { reason: 'sqlite' }, { cause })
  }
  return image => new SqlJsDatabase(image === undefined ? new sql.Database() : new sql.Database(image))
}

/** Pragmas that are not kept in the file, with the value that each must read back as. */
const CONNECTION: readonly (readonly [name: string, set: string, reads: SqlValue])[] = [
  // Measured while designing: exclusive locking alone doubles reads and triples small writes.
  ['locking_mode', 'exclusive', 'exclusive'],
  ['journal_mode', 'memory', 'memory'],
  ['temp_store', 'memory', 2],
  // Deleted content is overwritten with zeroes: erasure rests on it.
  ['secure_delete', 'on', 1],
  ['cache_size', '-65536', -65536],
  ['foreign_keys', 'off', 0],
]

class SqlJsDatabase implements SqlDatabase {
  readonly #db: Database
  readonly #statements = new Map<string, Statement>()

  constructor(db: Database) {
    this.#db = db
    for (const [name, set, reads] of CONNECTION) {
      db.exec(`pragma ${name} = ${set}`)
      const got = db.exec(`pragma ${name}`)[0]?.values[0]?.[0]
      if (got !== reads) throw new MemoryError('INTERNAL', `SQLite did not take pragma ${name}: ${String(got)}`)
    }
  }

  #prepared(sql: string): Statement {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#db.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  run(sql: string, params: SqlParams = []): void {
    const statement = this.#prepared(sql)
    try {
      statement.bind(params as SqlValue[])
      statement.step()
    } catch (error) {
      throw asError(error, sql)
    } finally {
      statement.reset()
    }
  }

  first<Row extends readonly SqlValue[]>(sql: string, params: SqlParams = []): Row | undefined {
    const statement = this.#prepared(sql)
    try {
      statement.bind(params as SqlValue[])
      return statement.step() ? (statement.get() as unknown as Row) : undefined
    } catch (error) {
      throw asError(error, sql)
    } finally {
      statement.reset()
    }
  }

  all<Row extends readonly SqlValue[]>(sql: string, params: SqlParams = []): Row[] {
    const statement = this.#prepared(sql)
    const rows: Row[] = []
    try {
      statement.bind(params as SqlValue[])
      while (statement.step()) rows.push(statement.get() as unknown as Row)
      return rows
    } catch (error) {
      throw asError(error, sql)
    } finally {
      statement.reset()
    }
  }

  script(sql: string): void {
    try {
      this.#db.exec(sql)
    } catch (error) {
      throw asError(error, sql)
    }
  }

  query(sql: string, params: readonly (string | number | null)[]): Record<string, string | number | null>[] {
    let statement: Statement | undefined
    this.#db.exec('pragma query_only = on')
    try {
      statement = this.#db.prepare(sql)
      statement.bind([...params])
      const rows: Record<string, string | number | null>[] = []
      while (statement.step()) rows.push(statement.getAsObject() as Record<string, string | number | null>)
      return rows
    } finally {
      statement?.free()
      this.#db.exec('pragma query_only = off')
    }
  }

  export(): Uint8Array {
    return this.#db.export()
  }

  close(): void {
    for (const statement of this.#statements.values()) statement.free()
    this.#statements.clear()
    this.#db.close()
  }
}

/** sql.js throws strings for some mistakes; the statement tells where. Its text holds no values: they are bound. */
function asError(error: unknown, sql: string): Error {
  const reason = error instanceof Error ? error.message : String(error)
  return new Error(`${reason} in: ${sql.trim().slice(0, 120)}`, { cause: error })
}
