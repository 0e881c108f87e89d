/** The table and the read that the method published: text keys, one row a fact. Peers store and read this. */
export const PUBLISHED_TABLE = `
create table memory_facts (
  memory_id text primary key,
  tenant_id text not null,
  subject text not null,
  attribute text not null,
  value text not null,
  memory_type text not null,
  schema_version integer not null,
  valid_from text not null,
  valid_to text,
  supersedes_memory_id text,
  source_episode_id text,
  confidence real,
  retention_policy text
);
create index memory_facts_slot on memory_facts (tenant_id, subject, attribute, valid_from);
create unique index memory_facts_open on memory_facts (tenant_id, subject, attribute) where valid_to is null;
`

export const PUBLISHED_INSERT = `insert into memory_facts values (?, ?, ?, ?, ?, 'fact', 1, ?, ?, ?, ?, null, null)`

export const PUBLISHED_READ = `select value, valid_from, valid_to from memory_facts
where tenant_id = ? and subject = ? and attribute = ? and valid_from <= ? and (valid_to is null or valid_to > ?) limit 1`
