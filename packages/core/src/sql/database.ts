/**
 * The port to SQLite. Synchronous: one transaction never yields to another task.
 *
 * Rows are arrays in the order of the select list; `codecs` next to each query give them names.
 */
export type SqlValue = number | string | Uint8Array | null
export type SqlParams = readonly SqlValue[]

export interface SqlDatabase {
  /** Runs a statement that returns nothing. Prepared once per text and kept. */
  run(sql: string, params?: SqlParams): void
  first<Row extends readonly SqlValue[]>(sql: string, params?: SqlParams): Row | undefined
  all<Row extends readonly SqlValue[]>(sql: string, params?: SqlParams): Row[]
  /** Runs several statements without parameters. */
  script(sql: string): void
  /** One statement of the owner's, as objects; not kept. `query_only` is on while it runs. */
  query(sql: string, params: readonly (string | number | null)[]): Record<string, string | number | null>[]
  /** The whole database as a SQLite file; the database stays open and as it was. */
  export(): Uint8Array
  close(): void
}

/**
 * Runs `body` inside a savepoint: undone when it throws, kept otherwise.
 * The only way in which this code opens nested transactions.
 */
export function savepoint<T>(db: SqlDatabase, body: () => T): T {
  db.run('savepoint step')
  try {
    const result = body()
    db.run('release step')
    return result
  } catch (error) {
    db.run('rollback to step')
    db.run('release step')
    throw error
  }
}
