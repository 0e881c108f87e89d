/** A journal whose calls go wrong as the test says. */
import {
  createClient,
  localTransport,
  MemoryError,
  MemoryJournal,
  openService,
  type AppendOutcome,
  type BaseWrite,
  type DeltaWrite,
  type Journal,
  type JournalState,
  type Memory,
  type StoredEntry,
  type StoredImage,
} from '../../src/index.ts'

/**
 * `before`: nothing is stored, and it throws. `after`: it is stored, and it throws. `collision`: it claims that another
 * replica was first.
 */
export type Fault = 'before' | 'after' | 'collision'
export type Method = 'append' | 'state' | 'read' | 'image' | 'saveDelta' | 'saveBase' | 'dropBefore'

export class FailingJournal extends MemoryJournal {
  /** Asked at every call; undefined lets it pass. */
  fault: (method: Method) => Fault | undefined = () => undefined

  override append(entries: readonly StoredEntry[]): Promise<AppendOutcome> {
    return this.#meet('append', () => super.append(entries))
  }
  override state(): Promise<JournalState> {
    return this.#meet('state', () => super.state())
  }
  override read(after: number): Promise<readonly StoredEntry[]> {
    return this.#meet('read', () => super.read(after))
  }
  override image(generation?: number): Promise<StoredImage | undefined> {
    return this.#meet('image', () => super.image(generation))
  }
  override saveDelta(delta: DeltaWrite): Promise<boolean> {
    return this.#meet('saveDelta', () => super.saveDelta(delta))
  }
  override saveBase(base: BaseWrite): Promise<boolean> {
    return this.#meet('saveBase', () => super.saveBase(base))
  }
  override dropBefore(generation: number, dropUpTo: number): Promise<void> {
    return this.#meet('dropBefore', () => super.dropBefore(generation, dropUpTo))
  }

  async #meet<T>(method: Method, run: () => Promise<T>): Promise<T> {
    const fault = this.fault(method)
    const writes = method === 'append' || method.startsWith('save') || method.startsWith('drop')
    if (fault === 'collision' && method === 'append') return 'collision' as T
    if (fault === 'before')
      throw writes
        ? new MemoryError('NOT_STORED', 'The disk is full', { reason: 'quota' })
        : new MemoryError('STORE_UNAVAILABLE', 'The connection was lost', { reason: 'lost' })
    const result = await run()
    if (fault === 'after') throw new MemoryError('NOT_STORED', 'The answer was lost', { reason: 'lost', outcome: 'unknown' })
    return result
  }
}

export async function openOn(journal: Journal, now?: () => number): Promise<Memory> {
  return createClient(localTransport(await openService({ journal, ...(now === undefined ? {} : { now }) })))
}
