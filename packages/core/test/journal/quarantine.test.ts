/** What was lost with an entry is said for as long as it is missing, and no longer. */
import { expect, test } from 'vitest'
import { createClient } from '../../src/client.ts'
import { MemoryJournal, MemoryStore } from '../../src/journal/memory-journal.ts'
import { localTransport } from '../../src/local-transport.ts'
import type { Memory } from '../../src/memory.ts'
import { MemoryFiles, MemoryPlace } from '../../src/mirror/memory-place.ts'
import { openService } from '../../src/service.ts'

const COMMITS = 5

async function open(store: MemoryStore, mirror?: MemoryPlace): Promise<Memory> {
  const options = { journal: new MemoryJournal(store), atRest: { kind: 'device' } as const, ...(mirror && { mirror }) }
  return createClient(localTransport(await openService(options)))
}

async function write(memory: Memory, first: number, count: number): Promise<void> {
  for (let n = first; n < first + count; n += 1)
    await memory.tenant('home').assert({ subject: 'mira', attribute: `a${n}`, value: n })
}

function damage({ entries }: MemoryStore, seq: number): void {
  const bytes = (entries.get(seq) as Uint8Array).slice()
  bytes[bytes.length - 5] = (bytes.at(-5) as number) ^ 1
  entries.set(seq, bytes)
}

async function found(memory: Memory): Promise<{ reported: readonly string[]; facts: number }> {
  const { facts } = await memory.tenant('home').facts()
  return { reported: (await memory.health()).quarantine.map(({ what }) => what), facts: facts.length }
}

test.each([
  ['a damaged entry', (store: MemoryStore) => damage(store, 3), 'entry 3', 4],
  ['entries that are gone', (store: MemoryStore) => [2, 3].forEach(seq => store.entries.delete(seq)), 'entries 2 to 3', 3],
])('%s: is reported by every opening, also when an image has taken its place', async (_, strike, what, facts) => {
  const store = new MemoryStore()
  const memory = await open(store)
  await write(memory, 1, COMMITS)
  await memory.close()
  strike(store)
  for (let opening = 1; opening <= 4; opening += 1) {
    const again = await open(store)
    expect(await found(again), `opening ${opening}`).toEqual({ reported: [what], facts: facts + (opening - 1) })
    await write(again, 100 * opening, 1)
    await again.checkpoint()
    expect((await again.health()).floor).toBe(COMMITS + opening)
    await again.close()
  }
})

test('what comes back from the mirror is not reported by the next opening', async () => {
  const [store, files] = [new MemoryStore(), new MemoryFiles()]
  const memory = await open(store, new MemoryPlace(files))
  await write(memory, 1, COMMITS)
  await memory.close()
  damage(store, 3)
  // Opened without its mirror it can only say so.
  const without = await open(store)
  expect(await found(without)).toEqual({ reported: ['entry 3'], facts: 4 })
  await without.checkpoint()
  await without.close()
  const again = await open(store, new MemoryPlace(files))
  // This opening says what it found.
  await expect.poll(() => found(again)).toEqual({ reported: ['entry 3'], facts: COMMITS })
  await again.checkpoint()
  await again.close()
  expect(await found(await open(store, new MemoryPlace(files)))).toEqual({ reported: [], facts: COMMITS })
})
