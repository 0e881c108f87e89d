/** A journal whose entries, segments and deltas are sealed before the journal below sees them. Its contract is the same. */
import { JournalOver } from '../journal/journal-over.ts'
import type { AppendOutcome, BaseWrite, DeltaWrite, Journal, JournalNews, StoredEntry, StoredImage } from '../journal/port.ts'
import { isUnderDroppedKey, openBlob, sealBlob } from './sealed-blob.ts'
import type { StoreKeys } from './store-keys.ts'

export class SealedJournal extends JournalOver {
  readonly #keys: StoreKeys
  /** What was just appended, sealed: it is announced as it is stored, so that other replicas see under which key. */
  readonly #sealed = new WeakMap<Uint8Array, Uint8Array>()

  constructor(inner: Journal, keys: StoreKeys) {
    super(inner)
    this.#keys = keys
  }

  override async append(entries: readonly StoredEntry[]): Promise<AppendOutcome> {
    const sealed = await Promise.all(
      entries.map(async ({ seq, bytes }) => ({ seq, bytes: await sealBlob(this.#keys, { kind: 'entry', seq }, bytes) })),
    )
    const outcome = await this.inner.append(sealed)
    if (outcome === 'appended') for (const [i, { bytes }] of entries.entries()) this.#sealed.set(bytes, sealed[i]?.bytes ?? bytes)
    return outcome
  }

  override async read(after: number): Promise<readonly StoredEntry[]> {
    return this.openEntries(await this.inner.read(after))
  }

  /** Opens entries that were read from elsewhere; what does not open is empty. */
  async openEntries(entries: readonly StoredEntry[]): Promise<StoredEntry[]> {
    const opened: StoredEntry[] = []
    for (const { seq, bytes } of entries) opened.push({ seq, bytes: await openBlob(this.#keys, { kind: 'entry', seq }, bytes) })
    return opened
  }

  /** Without those that a base covers for certain, as their key is gone. */
  withoutCovered(entries: readonly StoredEntry[]): StoredEntry[] {
    return entries.filter(({ bytes }) => !isUnderDroppedKey(this.#keys, bytes))
  }

  override async image(generation?: number): Promise<StoredImage | undefined> {
    const stored = await this.inner.image(generation)
    return stored && this.openImage(stored)
  }

  /** Opens an image that was read from elsewhere; what does not open is empty. */
  async openImage({ generation, segments, deltas }: StoredImage): Promise<StoredImage> {
    const open = async (kind: 'segment' | 'delta', blobs: readonly Uint8Array[], from: number): Promise<Uint8Array[]> => {
      const opened: Uint8Array[] = []
      for (const [i, blob] of blobs.entries())
        opened.push(await openBlob(this.#keys, { kind, generation, index: i + from }, blob))
      return opened
    }
    return { generation, segments: await open('segment', segments, 0), deltas: await open('delta', deltas, 1) }
  }

  override async saveDelta(delta: DeltaWrite): Promise<boolean> {
    const { generation, n } = delta
    const bytes = await sealBlob(this.#keys, { kind: 'delta', generation, index: n }, delta.bytes)
    return this.inner.saveDelta({ ...delta, bytes })
  }

  override async saveBase(base: BaseWrite): Promise<boolean> {
    const { generation } = base
    const segments: Uint8Array[] = []
    for (const [index, segment] of base.segments.entries())
      segments.push(await sealBlob(this.#keys, { kind: 'segment', generation, index }, segment))
    return this.inner.saveBase({ ...base, segments })
  }

  override announce(news: JournalNews): void {
    const entries = news.entries?.map(({ seq, bytes }) => ({ seq, bytes: this.#sealed.get(bytes) }))
    const whole = entries?.every((entry): entry is StoredEntry => entry.bytes !== undefined)
    this.inner.announce(entries !== undefined && whole === true ? { ...news, entries } : { head: news.head })
  }

  override subscribe(listener: (news: JournalNews) => void): () => void {
    let listening = true
    // One after the other, so that news arrives in its order.
    let before: Promise<void> = Promise.resolve()
    const unsubscribe = this.inner.subscribe(news => {
      before = before.then(async () => {
        // What cannot be opened here is read from the journal, which also says why.
        const entries = await this.openEntries(news.entries ?? []).catch(() => [])
        const whole = entries.length > 0 && entries.every(({ bytes }) => bytes.length > 0)
        if (listening) listener(whole ? { ...news, entries } : { head: news.head })
      })
    })
    return () => {
      listening = false
      unsubscribe()
    }
  }
}
