/** Brings a database to the current tables. `pragma user_version` counts the migrations that ran. */
import { MemoryError } from '../errors.ts'
import type { SqlDatabase } from './database.ts'
import { LEDGER_TABLES } from './migrations/0001-ledger.ts'
import { STAGED_PARTS } from './migrations/0002-staged-parts.ts'
import { FACT_SLOT } from './migrations/0003-fact-slot.ts'

const MIGRATIONS: readonly string[] = [LEDGER_TABLES, STAGED_PARTS, FACT_SLOT]

/**
 * Runs the missing migrations in one transaction.
 * @throws {MemoryError} READ_ONLY when the database was written by a newer version.
 */
export function migrate(db: SqlDatabase): void {
  const [version] = db.first<[number]>('pragma user_version') ?? [0]
  if (version > MIGRATIONS.length)
    throw new MemoryError('READ_ONLY', `The store has tables of version ${version}; this version knows ${MIGRATIONS.length}`, {
      version,
    })
  if (version === MIGRATIONS.length) return
  db.script('begin')
  try {
    for (const migration of MIGRATIONS.slice(version)) db.script(migration)
    db.script(`pragma user_version = ${MIGRATIONS.length}`)
    db.script('commit')
  } catch (error) {
    db.script('rollback')
    throw error
  }
}
