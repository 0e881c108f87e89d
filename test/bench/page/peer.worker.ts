/** Peers: the least that a durable write can cost here, and the usual way of keeping sql.js durable. */
import initSqlJs, { type Database } from 'sql.js'
import wasmUrl from 'sql.js/dist/sql-wasm-browser.wasm?url'
import { publishedRow, publishedRows } from '../published-rows.ts'
import { PUBLISHED_INSERT, PUBLISHED_TABLE } from '../published-table.ts'
import type { PeerAnswer, PeerCall, PeerRequest } from './peer-protocol.ts'

const files = new Map<number, { readonly database: Database; next: number }>()
let store: Promise<IDBDatabase> | undefined
let seq = 0

self.addEventListener('message', (event: MessageEvent<PeerCall>) => {
  const { id, request } = event.data
  answer(request).then(
    samplesMs => self.postMessage({ id, samplesMs } satisfies PeerAnswer),
    (error: unknown) => self.postMessage({ id, samplesMs: [], error: String(error) } satisfies PeerAnswer),
  )
})

async function answer(request: PeerRequest): Promise<number[]> {
  switch (request.op) {
    case 'echo':
      return []
    case 'add':
      return timed(request.times, database => written(database, 'journal', { seq: ++seq, bytes: request.bytes }))
    case 'fill':
      await fill(request.facts)
      return []
    case 'save':
      return timed(request.times, database => saveWhole(database, request.facts))
  }
}

async function timed(times: number, write: (database: IDBDatabase) => Promise<void>): Promise<number[]> {
  const database = await (store ??= openStore())
  const samplesMs: number[] = []
  for (let n = 0; n < times; n++) {
    const started = performance.now()
    await write(database)
    samplesMs.push(performance.now() - started)
  }
  return samplesMs
}

async function fill(facts: number): Promise<void> {
  const sql = await initSqlJs({ locateFile: () => wasmUrl })
  const database = new sql.Database()
  database.exec(PUBLISHED_TABLE)
  database.exec('begin')
  const insert = database.prepare(PUBLISHED_INSERT)
  for (const row of publishedRows(facts)) insert.run(row)
  insert.free()
  database.exec('commit')
  files.set(facts, { database, next: facts })
}

function saveWhole(database: IDBDatabase, facts: number): Promise<void> {
  const file = files.get(facts)
  if (file === undefined) throw new Error(`no database of ${facts} facts`)
  const row = publishedRow(file.next++, facts, false)
  const [, tenant, subject, attribute, , from] = row
  file.database.exec('begin')
  const closing =
    'update memory_facts set valid_to = ? where tenant_id = ? and subject = ? and attribute = ? and valid_to is null'
  file.database.run(closing, [from, tenant, subject, attribute])
  file.database.run(PUBLISHED_INSERT, row)
  file.database.exec('commit')
  return written(database, 'file', file.database.export(), facts)
}

function written(database: IDBDatabase, into: 'journal' | 'file', value: unknown, key?: number): Promise<void> {
  return new Promise((settle, fail) => {
    const tx = database.transaction(into, 'readwrite', { durability: 'strict' })
    tx.addEventListener('complete', () => settle())
    tx.addEventListener('abort', () => fail(tx.error ?? new Error('aborted')))
    if (into === 'journal') tx.objectStore(into).add(value)
    else tx.objectStore(into).put(value, key)
  })
}

function openStore(): Promise<IDBDatabase> {
  return new Promise((settle, fail) => {
    const request = indexedDB.open('bench-peer', 1)
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('journal', { keyPath: 'seq' })
      request.result.createObjectStore('file')
    })
    request.addEventListener('success', () => settle(request.result))
    request.addEventListener('error', () => fail(request.error ?? new Error('it does not open')))
  })
}
