/** The journal of a page: one IndexedDB database a store, shared by the workers of all its tabs. */
import { MemoryError } from '@palimpsest/core'
import type {
  AppendOutcome,
  BaseWrite,
  DeltaWrite,
  Journal,
  JournalMetaKey,
  JournalNews,
  JournalState,
  StoredEntry,
  StoredImage,
  StoredKeyring,
} from '@palimpsest/core'
import { append, gap } from './append.ts'
import { databaseName } from './database-name.ts'
import { StoreDatabase } from './database.ts'
import { dropBefore, loadImage, loadImageApart, saveBase, saveDelta } from './images.ts'
import { entriesSize } from './entries-size.ts'
import { keyringSize, readKeyring, writeKeyring } from './keyring.ts'
import { NewsChannel } from './news-channel.ts'
import { orApart, readRows } from './read-rows.ts'
import { BASE, DELTA, JOURNAL, META, entryRow, imageState } from './rows.ts'
import type { MetaRow } from './rows.ts'
import { Transactions } from './transactions.ts'
import { Turn } from './turn.ts'

export interface IndexedDbJournalOptions {
  /** `strict` (default): acknowledged after the browser flushed to disk. `relaxed`: after it handed over to the system. */
  readonly durability?: 'strict' | 'relaxed'
  /** How long to wait for the database to open, in ms. Default 10,000. */
  readonly openTimeoutMs?: number
  /** How long to wait for one transaction, in ms. Default 30,000. */
  readonly transactionTimeoutMs?: number
}

/**
 * Opens the journal of the store `name`, and creates it where there is none.
 *
 * @throws {MemoryError} STORE_UNAVAILABLE when there is no IndexedDB, it refuses (private windows), a deletion is
 *   pending (`details.reason: 'blocked'`), or newer code wrote the store.
 */
export async function openIndexedDbJournal(name: string, options: IndexedDbJournalOptions = {}): Promise<Journal> {
  const { durability = 'strict', openTimeoutMs = 10_000, transactionTimeoutMs: timeoutMs = 30_000 } = options
  const database = new StoreDatabase(name, openTimeoutMs)
  await database.connection()
  return new IndexedDbJournal(databaseName(name), database, new Transactions(database, { durability, timeoutMs }))
}

class IndexedDbJournal implements Journal {
  readonly engine = 'indexeddb'
  readonly #database: StoreDatabase
  readonly #transactions: Transactions
  readonly #news: NewsChannel
  readonly #turn: Turn
  /** The highest entry, or floor, that was stored when this connection last looked. */
  #seenUpTo = 0
  #closed = false

  constructor(channel: string, database: StoreDatabase, transactions: Transactions) {
    this.#database = database
    this.#transactions = transactions
    this.#news = new NewsChannel(channel)
    this.#turn = new Turn(channel)
    this.#news.subscribe(() => this.#turn.sawRival())
  }

  state(): Promise<JournalState> {
    return this.#transactions.read([JOURNAL, META], tx => {
      const image = tx.objectStore(META).get('image')
      const last = tx.objectStore(JOURNAL).openKeyCursor(null, 'prev')
      return () => {
        const { generation, deltas, floor } = imageState(image.result)
        const head = Math.max(floor, Number(last.result?.key ?? 0))
        this.#saw(head)
        return { head, floor, generation, deltas }
      }
    })
  }

  async append(entries: readonly StoredEntry[]): Promise<AppendOutcome> {
    const first = entries[0]?.seq
    if (first === undefined) return 'appended'
    if (entries.some((entry, i) => entry.seq !== first + i)) throw gap(first)
    const rows = entries.map(entryRow)
    const write = (): Promise<AppendOutcome> =>
      this.#transactions.write([JOURNAL, META], (tx, control) => append(tx, control, rows, first, this.#seenUpTo))
    const outcome = await this.#turn.run(write, done => done === 'collision')
    if (outcome === 'appended') this.#saw(first + rows.length - 1)
    // Who wins every time hears of nobody, and would never take turns: what is there already tells it of this one.
    else if (outcome === 'collision') this.announce({ head: first })
    return outcome
  }

  async read(after: number): Promise<readonly StoredEntry[]> {
    const rows = await readRows<StoredEntry>(this.#transactions, JOURNAL, IDBKeyRange.lowerBound(after, true))
    const found = rows.filter(row => row !== undefined)
    this.#saw(found.at(-1)?.seq ?? 0)
    return found
  }

  image(generation?: number): Promise<StoredImage | undefined> {
    return orApart(
      () => this.#transactions.read([BASE, DELTA, META], tx => loadImage(tx, generation)),
      async () => loadImageApart(this.#transactions, generation ?? (await this.state()).generation),
    )
  }

  saveDelta(delta: DeltaWrite): Promise<boolean> {
    return this.#transactions.write([DELTA, META], (tx, control) => saveDelta(tx, control, delta))
  }

  async saveBase(base: BaseWrite): Promise<boolean> {
    if (base.segments.length === 0) {
      throw new MemoryError('INVALID_ARGUMENT', 'A base has at least one segment', { field: 'segments' })
    }
    return this.#transactions.write([BASE, META], (tx, control) => saveBase(tx, control, base))
  }

  dropBefore(generation: number, dropUpTo: number): Promise<void> {
    return this.#transactions.write([JOURNAL, BASE, DELTA, META], tx => dropBefore(tx, generation, dropUpTo))
  }

  getMeta(key: JournalMetaKey): Promise<string | undefined> {
    return this.#transactions.read([META], tx => {
      const row = tx.objectStore(META).get(key)
      return () => (row.result as MetaRow | undefined)?.value as string | undefined
    })
  }

  initMeta(key: JournalMetaKey, value: string): Promise<string> {
    return this.#transactions.write([META], tx => {
      const meta = tx.objectStore(META)
      let there = value
      const row = meta.get(key)
      row.onsuccess = () => {
        const stored = (row.result as MetaRow | undefined)?.value as string | undefined
        if (stored === undefined) meta.add({ key, value })
        else there = stored
      }
      return () => there
    })
  }

  readKeyring(): Promise<StoredKeyring | undefined> {
    return readKeyring(this.#transactions)
  }

  writeKeyring(keyring: StoredKeyring): Promise<boolean> {
    return this.#transactions.write([META], (tx, control) => writeKeyring(tx, control, keyring))
  }

  /** Bases, deltas, entries and keyring as they were given; what the browser's own files add or compress is not known. */
  sizeBytes(): Promise<number> {
    const sizeWith = (entriesOf: (tx: IDBTransaction) => () => number): Promise<number> =>
      this.#transactions.read([JOURNAL, META], (tx, control) => {
        const image = tx.objectStore(META).get('image')
        const keyring = keyringSize(tx, control)
        const entries = entriesOf(tx)
        return () => {
          const images = Object.values(imageState(image.result).sizesBytes).reduce((sum, size) => sum + size, 0)
          return images + entries() + keyring()
        }
      })
    return orApart(
      () => sizeWith(entriesSize),
      async () => {
        const entries = await this.read(0)
        const sizeBytes = entries.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
        return sizeWith(() => () => sizeBytes)
      },
    )
  }

  announce(news: JournalNews): void {
    if (!this.#closed) this.#news.announce(news)
  }

  subscribe(listener: (news: JournalNews) => void): () => void {
    return this.#news.subscribe(listener)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#transactions.close()
    this.#turn.end()
    this.#news.close()
    this.#database.close()
  }

  #saw(seq: number): void {
    this.#seenUpTo = Math.max(this.#seenUpTo, seq)
  }
}
