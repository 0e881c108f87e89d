/**
 * Commits of several parts. A part waits in a table of the image, so that folding it in loses nothing; the one that
 * completes its attempt brings the records of all. What else was written between them does not matter: applying records
 * knows no order.
 */
import type { SqlDatabase } from '../sql/database.ts'
import type { Entry, EntryItem } from './entry.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8')

/**
 * Takes in an entry of a commit of several parts.
 * @param isAnswered whether another commit was done under the key of this one. A long commit is decided when it is asked for:
 *   of two under one key, from two tabs or asked for again, the one that is whole first counts.
 * @returns its items part by part once all are there and count, else undefined
 */
export function stage(
  db: SqlDatabase,
  entry: Entry,
  now: number,
  isAnswered: (last: readonly EntryItem[]) => boolean,
): Iterable<readonly EntryItem[]> | undefined {
  const { commit, part, parts, items } = entry
  const attempt = entry.attempt ?? ''
  if (part === 0) {
    db.run('delete from staged_part where "commit" = ? and attempt = ?', [commit, attempt])
    return undefined
  }
  // Done already, by another attempt or before a restore: this one changes nothing.
  if (db.first('select 1 from commit_log where id = ?', [commit]) !== undefined) return undefined
  db.run('insert or replace into staged_part ("commit", attempt, part, items, staged_at) values (?, ?, ?, ?, ?)', [
    commit,
    attempt,
    part,
    encoder.encode(JSON.stringify(items)),
    now,
  ])
  const [count] = db.first<[number]>('select count(*) from staged_part where "commit" = ? and attempt = ?', [
    commit,
    attempt,
  ]) ?? [0]
  if (count < parts) return undefined
  // The answer is the last record of a commit.
  if (!isAnswered(itemsOfPart(db, commit, attempt, parts))) return unstage(db, commit, attempt, parts)
  db.run('delete from staged_part where "commit" = ?', [commit])
  return undefined
}

/** One part at a time, so that a commit of any size needs the memory of one. */
function* unstage(db: SqlDatabase, commit: string, attempt: string, parts: number): Iterable<readonly EntryItem[]> {
  for (let part = 1; part <= parts; part++) yield itemsOfPart(db, commit, attempt, part)
  db.run('delete from staged_part where "commit" = ?', [commit])
}

function itemsOfPart(db: SqlDatabase, commit: string, attempt: string, part: number): readonly EntryItem[] {
  const row = db.first<[Uint8Array]>('select items from staged_part where "commit" = ? and attempt = ? and part = ?', [
    commit,
    attempt,
    part,
  ])
  return row === undefined ? [] : (JSON.parse(decoder.decode(row[0])) as EntryItem[])
}

/** Is this part waiting in the image? */
export function isStaged(db: SqlDatabase, { commit, attempt, part }: Pick<Entry, 'commit' | 'attempt' | 'part'>): boolean {
  const row = db.first('select 1 from staged_part where "commit" = ? and attempt = ? and part = ?', [commit, attempt ?? '', part])
  return row !== undefined
}

export interface StaleAttempt {
  readonly commit: string
  readonly attempt: string
}

/** Attempts of which no part came after `before` (ms since 1970): their writer has gone. */
export function staleAttempts(db: SqlDatabase, before: number): StaleAttempt[] {
  return db
    .all<[string, string]>('select "commit", attempt from staged_part group by "commit", attempt having max(staged_at) < ?', [
      before,
    ])
    .map(([commit, attempt]) => ({ commit, attempt }))
}
