/**
 * One replica: a SQLite image in memory, and how far it has applied the journal.
 *
 * Opening: base, deltas, replay of the tail in one transaction. The generation is read again at the end, and only an
 * unchanged one can be called corrupt: another replica may have compacted meanwhile.
 */
import { applyRecords } from '../ledger/apply.ts'
import { LedgerState } from '../ledger/state.ts'
import { MemoryError } from '../errors.ts'
import type { TenantRecord } from '../records/record.ts'
import type { SqlDatabase } from '../sql/database.ts'
import { migrate } from '../sql/migrate.ts'
import { CHAIN_START, decodeEntry, entryHash, type Entry, type EntryItem } from './entry.ts'
import { decodeImage, type LoadedImage } from './image.ts'
import type { Damage, Journal, JournalState, StoredEntry } from './port.ts'
import { stage } from './staging.ts'

export interface Applied {
  readonly tenants: ReadonlySet<string>
  readonly entries: number
}

/** A generation that other replicas keep changing is tried so often. */
const OPEN_ATTEMPTS = 20

export class Replica {
  readonly db: SqlDatabase
  readonly state: LedgerState
  /** The last entry that the image holds. */
  head: number
  /** Its hash. */
  chain: string
  /** The persisted image that this replica was built from; undefined where there was none or it was damaged. */
  image: LoadedImage | undefined
  readonly quarantine: Damage[] = []
  /** An entry was met that a later version wrote. */
  #readOnly = false
  /** The image came from elsewhere, and may be ahead of the journal: a base has to be written before anything is appended. */
  isFromSpare = false
  readonly #now: () => number

  constructor(db: SqlDatabase, image: LoadedImage | undefined, now: () => number = Date.now) {
    this.db = db
    this.#now = now
    this.state = new LedgerState(db)
    this.image = image
    this.head = image?.head ?? 0
    this.chain = image?.chain ?? CHAIN_START
  }

  /** Applies entries in one transaction. What cannot be read is set aside and reported; what verifies after it is kept. */
  apply(entries: readonly StoredEntry[], observe: (clock: string) => void): Applied {
    const tenants = new Set<string>()
    this.db.run('begin')
    try {
      for (const stored of entries) {
        if (stored.seq <= this.head) continue
        for (const tenant of this.#applyOne(stored, observe)) tenants.add(tenant)
      }
      this.db.run('commit')
    } catch (error) {
      this.db.run('rollback')
      this.state.dropCaches()
      throw error
    }
    return { tenants, entries: entries.length }
  }

  #applyOne({ seq, bytes }: StoredEntry, observe: (clock: string) => void): Iterable<string> {
    if (seq !== this.head + 1) this.#report(`entries ${this.head + 1} to ${seq - 1}`, 'missing')
    const decoded = decodeEntry(seq, bytes)
    const follows = this.chain
    this.head = seq
    if ('problem' in decoded) {
      if (decoded.problem === 'newer') this.#readOnly = true
      this.#report(`entry ${seq}`, decoded.reason)
      this.chain = entryHash(bytes)
      return []
    }
    this.chain = decoded.hash
    const { entry } = decoded
    // Where the one before is damaged or missing the chain cannot match, and that is reported already.
    if (entry.prev !== follows && !this.quarantine.some(({ what }) => what.endsWith(` ${seq - 1}`)))
      this.#report(`chain before entry ${seq}`, 'does not match')
    const tenants = new Set<string>()
    for (const items of this.#effective(entry)) {
      const records = itemsOf(items)
      for (const { record } of records) observe(record.clock)
      for (const tenant of applyRecords(this.state, records).tenants) tenants.add(tenant)
      this.db.run('insert or ignore into commit_log (id, seq) values (?, ?)', [entry.commit, seq])
    }
    return tenants
  }

  /** What an entry brings: its own items, those of all parts of its commit, or nothing yet. */
  #effective(entry: Entry): Iterable<readonly EntryItem[]> {
    if (entry.parts === 1 && entry.part === 1) return [entry.items]
    return stage(this.db, entry, this.#now(), items => this.#isAnswered(items)) ?? []
  }

