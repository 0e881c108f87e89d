/** A journal that hands what it stored to a mirror. Its contract is that of the journal below. */
import { MemoryError } from '../errors.ts'
import { JournalOver } from '../journal/journal-over.ts'
import type { AppendOutcome, BaseWrite, Journal, StoredEntry } from '../journal/port.ts'
import type { Mirror } from './mirror.ts'

/** How long `close` waits for the mirror, ms: the journal has everything, and the next open levels the mirror. */
const CLOSE_MS = 5000

export interface MirroredJournalOptions {
  /**
   * `append` settles only when the mirror has flushed the entries too. Where the mirror fails, the entries that met the
   * failure are in the journal and count; later ones are refused until it works again.
   */
  readonly wait: boolean
}

export class MirroredJournal extends JournalOver {
  readonly #mirror: Mirror
  readonly #wait: boolean
  /** The last base that was saved and not yet read back. */
  #unverified: BaseWrite | undefined

  constructor(inner: Journal, mirror: Mirror, { wait }: MirroredJournalOptions) {
    super(inner)
    this.#mirror = mirror
    this.#wait = wait
  }

  override async append(entries: readonly StoredEntry[]): Promise<AppendOutcome> {
    if (this.#wait && this.#mirror.failure !== undefined) {
      // Nothing, to see whether it works again.
      await this.#mirror.log([], { flush: true })
      const reason = this.#mirror.failure
      if (reason !== undefined)
        throw new MemoryError('NOT_STORED', `The mirror cannot be written: ${reason}`, { reason: 'mirror' })
    }
    const outcome = await this.inner.append(entries)
    if (outcome !== 'appended' || entries.length === 0) return outcome
    const mirrored = this.#mirror.log(entries, { flush: this.#wait })
    if (this.#wait) await mirrored
    return outcome
  }

  override async saveBase(base: BaseWrite): Promise<boolean> {
    const saved = await this.inner.saveBase(base)
    this.#unverified = saved ? base : undefined
    return saved
  }

  /** The caller has read the base back: now it may stand for the entries in it. */
  override async dropBefore(generation: number, dropUpTo: number, quarantineToo?: boolean): Promise<void> {
    await this.inner.dropBefore(generation, dropUpTo, quarantineToo)
    const base = this.#unverified
    if (base?.generation !== generation) return
    this.#unverified = undefined
    void this.#mirror.writeBase(base)
  }

  override async close(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const patience = new Promise<void>(resolve => {
      timer = setTimeout(resolve, CLOSE_MS)
    })
    await Promise.race([this.#mirror.close(), patience])
    clearTimeout(timer)
    await this.inner.close()
  }
}
