/** A journal that does what another one does. Who adds something to a journal overrides the calls that it is about. */
import type {
  AppendOutcome,
  BaseWrite,
  Damage,
  DeltaWrite,
  Journal,
  JournalMetaKey,
  JournalNews,
  JournalState,
  StoredEntry,
  StoredImage,
  StoredKeyring,
} from './port.ts'

export class JournalOver implements Journal {
  protected readonly inner: Journal

  constructor(inner: Journal) {
    this.inner = inner
  }

  get engine(): Journal['engine'] {
    return this.inner.engine
  }

  state(): Promise<JournalState> {
    return this.inner.state()
  }

  append(entries: readonly StoredEntry[]): Promise<AppendOutcome> {
    return this.inner.append(entries)
  }

  read(after: number): Promise<readonly StoredEntry[]> {
    return this.inner.read(after)
  }

  image(generation?: number): Promise<StoredImage | undefined> {
    return this.inner.image(generation)
  }

  saveDelta(delta: DeltaWrite): Promise<boolean> {
    return this.inner.saveDelta(delta)
  }

  saveBase(base: BaseWrite): Promise<boolean> {
    return this.inner.saveBase(base)
  }

  dropBefore(generation: number, dropUpTo: number, quarantineToo?: boolean): Promise<void> {
    return this.inner.dropBefore(generation, dropUpTo, quarantineToo)
  }

  getMeta(key: JournalMetaKey): Promise<string | undefined> {
    return this.inner.getMeta(key)
  }

  initMeta(key: JournalMetaKey, value: string): Promise<string> {
    return this.inner.initMeta(key, value)
  }

  readKeyring(): Promise<StoredKeyring | undefined> {
    return this.inner.readKeyring()
  }

  writeKeyring(keyring: StoredKeyring): Promise<boolean> {
    return this.inner.writeKeyring(keyring)
  }

  async damage(): Promise<readonly Damage[]> {
    return (await this.inner.damage?.()) ?? []
  }

  sizeBytes(): Promise<number> {
    return this.inner.sizeBytes()
  }

  announce(news: JournalNews): void {
    this.inner.announce(news)
  }

  subscribe(listener: (news: JournalNews) => void): () => void {
    return this.inner.subscribe(listener)
  }

  close(): Promise<void> {
    return this.inner.close()
  }
}
