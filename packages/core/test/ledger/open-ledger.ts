/** A ledger in memory for a test, and what can be read of it without any of the code under test. */
import { applyRecords } from '../../src/ledger/apply.ts'
import { LedgerState } from '../../src/ledger/state.ts'
import type { TenantRecord } from '../../src/records/record.ts'
import type { SqlDatabase } from '../../src/sql/database.ts'
import { migrate } from '../../src/sql/migrate.ts'
import { loadSql } from '../../src/sql/sqljs.ts'
import { isoSecond } from '../oracle/rule-oracle.ts'
import type { OracleFact } from '../oracle/facts-oracle.ts'

const open = await loadSql({})
const empty = (() => {
  const db = open()
  migrate(db)
  const image = db.export()
  db.close()
  return image
})()

export class TestLedger {
  readonly db: SqlDatabase
  readonly state: LedgerState

  constructor(image: Uint8Array = empty) {
    this.db = open(image)
    this.state = new LedgerState(this.db)
  }

  apply(items: readonly TenantRecord[]): void {
    this.db.run('begin')
    applyRecords(this.state, items)
    this.db.run('commit')
  }

  /** Applied and taken back, as a commit that did not become durable. */
  applyInVain(items: readonly TenantRecord[]): void {
    this.db.run('begin')
    applyRecords(this.state, items)
    this.db.run('rollback')
    this.state.dropCaches()
  }

  close(): void {
    this.db.close()
  }
}

/** Opens a ledger for the time of `body`. */
export function withLedger<T>(body: (ledger: TestLedger) => T, image?: Uint8Array): T {
  const ledger = new TestLedger(image)
  try {
    return body(ledger)
  } finally {
    ledger.close()
  }
}

export interface StoredFact {
  readonly slot: number
  readonly from: number
  readonly to: number | null
  readonly fact: Omit<OracleFact, 'supersedes'>
}

type Row = [number, number, number | null, number, string, string, string, string, string]

/** The table `fact`, with names for numbers. A left join would hide a founder that is gone; an inner one shows as a missing fact. */
export function storedFacts(db: SqlDatabase): StoredFact[] {
  return db
    .all<Row>(
      `select f.slot, f.valid_from, f.valid_to, f.resumed, a.id, a.value, t.id, s.subject, s.attribute from fact f
       join assertion a on a.nr = f.founder join slot s on s.nr = f.slot join tenant t on t.nr = s.tenant order by f.slot, f.valid_from`,
    )
    .map(([slot, from, to, resumed, founder, value, tenant, subject, attribute]) => ({
      slot,
      from,
      to,
      fact: {
        tenant,
        subject,
        attribute,
        value,
        id: resumed === 1 ? `${founder}@${isoSecond(from)}` : founder,
        validFrom: isoSecond(from),
        validTo: to === null ? null : isoSecond(to),
      },
    }))
}

/** The published view, in the order of its columns. */
export function publishedFacts(db: SqlDatabase): string[] {
  return db
    .all('select memory_id, tenant_id, subject, attribute, value, valid_from, valid_to, supersedes_memory_id from memory_facts')
    .map(row => JSON.stringify(row))
    .toSorted()
}

/** What the view has to show for these facts: a string as it is, any other value as JSON. */
export function published(facts: readonly OracleFact[]): string[] {
  return facts
    .map(({ id, tenant, subject, attribute, value, validFrom, validTo, supersedes }) => {
      const parsed: unknown = JSON.parse(value)
      return JSON.stringify([
        id,
        tenant,
        subject,
        attribute,
        typeof parsed === 'string' ? parsed : value,
        validFrom,
        validTo,
        supersedes,
      ])
    })
    .toSorted()
}

/** One open fact a slot, none over another, none empty, none next to one of its own value. */
export function guardsBroken(facts: readonly StoredFact[]): string[] {
  return facts.flatMap((fact, index) => {
    const broken: string[] = []
    const before = facts[index - 1]
    if (fact.to !== null && fact.to <= fact.from) broken.push(`empty: ${JSON.stringify(fact)}`)
    if (before?.slot !== fact.slot) return broken
    if (before.to === null || before.to > fact.from) broken.push(`overlap: ${JSON.stringify([before, fact])}`)
    if (before.to === fact.from && before.fact.value === fact.fact.value)
      broken.push(`not maximal: ${JSON.stringify([before, fact])}`)
    return broken
  })
}
