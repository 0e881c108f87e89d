/** Two replicas that open a store for the first time at one moment: whoever is first makes its keys, and both work with them. */
import { expect, test } from 'vitest'
import { createClient } from '../../src/client.ts'
import { MemoryJournal, MemoryStore } from '../../src/journal/memory-journal.ts'
import type { JournalMetaKey, StoredKeyring } from '../../src/journal/port.ts'
import { localTransport } from '../../src/local-transport.ts'
import type { Memory } from '../../src/memory.ts'
import { MemoryFiles, MemoryPlace } from '../../src/mirror/memory-place.ts'
import { openService } from '../../src/service.ts'

/** Something happens when the store has been looked for the first time, before the answer is there. */
class SlowJournal extends MemoryJournal {
  override readonly engine = 'indexeddb' as unknown as 'memory'
  /** What is looked for: the id of the store, then its keys. */
  slow: 'id' | 'keys' | undefined
  meanwhile: () => Promise<void> = () => Promise.resolve()

  override async getMeta(key: JournalMetaKey): Promise<string | undefined> {
    return this.#after('id', await super.getMeta(key))
  }

  override async readKeyring(): Promise<StoredKeyring | undefined> {
    return this.#after('keys', await super.readKeyring())
  }

  async #after<T>(step: 'id' | 'keys', found: T): Promise<T> {
    if (this.slow === step) {
      this.slow = undefined
      await this.meanwhile()
    }
    return found
  }
}

interface Opening {
  readonly slow: 'id' | 'keys'
  meanwhile(): Promise<void>
}

async function open(store: MemoryStore, files: MemoryFiles, opening?: Opening): Promise<Memory> {
  const journal = Object.assign(new SlowJournal(store), opening)
  return createClient(localTransport(await openService({ journal, mirror: new MemoryPlace(files) })))
}

const say = (memory: Memory, attribute: string): Promise<unknown> =>
  memory.tenant('home').assert({ subject: 'me', attribute, value: 1 })

test.each([
  ['its id', 'has opened it', 'id', false],
  ['its id', 'has opened it and written', 'id', true],
  ['its keys', 'has opened it', 'keys', false],
  ['its keys', 'has opened it and written', 'keys', true],
] as const)('one looks for %s, and meanwhile the other %s: neither loses what it writes', async (_, __, slow, writes) => {
  const [store, files] = [new MemoryStore(), new MemoryFiles()]
  let first: Memory | undefined
  const meanwhile = async (): Promise<void> => {
    first = await open(store, files)
    if (writes) await say(first, 'before')
  }
  const second = await open(store, files, { slow, meanwhile })
  if (!first) throw new Error('it was not opened')
  await say(first, 'first')
  await say(second, 'second')
  const third = await open(store, files)
  for (const memory of [first, second, third]) {
    // So that it reads the journal again.
    await memory.checkpoint()
    const { quarantine, restored } = await memory.health()
    expect({ quarantine, restored }).toEqual({ quarantine: [], restored: undefined })
    const attributes = (await memory.tenant('home').facts()).facts.map(fact => fact.attribute)
    expect(attributes).toEqual(writes ? ['before', 'first', 'second'] : ['first', 'second'])
  }
})
