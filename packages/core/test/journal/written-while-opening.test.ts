/** Something is written while a replica opens, after it has read the entries: it is not missing, it comes next. */
import { expect, test } from 'vitest'
import { createClient } from '../../src/client.ts'
import { MemoryJournal, MemoryStore } from '../../src/journal/memory-journal.ts'
import type { StoredEntry } from '../../src/journal/port.ts'
import { localTransport } from '../../src/local-transport.ts'
import type { Memory } from '../../src/memory.ts'
import { openService } from '../../src/service.ts'

/** Hears nothing, and is slow once it has read the entries. */
class SlowReader extends MemoryJournal {
  afterwards: (() => Promise<unknown>) | undefined

  override subscribe(): () => void {
    return () => {}
  }

  override async read(after: number): Promise<readonly StoredEntry[]> {
    const entries = await super.read(after)
    const { afterwards } = this
    this.afterwards = undefined
    await afterwards?.()
    return entries
  }
}

async function open(journal: MemoryJournal): Promise<Memory> {
  return createClient(localTransport(await openService({ journal })))
}

const say = (memory: Memory, attribute: string): Promise<unknown> =>
  memory.tenant('home').assert({ subject: 'me', attribute, value: 1 })

test.each([false, true])('folded in before: %s', async folded => {
  const store = new MemoryStore()
  const writer = await open(new MemoryJournal(store))
  await say(writer, 'a')
  if (folded) await writer.checkpoint()
  const journal = new SlowReader(store)
  journal.afterwards = () => say(writer, 'b')
  const reader = await open(journal)
  await say(reader, 'c')
  const { quarantine, head } = await reader.health()
  expect({ quarantine, head }).toEqual({ quarantine: [], head: 3 })
  const { facts } = await reader.tenant('home').facts()
  expect(facts.map(fact => fact.attribute)).toEqual(['a', 'b', 'c'])
  // Nor does it fold it away.
  await reader.checkpoint()
  const fresh = await open(new MemoryJournal(store))
  expect((await fresh.tenant('home').facts()).facts).toHaveLength(3)
})

test('it is read at once, although its news came before anybody listened', async () => {
  const store = new MemoryStore()
  const writer = await open(new MemoryJournal(store))
  await say(writer, 'a')
  const journal = new SlowReader(store)
  journal.afterwards = () => say(writer, 'b')
  const reader = await open(journal)
  expect((await reader.tenant('home').facts()).facts.map(fact => fact.attribute)).toEqual(['a', 'b'])
})
