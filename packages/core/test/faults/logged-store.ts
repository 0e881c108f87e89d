/** A store in memory that writes down what was really appended, whatever anybody was told about it. */
import { MemoryJournal, MemoryStore, type AppendOutcome, type Journal, type StoredEntry } from '../../src/index.ts'

export class LoggedStore extends MemoryStore {
  /** Its journals pass for ones that keep what they are given: what they are given is encrypted then. */
  readonly keeps: boolean
  /** Every entry in its order, those that were folded into an image since included. */
  readonly log: StoredEntry[] = []

  constructor(keeps = false) {
    super()
    this.keeps = keeps
  }
}

export class LoggedJournal extends MemoryJournal {
  readonly #log: StoredEntry[]

  constructor(store: LoggedStore) {
    super(store)
    this.#log = store.log
  }

  override async append(entries: readonly StoredEntry[]): Promise<AppendOutcome> {
    const outcome = await super.append(entries)
    if (outcome === 'appended') this.#log.push(...entries)
    return outcome
  }
}

export function journalOf(store: LoggedStore): Journal {
  const journal = new LoggedJournal(store)
  if (!store.keeps) return journal
  return new Proxy<Journal>(journal, {
    get: (target, name) => {
      if (name === 'engine') return 'directory'
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === 'function' ? (...args: unknown[]): unknown => Reflect.apply(member, target, args) : member
    },
  })
}
