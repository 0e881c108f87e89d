/** The journal that keeps nothing: for `ephemeral: true`, and for tests of several replicas in one process. */
import { MemoryError } from '../errors.ts'
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
} from './port.ts'

interface Generation {
  readonly segments: readonly Uint8Array[]
  readonly deltas: Uint8Array[]
}

/** What the replicas of one store share: give the same one to several journals. It lasts as long as the object. */
export class MemoryStore {
  readonly entries: Map<number, Uint8Array> = new Map()
  readonly generations: Map<number, Generation> = new Map()
  readonly meta: Map<JournalMetaKey, string> = new Map()
  readonly listeners: Map<(news: JournalNews) => void, MemoryJournal> = new Map()
  keyring: StoredKeyring | undefined
  generation: number = 0
  floor: number = 0

  get head(): number {
    let head = this.floor
    for (const seq of this.entries.keys()) head = Math.max(head, seq)
    return head
  }

  dropEntries(upTo: number): void {
    for (const seq of this.entries.keys()) if (seq <= Math.min(upTo, this.floor)) this.entries.delete(seq)
  }
}

/** One replica of a MemoryStore. A call takes effect at a single moment, between those of the other replicas. */
export class MemoryJournal implements Journal {
  readonly engine = 'memory'
  readonly #store: MemoryStore
  #closed = false

  constructor(store: MemoryStore = new MemoryStore()) {
    this.#store = store
  }

  state(): Promise<JournalState> {
    return this.#turn(({ head, floor, generation, generations }) => {
      return { head, floor, generation, deltas: generations.get(generation)?.deltas.length ?? 0 }
    })
  }

  append(entries: readonly StoredEntry[]): Promise<AppendOutcome> {
    return this.#turn(store => {
      const first = entries[0]
      if (!first) return 'appended'
      if (entries.some(({ seq }, i) => seq !== first.seq + i)) throw gap(first.seq)
      if (first.seq <= store.floor) return 'behind'
      const { head } = store
      if (first.seq <= head) return 'collision'
      if (first.seq > head + 1) throw gap(first.seq)
      for (const { seq, bytes } of entries) store.entries.set(seq, bytes.slice())
      return 'appended'
    })
  }

  read(after: number): Promise<readonly StoredEntry[]> {
    return this.#turn(({ entries }) =>
      [...entries.keys()]
        .filter(seq => seq > after)
        .toSorted((a, b) => a - b)
        .map(seq => ({ seq, bytes: copy(entries.get(seq)) })),
    )
  }

  image(generation?: number): Promise<StoredImage | undefined> {
    return this.#turn(store => {
      const wanted = generation ?? store.generation
      const image = store.generations.get(wanted)
      return image && { generation: wanted, segments: image.segments.map(copy), deltas: image.deltas.map(copy) }
    })
  }

  saveDelta({ generation, n, bytes, floor }: DeltaWrite): Promise<boolean> {
    return this.#turn(store => {
      const image = store.generations.get(generation)
      if (!image || generation !== store.generation || n !== image.deltas.length + 1 || floor < store.floor) return false
      image.deltas.push(bytes.slice())
      store.floor = floor
      return true
    })
  }

  saveBase({ generation, segments, floor }: BaseWrite): Promise<boolean> {
    return this.#turn(store => {
      if (segments.length === 0)
        throw new MemoryError('INVALID_ARGUMENT', 'A base has at least one segment', { field: 'segments' })
      if (generation !== store.generation + 1 || floor < store.floor) return false
      store.generations.set(generation, { segments: segments.map(copy), deltas: [] })
      store.generation = generation
      store.floor = floor
      return true
    })
  }

  dropBefore(generation: number, dropUpTo: number): Promise<void> {
    return this.#turn(store => {
      const oldest = Math.min(generation, store.generation)
      for (const stored of store.generations.keys()) if (stored < oldest) store.generations.delete(stored)
      store.dropEntries(dropUpTo)
    })
  }

  getMeta(key: JournalMetaKey): Promise<string | undefined> {
    return this.#turn(({ meta }) => meta.get(key))
  }

  initMeta(key: JournalMetaKey, value: string): Promise<string> {
    return this.#turn(({ meta }) => {
      const there = meta.get(key) ?? value
      meta.set(key, there)
      return there
    })
  }

  readKeyring(): Promise<StoredKeyring | undefined> {
    return this.#turn(({ keyring }) => keyring && { revision: keyring.revision, bytes: copy(keyring.bytes) })
  }

  writeKeyring({ revision, bytes }: StoredKeyring): Promise<boolean> {
    return this.#turn(store => {
      if (revision !== (store.keyring?.revision ?? 0) + 1) return false
      store.keyring = { revision, bytes: bytes.slice() }
      return true
    })
  }

  /** Bytes of entries, images and keyring, without what the engine needs around them. */
  sizeBytes(): Promise<number> {
    return this.#turn(({ entries, generations, keyring }) => {
      const images = [...generations.values()].flatMap(({ segments, deltas }) => [...segments, ...deltas])
      const all = [...entries.values(), ...images]
      return all.reduce((sum, bytes) => sum + bytes.byteLength, keyring?.bytes.byteLength ?? 0)
    })
  }

  announce({ head, entries }: JournalNews): void {
    if (this.#closed) return
    // Copied now, and once for each listener: between tabs a message is a copy too.
    for (const [listener, replica] of this.#store.listeners) {
      if (replica === this) continue
      const news = entries ? { head, entries: entries.map(({ seq, bytes }) => ({ seq, bytes: bytes.slice() })) } : { head }
      void Promise.resolve().then(() => this.#store.listeners.has(listener) && listener(news))
    }
  }

  subscribe(listener: (news: JournalNews) => void): () => void {
    // A listener of its own for every subscription, so that stopping one does not stop another of the same function.
    const own = (news: JournalNews): void => listener(news)
    if (!this.#closed) this.#store.listeners.set(own, this)
    return () => void this.#store.listeners.delete(own)
  }

  close(): Promise<void> {
    this.#closed = true
    for (const [listener, replica] of this.#store.listeners) if (replica === this) this.#store.listeners.delete(listener)
    return Promise.resolve()
  }

  /** Not at once but in a later turn, as with every other journal: code that relies on less than the port promises fails here. */
  async #turn<T>(body: (store: MemoryStore) => T): Promise<T> {
    if (this.#closed) throw new MemoryError('CLOSED', 'The journal was closed')
    await Promise.resolve()
    return body(this.#store)
  }
}

function copy(bytes: Uint8Array | undefined): Uint8Array {
  return bytes?.slice() ?? new Uint8Array(0)
}

function gap(seq: number): MemoryError {
  return new MemoryError('NOT_STORED', `Entry ${seq} does not follow the last one in the journal`, { reason: 'gap' })
}
