import { beforeAll, describe, expect, test } from 'vitest'
import type { AssertionRecord } from '../../src/records/assertion.ts'
import type { AnyRecord } from '../../src/records/record.ts'
import { isoSecond } from '../oracle/rule-oracle.ts'
import { clockAt, schemaOf } from './histories.ts'
import { storedFacts, withLedger } from './open-ledger.ts'

const START = Date.parse('2026-01-01T00:00:00Z') / 1000

function said(id: string, at: number, more: Partial<AssertionRecord> = {}): AssertionRecord {
  return {
    kind: 'assertion',
    id,
    clock: clockAt(1 + Math.floor(at * 10), 0),
    by: 'user',
    subject: 'mira',
    attribute: 'home',
    statement: 'value',
    value: `town ${id}`,
    validFrom: isoSecond(START + at),
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
  }
}

/** A slot with a new value every ten seconds, as a database file. Built once: it is opened again for every case. */
function slotOf(versions: number): Uint8Array {
  return withLedger(ledger => {
    ledger.apply([{ tenant: 'acme', record: schemaOf(clockAt(0, 0), 1, [{ many: false, latest: false }]) }])
    ledger.apply(Array.from({ length: versions }, (_, nr) => ({ tenant: 'acme', record: said(`v${nr}`, nr * 10) })))
    expect(storedFacts(ledger.db)).toHaveLength(versions)
    return ledger.db.export()
  })
}

const slots = new Map<number, Uint8Array>()
beforeAll(() => {
  for (const versions of [10, 10_000]) slots.set(versions, slotOf(versions))
}, 120_000)

function rowsChanged(versions: number, changes: (last: number) => readonly AnyRecord[]): number[] {
  return withLedger(ledger => {
    const total = (): number => ledger.db.first<[number]>('select total_changes()')?.[0] as number
    return changes(versions * 10 - 10).map(record => {
      const before = total()
      ledger.apply([{ tenant: 'acme', record }])
      return total() - before
    })
  }, slots.get(versions))
}

const decision = (id: string, verdict: 'confirm' | 'reject' | 'undo', target: string): AnyRecord => ({
  kind: 'decision',
  id,
  clock: clockAt(9e6, 0),
  by: 'user',
  verdict,
  target,
})
const forget = (assertion: string): AnyRecord => ({
  kind: 'erasure',
  id: `forget ${assertion}`,
  clock: clockAt(9e6, 1),
  by: 'user',
  episodes: [],
  assertions: [assertion],
  redactions: [],
  scopes: [],
  everything: false,
  touched: [],
})

describe('what a write changes does not grow with the history of its slot', () => {
  const cases: Record<string, (last: number) => readonly AnyRecord[]> = {
    'an append': last => [said('new', last + 5)],
    'a late arrival': () => [said('late', 45)],
    'a late arrival before all': () => [said('late', -5)],
    'a late arrival at the second of another': () => [said('late', 40)],
    'a late arrival with the value of its neighbour': () => [
      said('late', 45, { value: 'town v4' }),
      said('other', 35, { value: 'town v4' }),
    ],
    'a bounded late arrival': () => [said('late', 42, { validUntil: isoSecond(START + 47) })],
    'a bounded late arrival over all': last => [said('late', -5, { validUntil: isoSecond(START + last + 100) })],
    'a late retraction': () => [said('late', 45, { statement: 'retraction' })],
    'a rejection and its undo': () => [decision('no', 'reject', 'v4'), decision('yes', 'undo', 'no')],
    'a confirmation': () => [decision('yes', 'confirm', 'v4')],
    'forgetting one': () => [forget('v4')],
  }
  for (const [name, changes] of Object.entries(cases)) {
    test(name, () => {
      const few = rowsChanged(10, changes)
      expect(rowsChanged(10_000, changes)).toEqual(few)
      for (const count of few) expect(count).toBeLessThanOrEqual(16)
    })
  }
})
