/** Entries that a replica is about to read are folded in and dropped: it opens the image that has them, and misses nothing. */
import { expect, test } from 'vitest'
import { createClient } from '../../src/client.ts'
import { MemoryJournal, MemoryStore } from '../../src/journal/memory-journal.ts'
import type { StoredEntry } from '../../src/journal/port.ts'
import { localTransport } from '../../src/local-transport.ts'
import type { Memory } from '../../src/memory.ts'
import { openService } from '../../src/service.ts'

/** Hears nothing, and is slow between asking where the journal stands and reading it. */
class SlowReader extends MemoryJournal {
  before: (() => Promise<void>) | undefined

  override subscribe(): () => void {
    return () => {}
  }

  override async read(after: number): Promise<readonly StoredEntry[]> {
    const { before } = this
    this.before = undefined
    await before?.()
    return super.read(after)
  }
}

interface Opened {
  readonly memory: Memory
  /** Reads the journal, and changes nothing. */
  refresh(): Promise<void>
}

async function open(journal: MemoryJournal): Promise<Opened> {
  const service = await openService({ journal })
  return { memory: createClient(localTransport(service)), refresh: () => service.refresh() }
}

const say = (memory: Memory, attribute: string): Promise<unknown> =>
  memory.tenant('home').assert({ subject: 'me', attribute, value: 1 })

async function attributes(memory: Memory): Promise<string[]> {
  return (await memory.tenant('home').facts()).facts.map(fact => fact.attribute)
}

test.each([0, 1])('and %i more written after them', async more => {
  const store = new MemoryStore()
  const journal = new SlowReader(store)
  const { memory: reader, refresh } = await open(journal)
  const { memory: writer } = await open(new MemoryJournal(store))
  for (const name of ['a', 'b', 'c']) await say(writer, name)
  journal.before = async () => {
    await writer.checkpoint()
    expect(store.entries.size).toBe(0)
    for (let n = 0; n < more; n++) await say(writer, `d${n}`)
  }
  await refresh()
  expect(journal.before).toBe(undefined)
  expect(await attributes(reader)).toEqual(['a', 'b', 'c', ...(more > 0 ? ['d0'] : [])])
  await say(reader, 'e')
  expect(await attributes(reader)).toEqual(['a', 'b', 'c', ...(more > 0 ? ['d0'] : []), 'e'])
  expect((await reader.health()).quarantine).toEqual([])
})
