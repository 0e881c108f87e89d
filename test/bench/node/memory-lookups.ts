/** The memory's own lookups: `get` of the public API, and the read beneath it on a copy of the ledger's tables. */
import type { Memory } from '@palimpsest/core'
import { openMemory } from '@palimpsest/node'
import initSqlJs from 'sql.js'
import { TENANT, instant, syntheticFact } from '../synthetic-facts.ts'
import type { Lookup } from './lookup.ts'

const FILL_BATCH = 2_000

export async function filledMemory(size: number): Promise<Memory> {
  const memory = await openMemory({ ephemeral: true })
  const tenant = memory.tenant(TENANT)
  await tenant.record({ id: 'e1', text: 'Everything in this store was said here.', author: 'user', at: instant(0) })
  for (let first = 0; first < size; first += FILL_BATCH) {
    await tenant.batch(batch => {
      for (let n = first; n < Math.min(first + FILL_BATCH, size); n++) {
        const { subject, attribute, value, from } = syntheticFact(n, size)
        batch.assert({ subject, attribute, value, validFrom: instant(from), from: 'e1' })
      }
    })
  }
  return memory
}

export function publicGet(memory: Memory): Lookup {
  const tenant = memory.tenant(TENANT)
  return {
    name: 'get, public API',
    find: async ({ subject, attribute, at }) => (await tenant.get(subject, attribute, { at }))?.value as string | undefined,
    close: () => memory.close(),
  }
}

const TABLES = ['tenant', 'slot', 'assertion', 'fact']

const READ = `select a.value, f.valid_to from slot s join fact f on f.slot = s.nr join assertion a on a.nr = f.founder
where s.tenant = ? and s.subject = ? and s.attribute = ? and s.member = '' and f.valid_from <= ?
order by f.valid_from desc limit 1`

/** The ledger's tables, indexes and rows as the memory has them, in a database where a statement can be kept prepared. */
export async function ledgerLookup(memory: Memory): Promise<Lookup> {
  const sql = await initSqlJs()
  const database = new sql.Database()
  database.exec('pragma locking_mode = exclusive; pragma journal_mode = memory; pragma cache_size = -65536')
  const names = TABLES.map(name => `'${name}'`).join(', ')
  const definitions = await memory.query(
    `select sql from sqlite_master where tbl_name in (${names}) and sql is not null order by type desc`,
  )
  for (const { sql: definition } of definitions) database.exec(String(definition))
  database.exec('begin')
  for (const table of TABLES) {
    const rows = await memory.query(`select * from ${table}`)
    const columns = Object.keys(rows[0] ?? {})
    const insert = database.prepare(`insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`)
    for (const row of rows) insert.run(columns.map(column => row[column] ?? null))
    insert.free()
  }
  database.exec('commit')
  // The number of a tenant is known from its first call on.
  const tenantNr = Number(database.exec('select nr from tenant where id = ?', [TENANT])[0]?.values[0]?.[0])
  const read = database.prepare(READ)
  return {
    name: 'SQL on the ledger, sql.js',
    find: ({ subject, attribute, atSecond }) => {
      read.bind([tenantNr, subject, attribute, atSecond])
      const row = read.step() ? read.get() : undefined
      read.reset()
      if (row === undefined || (typeof row[1] === 'number' && row[1] <= atSecond)) return undefined
      return JSON.parse(String(row[0])) as string
    },
    close: () => database.close(),
  }
}
