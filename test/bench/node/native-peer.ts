/** Native SQLite, where it was installed for this purpose: `npm run bench` puts it into a folder of its own. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PUBLISHED_INSERT, PUBLISHED_READ, PUBLISHED_TABLE } from '../published-table.ts'
import { publishedRows } from '../published-rows.ts'
import type { Lookup } from './lookup.ts'

/** As much of it as is used here. */
interface NativeDatabase {
  exec(sql: string): unknown
  prepare(sql: string): { run(...params: readonly unknown[]): unknown; get(...params: readonly unknown[]): unknown }
  close(): void
}

/** The published table with `size` facts; undefined where native SQLite is not there. */
export function openNativePeer(folder: string, size: number): Lookup | undefined {
  let Database: new (path: string) => NativeDatabase
  try {
    Database = createRequire(join(folder, 'package.json'))('better-sqlite3') as typeof Database
  } catch {
    return undefined
  }
  const database = new Database(':memory:')
  database.exec(PUBLISHED_TABLE)
  database.exec('begin')
  const insert = database.prepare(PUBLISHED_INSERT)
  for (const row of publishedRows(size)) insert.run(...row)
  database.exec('commit')
  const read = database.prepare(PUBLISHED_READ)
  return {
    name: 'native SQLite, published table',
    find: ({ tenant, subject, attribute, at }) =>
      (read.get(tenant, subject, attribute, at, at) as { value?: string } | undefined)?.value,
    close: () => database.close(),
  }
}
