/** Parts of commits that are larger than one entry, until the last one is there. */
export const STAGED_PARTS = `
create table staged_part (
  "commit" text not null,
  attempt text not null,
  part integer not null check (part >= 1),
  -- the records, as the JSON of the entry's items
  items blob not null,
  -- milliseconds since 1970 by the clock of the replica that folded it in; says only how long it has been waiting
  staged_at integer not null,
  primary key ("commit", attempt, part)
) strict;
`
