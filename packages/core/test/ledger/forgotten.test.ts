/** What no read may return after forgetting (DESIGN 8, the first level), the owner's SQL over any table included. */
import { expect, test } from 'vitest'
import { keyedTag, tagText } from '../../src/ledger/state.ts'
import type { AnyRecord } from '../../src/records/record.ts'
import type { ErasureRecord } from '../../src/records/erasure.ts'
import { KNOWN_TABLES } from './canonical-state.ts'
import { clockAt, schemaOf } from './histories.ts'
import { withLedger } from './open-ledger.ts'

const secret = '0a'.repeat(32)
const history: readonly AnyRecord[] = [
  schemaOf(clockAt(0, 0), 1, [
    { many: false, latest: false },
    { many: false, latest: true },
    { many: true, latest: false },
  ]),
  { kind: 'tenantKey', id: 'k', clock: clockAt(0, 1), secret },
  {
    kind: 'episode',
    id: 'e',
    clock: clockAt(1, 0),
    at: '2026-01-01T00:00:00.000Z',
    author: 'user',
    episodeKind: 'message',
    text: 'Secretname loves plums',
    session: 'private talk',
  },
  {
    kind: 'assertion',
    id: 'a',
    clock: clockAt(2, 0),
    by: 'user',
    subject: 'secretname',
    attribute: 'likes',
    statement: 'value',
    value: 'plums',
    validFrom: '2026-01-01T00:00:00Z',
    validUntil: null,
    dated: true,
    trust: 'user',
    saidAt: '2026-01-01T00:00:00.000Z',
    saidOffset: 0,
    evidence: [{ episode: 'e', start: 0, end: 22 }],
    born: 'accepted',
    memoryType: 'fact',
    schemaVersion: 1,
  },
]
const nothing: ErasureRecord = {
  kind: 'erasure',
  id: 'g',
  clock: clockAt(3, 0),
  by: 'user',
  episodes: [],
  assertions: [],
  redactions: [],
  scopes: [],
  everything: false,
  touched: [],
}

test.each<[string, Partial<ErasureRecord>, readonly string[]]>([
  ['a fact by id', { assertions: ['a'] }, ['plums']],
  ['its episode', { episodes: ['e'] }, ['plums']],
  ['its slot', { scopes: [{ what: 'slot', key: 'k', tag: keyedTag(secret, tagText.slot('secretname', 'likes')) }] }, ['plums']],
  [
    'its subject',
    { scopes: [{ what: 'subject', key: 'k', tag: keyedTag(secret, tagText.subject('secretname')) }] },
    ['plums', 'secretname'],
  ],
  ['everything', { everything: true }, ['plums', 'secretname', 'private talk']],
])('after forgetting %s no row of any table holds what was forgotten', (_, scope, words) => {
  for (const order of [
    [...history, { ...nothing, ...scope }],
    [{ ...nothing, ...scope }, ...history],
  ])
    withLedger(ledger => {
      ledger.apply(order.map(record => ({ tenant: 'acme', record })))
      const left = KNOWN_TABLES.filter(table => {
        const rows = JSON.stringify(ledger.db.all(`select * from ${table}`)).toLowerCase()
        return words.some(word => rows.includes(word))
      })
      expect(left).toEqual([])
    })
})
