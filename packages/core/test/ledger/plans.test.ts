import { describe, expect, test } from 'vitest'
import type { AnyRecord } from '../../src/records/record.ts'
import type { SqlDatabase } from '../../src/sql/database.ts'
import { keyedTag, tagText } from '../../src/ledger/state.ts'
import { clockAt, schemaOf } from './histories.ts'
import { TestLedger } from './open-ledger.ts'

/** How SQLite will run a statement, a line a step. Parameters may stay unbound. */
function planOf(db: SqlDatabase, sql: string): string[] {
  return db.all<[number, number, number, string]>(`explain query plan ${sql}`).map(row => row[3])
}

const assertion = (id: string, at: number, more: object = {}): AnyRecord => ({
  kind: 'assertion',
  id,
  clock: clockAt(at, 0),
  by: 'user',
  subject: 'mira',
  attribute: 'home',
  statement: 'value',
  value: id,
  validFrom: `2026-01-0${at}T00:00:00Z`,
  validUntil: null,
  dated: true,
  trust: 'user',
  saidAt: '2026-01-01T00:00:00.000Z',
  saidOffset: 0,
  evidence: [{ episode: 'e0' }],
  born: 'accepted',
  memoryType: 'fact',
  schemaVersion: 1,
  ...more,
})
const decision = (id: string, verdict: 'confirm' | 'undo', target: string): AnyRecord => ({
  kind: 'decision',
  id,
  clock: clockAt(8, 0),
  by: 'user',
  verdict,
  target,
})
const erasure = (id: string, more: object): AnyRecord => ({
  kind: 'erasure',
  id,
  clock: clockAt(1, 0),
  by: 'user',
  episodes: [],
  assertions: [],
  redactions: [],
  scopes: [],
  everything: false,
  touched: [],
  ...more,
})
const secret = '0a'.repeat(32)

/** What a day brings: all that must not depend on how much is remembered. */
const daily: readonly AnyRecord[] = [
  schemaOf(clockAt(0, 0), 1, [
    { many: false, latest: false },
    { many: false, latest: true },
    { many: true, latest: false },
  ]),
  { kind: 'tenantKey', id: 'k0', clock: clockAt(0, 1), secret },
  {
    kind: 'episode',
    id: 'e0',
    clock: clockAt(1, 0),
    at: '2026-01-01T00:00:00.000Z',
    author: 'user',
    episodeKind: 'message',
    text: 'hello',
    session: 'monday',
  },
  { kind: 'extraction', id: 'x0', clock: clockAt(1, 1), episode: 'e0', extractor: 'plain', version: 1, outcomes: [] },
  { kind: 'operation', id: 'o0', clock: clockAt(1, 2), key: 'k', digest: 'd', result: null },
  assertion('a1', 1),
  assertion('a3', 3),
  assertion('late', 2),
  assertion('late', 2, { evidence: [{ episode: 'e1', start: 0, end: 2 }] }),
  assertion('late', 2, { clock: clockAt(7, 0), value: 'variant' }),
  assertion('bounded', 2, { validUntil: '2026-01-04T00:00:00Z', evidence: [] }),
  assertion('tea', 1, { attribute: 'likes' }),
  assertion('no tea', 2, { attribute: 'likes', statement: 'retraction', value: 'tea' }),
  assertion('none', 3, { attribute: 'likes', statement: 'retraction', value: undefined }),
  decision('d0', 'confirm', 'late'),
  decision('d1', 'undo', 'd0'),
  erasure('g0', { assertions: ['late'], episodes: ['e7'], redactions: [{ episode: 'e0', start: 0, end: 1 }] }),
  erasure('g1', { episodes: ['e0'] }),
]

/** Forgetting by tag looks at every name of one tenant, never at those of others. */
const sweeping: readonly AnyRecord[] = [
  erasure('g2', { scopes: [{ what: 'slot', key: 'k0', tag: keyedTag(secret, tagText.slot('mira', 'home')) }] }),
  erasure('g3', { scopes: [{ what: 'session', key: 'k0', tag: keyedTag(secret, tagText.session('monday')) }] }),
]