  #isAnswered(items: readonly EntryItem[]): boolean {
    return itemsOf(items).some(
      ({ tenant, record }) =>
        record.kind === 'operation' &&
        this.db.first('select 1 from operation where tenant = ? and key = ? and id <> ?', [
          this.state.findTenant(tenant) ?? -1,
          record.key,
          record.id,
        ]) !== undefined,
    )
  }

  /** @throws {MemoryError} READ_ONLY once an entry was met that a later version wrote */
  assertWritable(): void {
    if (this.#readOnly) throw new MemoryError('READ_ONLY', 'The journal holds entries of a newer version')
  }

  /** Where the last entries cannot be read, the next one still has to come after them: they are reported and passed over. */
  skipTo(head: number): void {
    if (head <= this.head) return
    this.#report(`entries ${this.head + 1} to ${head}`, 'missing')
    this.head = head
  }

  /** The sequence number under which a commit is stored; undefined where it is not. */
  findCommit(id: string): number | undefined {
    return this.db.first<[number]>('select seq from commit_log where id = ?', [id])?.[0]
  }

  /**
   * Commits whose entries had these numbers came back from elsewhere: the next opening has nothing to report of them.
   * @returns whether an image may say otherwise
   */
  heal(seqs: ReadonlySet<number>): boolean {
    const over = this.quarantine.filter(({ what }) => seqsIn(what)?.every(seq => seqs.has(seq)))
    for (const { what } of over) this.db.run('delete from state where name = ?', [QUARANTINED + what])
    return over.length > 0
  }

  /** What an image took over of entries that could not be read: their bytes are gone, and that they are missing is not. */
  recallReports(): void {
    const rows = this.db.all<[string, string]>('select name, value from state where name like ?', [`${QUARANTINED}%`])
    for (const [name, reason] of rows) this.quarantine.push({ what: name.slice(QUARANTINED.length), reason })
  }

  #report(what: string, reason: string): void {
    if (this.quarantine.some(each => each.what === what)) return
    this.quarantine.push({ what, reason })
    this.db.run('insert or replace into state (name, value) values (?, ?)', [QUARANTINED + what, reason])
  }
}

/** Names of rows in `state` that keep what was reported. */
const QUARANTINED = 'quarantine: '

/** The numbers of the entries that a report is about; undefined where it is about something else. */
function seqsIn(what: string): number[] | undefined {
  const found = /^(?:entry (\d+)|entries (\d+) to (\d+))$/u.exec(what)
  if (found === null) return undefined
  const first = Number(found[1] ?? found[2])
  return Array.from({ length: Number(found[1] ?? found[3]) - first + 1 }, (_, i) => first + i)
}

function itemsOf(items: readonly EntryItem[]): TenantRecord[] {
  return items.flatMap(({ tenant, records }) => records.map(record => ({ tenant, record })))
}

/** Images from elsewhere, for a store of which no generation can be read, or that went back in time. */
export interface SpareImages {
  /** Is there one of a later head than this? */
  isAhead(head: number): Promise<boolean>
  load(): Promise<LoadedImage | undefined>
}

/**
 * @param spare asked when no generation can be read, and when one of theirs is ahead of the journal
 * @param openDb makes a database from the bytes of a SQLite file, or an empty one
 * @throws {MemoryError} STORE_CORRUPT when no generation can be read
 */
export async function openReplica(
  journal: Journal,
  openDb: (image?: Uint8Array) => SqlDatabase,
  observe: (clock: string) => void,
  spare?: SpareImages,
): Promise<Replica> {
  for (let attempt = 0; attempt < OPEN_ATTEMPTS; attempt++) {
    const before = await journal.state()
    const damage: Damage[] = []
    const own = (await spare?.isAhead(before.head)) === true ? undefined : await loadImage(journal, before, damage)
    const theirs = own === undefined ? await spare?.load() : undefined
    // What is not ahead after all may only stand in for an image that should be there.
    const isOfUse = theirs !== undefined && (theirs.head > before.head || before.generation > 0)
    const image = own ?? (isOfUse ? theirs : undefined) ?? (await loadImage(journal, before, damage))
    const tail = await journal.read(image?.head ?? 0)
    const after = await journal.state()
    if (after.generation !== before.generation || after.deltas !== before.deltas) continue
    if (image === undefined && before.generation > 0)
      throw new MemoryError('STORE_CORRUPT', 'No generation of the store can be read', { damage })
    const replica = new Replica(openDb(image?.bytes), image)
    migrate(replica.db)
    replica.isFromSpare = image !== undefined && image === theirs
    replica.quarantine.push(...damage, ...((await journal.damage?.()) ?? []))
    replica.recallReports()
    observeStored(replica.db, observe)
    replica.apply(tail, observe)
    // What was stored before the entries were read, and no more: the rest has not been read yet.
    replica.skipTo(before.head)
    return replica
  }
  throw new MemoryError('STORE_UNAVAILABLE', 'The store changed under every attempt to open it', { reason: 'busy' })
}

/** The image of the current generation, or of the one before where that is damaged. */
async function loadImage(journal: Journal, { generation }: JournalState, damage: Damage[]): Promise<LoadedImage | undefined> {
  for (const candidate of [generation, generation - 1]) {
    if (candidate < 1) return undefined
    const stored = await journal.image(candidate)
    if (stored === undefined) {
      damage.push({ what: `generation ${candidate}`, reason: 'not there' })
      continue
    }
    const image = decodeImage(stored)
    if ('reason' in image) {
      damage.push({ what: `generation ${candidate}`, reason: image.reason })
      continue
    }
    damage.push(...image.damaged.map(reason => ({ what: `generation ${candidate}`, reason })))
    return image
  }
  return undefined
}

/** The clock must be past everything that the image holds. */
function observeStored(db: SqlDatabase, observe: (clock: string) => void): void {
  for (const table of ['episode', 'assertion', 'decision', 'extraction', 'schema_version', 'erasure', 'tenant_key']) {
    const row = db.first<[string | null]>(`select max(clock) from ${table}`)
    if (row?.[0] != null) observe(row[0])
  }
}
