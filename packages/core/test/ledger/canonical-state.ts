/**
 * Every row of the ledger with names for numbers, sorted: what two devices that hold the same records must share.
 *
 * Left out, and why it may be:
 * - the numbers of rows: each device counts for itself;
 * - slots and episode ids to which nothing refers: names that were once met, by which no read finds anything;
 * - `once_sourced` as a table: an id is in it from the moment its last row goes, so which table says "it had a source"
 *   depends on the order. What both say together is kept as `sourced`, since what arrives next depends on it;
 * - `commit_log`, `staged_part` and `state`: no record makes their rows.
 */
import type { SqlDatabase } from '../../src/sql/database.ts'

const SLOT = 's.subject, s.attribute, s.member'

const TABLES: Readonly<Record<string, string>> = {
  assertion: `select t.id, a.id, ${SLOT}, a.standing, a.valid_from, a.valid_until, a.statement, a.value, a.trust, a.said_ms, a.said_offset, a.clock,
    a.actor, a.dated, a.born, a.reason, a.confidence, a.memory_type, a.schema_version, a.retention, a.sourced, a.confirmed,
    (select group_concat(e.id || ':' || v.start || ':' || v.stop, ' ' order by e.id, v.start, v.stop) from evidence v join episode_id e on e.nr = v.ref where v.assertion = a.nr)
    from assertion a left join slot s on s.nr = a.slot left join tenant t on t.nr = a.tenant`,
  stray_evidence:
    'select v.ref, v.start, v.stop from evidence v where not exists (select 1 from assertion a where a.nr = v.assertion)',
  sourced: `select t.id, o.id from (select tenant, id from once_sourced union select tenant, id from assertion where sourced = 1) o join tenant t on t.nr = o.tenant`,
  erased_episode: 'select t.id, e.id from episode_id e join tenant t on t.nr = e.tenant where e.erased = 1',
  episode: `select t.id, e.id, e.erased, x.shown, x.at_ms, x.clock, x.session, x.body from episode x
    left join episode_id e on e.nr = x.ref left join tenant t on t.nr = x.tenant`,
  redaction:
    'select t.id, e.id, e.erased, r.start, r.stop from redaction r left join episode_id e on e.nr = r.ref left join tenant t on t.nr = e.tenant',
  decision: 'select t.id, d.target, d.clock, d.id, d.verdict, d.body from decision d join tenant t on t.nr = d.tenant',
  extraction: `select t.id, e.id, x.version, x.clock, x.id, x.body from extraction x
    left join episode_id e on e.nr = x.ref left join tenant t on t.nr = x.tenant`,
  schema_version: 'select t.id, x.version, x.clock, x.id, x.body from schema_version x join tenant t on t.nr = x.tenant',
  tenant_key: 'select t.id, x.id, x.clock, x.secret from tenant_key x join tenant t on t.nr = x.tenant',
  erasure: 'select t.id, x.id, x.clock, x.body from erasure x join tenant t on t.nr = x.tenant',
  erased_assertion: 'select t.id, x.id from erased_assertion x join tenant t on t.nr = x.tenant',
  erasure_scope: 'select t.id, x.what, x.tag, x.key, x.clock from erasure_scope x join tenant t on t.nr = x.tenant',
  erased_slot: 'select t.id, x.tag from erased_slot x join tenant t on t.nr = x.tenant',
  operation: 'select t.id, x.key, x.digest, x.result from operation x join tenant t on t.nr = x.tenant',
  fact: `select t.id, ${SLOT}, f.valid_from, f.valid_to, f.resumed, a.id, a.clock, a.value, a.standing from fact f
    left join slot s on s.nr = f.slot left join tenant t on t.nr = s.tenant left join assertion a on a.nr = f.founder`,
}

/** The tables that `canonicalState` knows; a new one must be added above or to this list with its reason. */
export const KNOWN_TABLES: readonly string[] = [
  'assertion',
  'commit_log',
  'decision',
  'episode',
  'episode_id',
  'erased_assertion',
  'erased_slot',
  'erasure',
  'erasure_scope',
  'evidence',
  'extraction',
  'fact',
  'once_sourced',
  'operation',
  'redaction',
  'schema_version',
  'slot',
  'staged_part',
  'state',
  'tenant',
  'tenant_key',
]

export function canonicalState(db: SqlDatabase): string[] {
  return Object.entries(TABLES).flatMap(([table, sql]) =>
    db
      .all(sql)
      .map(row => `${table} ${JSON.stringify(row)}`)
      .toSorted(),
  )
}
