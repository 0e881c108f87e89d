/** Scenario 1: what the database refuses by itself, and how the connection is set, are after a checkpoint as they were before. */
import { expect, test } from 'vitest'
import { createClient } from '../../src/client.ts'
import { MemoryJournal, MemoryStore } from '../../src/journal/memory-journal.ts'
import { loadPageHashes } from '../../src/journal/page-hashes.ts'
import { Store } from '../../src/journal/store.ts'
import { localTransport } from '../../src/local-transport.ts'
import { openService } from '../../src/service.ts'
import type { SqlDatabase } from '../../src/sql/database.ts'
import { loadSql } from '../../src/sql/sqljs.ts'

/** A store in which one fact stands, opened below everything that decides. */
async function openStore(): Promise<Store> {
  const stored = new MemoryStore()
  const memory = createClient(localTransport(await openService({ journal: new MemoryJournal(stored) })))
  await memory.tenant('home').assert({ subject: 'mira', attribute: 'city', value: 'Oslo', validFrom: '2026-01-01T00:00:00Z' })
  await memory.close()
  return Store.open({
    journal: new MemoryJournal(stored),
    openDb: await loadSql({}),
    pageHashes: await loadPageHashes(),
    observe: () => {},
    forgetUncommitted: () => {},
    emit: () => {},
  })
}

const PRAGMAS = {
  locking_mode: 'exclusive',
  journal_mode: 'memory',
  temp_store: 2,
  secure_delete: 1,
  cache_size: -65536,
  foreign_keys: 0,
}

function pragmas(db: SqlDatabase): Record<string, unknown> {
  return Object.fromEntries(Object.keys(PRAGMAS).map(name => [name, db.first(`pragma ${name}`)?.[0]]))
}

const REFUSED: readonly (readonly [what: string, sql: string, reason: RegExp])[] = [
  ['a fact without its slot', 'insert into fact values (999, 1, null, 1, 0)', /a fact needs its slot/],
  ['a fact that changes its slot', 'update fact set slot = 999', /a fact keeps its slot/],
  ['a slot that goes from under its fact', 'delete from slot', /facts stand in this slot/],
  ['a second open fact in a slot', 'insert into fact select slot, valid_from + 1, null, founder, 0 from fact', /UNIQUE/],
  ['a fact that ends before it begins', 'update fact set valid_to = valid_from - 1', /CHECK/],
  ['a value of another type', "update fact set valid_from = 'soon'", /cannot store TEXT/],
]

test.each(REFUSED)('%s is refused, before a checkpoint and after it', async (_, sql, reason) => {
  const store = await openStore()
  const before = await store.read(({ db }) => db.all('select * from fact'))
  expect(before).toHaveLength(1)
  expect(() => store.replica().db.run(sql)).toThrow(reason)
  await store.rebase()
  expect(() => store.replica().db.run(sql)).toThrow(reason)
  expect(await store.read(({ db }) => db.all('select * from fact'))).toEqual(before)
  await store.close()
})

test('the connection is set as after opening', async () => {
  const store = await openStore()
  expect(pragmas(store.replica().db)).toEqual(PRAGMAS)
  await store.rebase()
  expect(pragmas(store.replica().db)).toEqual(PRAGMAS)
  await store.close()
})
