/** The first tables. Integer keys throughout: measured while designing, that halves the file and doubles lookups. */
export const LEDGER_TABLES: string = `
-- Whose memory. The name decides, byte for byte; id is how it is shown, with U+0000 as U+2400, since SQLite ends a text there.
create table tenant (
  nr integer primary key,
  name blob not null unique,
  id text not null
) strict;
create index tenant_id on tenant (id);

-- A slot: for a many-valued attribute one per value, and one with member '' for what is said of all of them.
create table slot (
  nr integer primary key,
  tenant integer not null,
  subject text not null,
  attribute text not null,
  member text not null default '', -- canonical JSON of the value; '' for a single-valued attribute
  unique (tenant, subject, attribute, member)
) strict;
create index slot_attribute on slot (tenant, attribute);

-- Every variant of every assertion, one row per (tenant, id, content).
create table assertion (
  nr integer primary key,
  tenant integer not null,
  id text not null,
  slot integer not null,
  standing integer not null, -- 1: takes part in the rule of time (alive, the winning variant, accepted)
  valid_from integer not null, -- seconds, inclusive
  valid_until integer, -- seconds, exclusive
  statement integer not null, -- 1 value, 0 retraction
  value text, -- canonical JSON
  trust integer not null, -- index in TRUST_ORDER
  said_ms integer not null,
  said_offset integer not null, -- UTF-16 units
  clock text not null,
  actor text not null,
  dated integer not null,
  born integer not null, -- 1 accepted, 0 held
  reason text,
  confidence real,
  memory_type text not null,
  schema_version integer not null,
  retention text,
  sourced integer not null, -- 1: it came with evidence
  confirmed text, -- clock of the latest effective confirmation by the user
  check (valid_until is null or valid_until > valid_from)
) strict;
create index assertion_time on assertion (slot, standing, valid_from);
-- Without it, finding the last unbounded statement would walk over every bounded one.
create index assertion_open on assertion (slot, valid_from) where standing = 1 and valid_until is null;
create index assertion_until on assertion (slot, valid_until) where standing = 1 and valid_until is not null;
create index assertion_id on assertion (tenant, id);
create index assertion_held on assertion (tenant, born) where born = 0;

-- Every episode id that was ever named: arrived, awaited or erased.
create table episode_id (
  nr integer primary key,
  tenant integer not null,
  id text not null,
  erased integer not null default 0,
  unique (tenant, id)
) strict;

-- Variants of episodes; body is the canonical JSON of the record, redactions applied.
create table episode (
  nr integer primary key,
  tenant integer not null,
  ref integer not null, -- episode_id.nr
  shown integer not null, -- 1: the variant that reads return
  at_ms integer not null,
  clock text not null,
  session text,
  body text not null
) strict;
create index episode_ref on episode (ref);
create index episode_time on episode (tenant, at_ms, clock) where shown = 1;
create index episode_session on episode (tenant, session) where session is not null;

-- Which episodes an assertion rests on; offsets -1 where the whole text is the quote.
create table evidence (
  assertion integer not null,
  ref integer not null, -- episode_id.nr
  start integer not null,
  stop integer not null,
  primary key (assertion, ref, start, stop)
) strict, without rowid;
create index evidence_ref on evidence (ref);

create table decision (
  tenant integer not null,
  target text not null,
  clock text not null,
  id text not null,
  verdict text not null,
  body text not null, -- canonical JSON of the record
  primary key (tenant, target, clock, id, body)
) strict, without rowid;
create index decision_id on decision (tenant, id);

create table extraction (
  tenant integer not null,
  ref integer not null, -- episode_id.nr
  version integer not null,
  clock text not null,
  id text not null,
  body text not null,
  primary key (tenant, ref, version, clock, id, body)
) strict, without rowid;

create table schema_version (
  tenant integer not null,
  version integer not null,
  clock text not null,
  id text not null,
  body text not null,
  primary key (tenant, version, clock, id, body)
) strict, without rowid;

create table tenant_key (
  tenant integer not null,
  id text not null,
  clock text not null,
  secret text not null,
  primary key (tenant, id, clock, secret)
) strict, without rowid;

-- Erasure: the records, and what they make of every id, range and tag.
create table erasure (
  tenant integer not null,
  id text not null,
  clock text not null,
  body text not null,
  primary key (tenant, id, clock, body)
) strict, without rowid;
create table erased_assertion (
  tenant integer not null,
  id text not null,
  primary key (tenant, id)
) strict, without rowid;
create table erasure_scope (
  tenant integer not null,
  what text not null, -- slot, subject, session, everything
  tag text not null, -- '' for everything
  key text not null,
  clock text not null, -- up to and including
  primary key (tenant, what, tag, key)
) strict, without rowid;
create table erased_slot (
  tenant integer not null,
  tag text not null,
  primary key (tenant, tag)
) strict, without rowid;
create table redaction (
  ref integer not null, -- episode_id.nr
  start integer not null,
  stop integer not null,
  primary key (ref, start, stop)
) strict, without rowid;
-- Ids of assertions that came with evidence and whose rows are gone: a copy without evidence stays dead.
create table once_sourced (
  tenant integer not null,
  id text not null,
  primary key (tenant, id)
) strict, without rowid;

-- The projection: maximal runs of one value. Rebuilt from the assertions, never a record.
create table fact (
  slot integer not null,
  valid_from integer not null,
  valid_to integer, -- exclusive
  founder integer not null, -- assertion.nr that gives id and value
  resumed integer not null, -- 1: the run resumes under an older assertion
  primary key (slot, valid_from),
  check (valid_to is null or valid_to > valid_from)
) strict, without rowid;
-- The guard of the method: one open fact a slot.
create unique index fact_open on fact (slot) where valid_to is null;

-- Local to this device.
create table operation (
  tenant integer not null,
  key text not null,
  clock text not null,
  id text not null,
  digest text not null,
  result text not null,
  primary key (tenant, key)
) strict, without rowid;
create table commit_log (
  id text primary key,
  seq integer not null
) strict, without rowid;
create table state (
  name text primary key,
  value text not null
) strict, without rowid;

create view memory_facts as
select
  a.id || case f.resumed when 1 then '@' || strftime('%Y-%m-%dT%H:%M:%SZ', f.valid_from, 'unixepoch') else '' end as memory_id,
  t.id as tenant_id,
  s.subject as subject,
  s.attribute as attribute,
  case json_type(a.value) when 'text' then a.value ->> '$' else a.value end as value,
  a.memory_type as memory_type,
  a.schema_version as schema_version,
  strftime('%Y-%m-%dT%H:%M:%SZ', f.valid_from, 'unixepoch') as valid_from,
  strftime('%Y-%m-%dT%H:%M:%SZ', f.valid_to, 'unixepoch') as valid_to,
  (select pa.id || case p.resumed when 1 then '@' || strftime('%Y-%m-%dT%H:%M:%SZ', p.valid_from, 'unixepoch') else '' end
     from fact p join assertion pa on pa.nr = p.founder
     where p.slot = f.slot and p.valid_from < f.valid_from and p.valid_to = f.valid_from
     order by p.valid_from desc limit 1) as supersedes_memory_id,
  (select e.id from evidence v join episode_id e on e.nr = v.ref
     left join episode x on x.ref = e.nr and x.shown = 1
     where v.assertion = a.nr order by x.at_ms is null, x.at_ms, e.id limit 1) as source_episode_id,
  a.confidence as confidence,
  a.retention as retention_policy
from fact f
join assertion a on a.nr = f.founder
join slot s on s.nr = f.slot
join tenant t on t.nr = s.tenant;
`