/** Every statement that these records make the ledger run. */
function statementsOf(ledger: TestLedger, records: readonly AnyRecord[]): string[] {
  const seen = new Set<string>()
  const { db, state } = ledger
  const spied: SqlDatabase = {
    run: (sql, params) => (seen.add(sql), db.run(sql, params)),
    first: (sql, params) => (seen.add(sql), db.first(sql, params)),
    all: (sql, params) => (seen.add(sql), db.all(sql, params)),
    script: sql => db.script(sql),
    query: (sql, params) => db.query(sql, params),
    export: () => db.export(),
    close: () => db.close(),
  }
  Object.defineProperty(state, 'db', { value: spied })
  for (const record of records) ledger.apply([{ tenant: 'acme', record }])
  return [...seen].filter(sql => /^\s*(select|insert|update|delete|with)/iu.test(sql))
}

describe('applying', () => {
  const ledger = new TestLedger()
  const [day, sweep] = [statementsOf(ledger, daily), statementsOf(ledger, sweeping)]
  const whole = (sql: string): string[] => planOf(ledger.db, sql).filter(step => /^SCAN (?!CONSTANT)/u.test(step))

  test('the histories here reach the statements that matter', () => {
    expect(day.length).toBeGreaterThan(40)
    expect(sweep.length).toBeGreaterThan(5)
  })

  test.each(day)('scans no table: %s', sql => {
    expect(whole(sql)).toEqual([])
    // An index made for one statement costs a scan each time.
    expect(planOf(ledger.db, sql).filter(step => step.includes('AUTOMATIC'))).toEqual([])
  })

  test.each(sweep)('an erasure by tag scans no table: %s', sql => {
    expect(whole(sql)).toEqual([])
  })

  const using = (pattern: RegExp): string[][] => day.filter(sql => pattern.test(sql)).map(sql => planOf(ledger.db, sql))

  test('statements that decide a window are found by time', () => {
    const byTime = using(/assertion_time/u)
    expect(byTime.length).toBeGreaterThanOrEqual(1)
    for (const plan of byTime)
      expect(plan.join('; ')).toMatch(
        /^SEARCH assertion USING INDEX assertion_time \(slot=\? AND standing=\? AND valid_from[<>=]/u,
      )
    // Unbounded ones have an index of their own: walking back to the last of them must not pass every bounded one.
    const open = using(/assertion_open/u)
    expect(open.length).toBeGreaterThanOrEqual(3)
    for (const plan of open)
      expect(plan.join('; ')).toMatch(/^SEARCH assertion USING (?:COVERING )?INDEX assertion_open \(slot=\? AND valid_from[<>=]/u)
  })

  test('bounded statements that reach into a window are found by their end', () => {
    const byEnd = using(/assertion_until/u)
    expect(byEnd.length).toBeGreaterThanOrEqual(1)
    for (const plan of byEnd) expect(plan).toEqual(['SEARCH assertion USING INDEX assertion_until (slot=? AND valid_until>?)'])
  })

  test('facts around a window are found by the primary key, in order', () => {
    const facts = using(/from fact f join assertion/u)
    expect(facts.length).toBeGreaterThanOrEqual(2)
    for (const plan of facts) {
      expect(plan[0]).toMatch(/^SEARCH f USING PRIMARY KEY \(slot=\? AND valid_from/u)
      expect(plan).toContain('SEARCH a USING INTEGER PRIMARY KEY (rowid=?)')
      expect(plan.join()).not.toContain('TEMP B-TREE')
    }
  })

  test('ids are found by index', () => {
    for (const plan of using(/from assertion where tenant = \? and id = \?/u))
      expect(plan[0]).toMatch(/^SEARCH assertion USING (COVERING )?INDEX assertion_id \(tenant=\? AND id=\?\)/u)
  })
})

describe('reading', () => {
  const { db } = new TestLedger()

  test('what holds at an instant: one step down the primary key of the facts', () => {
    expect(
      planOf(db, 'select founder, valid_to from fact where slot = ? and valid_from <= ? order by valid_from desc limit 1'),
    ).toEqual(['SEARCH fact USING PRIMARY KEY (slot=? AND valid_from<?)'])
  })

  test('a slot by its name', () => {
    expect(planOf(db, 'select nr from slot where tenant = ? and subject = ? and attribute = ? and member = ?')).toEqual([
      'SEARCH slot USING COVERING INDEX sqlite_autoindex_slot_1 (tenant=? AND subject=? AND attribute=? AND member=?)',
    ])
  })

  test('the view, asked for one slot, searches', () => {
    const plan = planOf(db, "select * from memory_facts where tenant_id = 'acme' and subject = 'mira' and attribute = 'home'")
    expect(plan.filter(step => step.startsWith('SCAN'))).toEqual([])
    expect(plan).toContainEqual(expect.stringMatching(/^SEARCH f USING PRIMARY KEY \(slot=\?\)/u))
  })
})
