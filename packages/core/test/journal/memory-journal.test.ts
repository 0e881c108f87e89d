import { describe, expect, test } from 'vitest'
import { describeJournal } from '../../src/journal/contract.ts'
import { MemoryJournal, MemoryStore } from '../../src/journal/memory-journal.ts'

const open = () => {
  const store = new MemoryStore()
  const replicas = [new MemoryJournal(store)]
  const another = (): MemoryJournal => {
    const replica = new MemoryJournal(store)
    replicas.push(replica)
    return replica
  }
  const closeAll = async (): Promise<void> => {
    for (const replica of replicas) await replica.close()
  }
  return Promise.resolve({
    journal: replicas[0]!,
    second: () => Promise.resolve(another()),
    reopen: async () => {
      await closeAll()
      return another()
    },
    cleanup: closeAll,
  })
}

describeJournal('MemoryJournal', { open }, { describe, test, expect })

test('journals with no common store have nothing in common', async () => {
  const one = new MemoryJournal()
  const other = new MemoryJournal()
  await one.append([{ seq: 1, bytes: Uint8Array.of(1) }])
  expect(await other.read(0)).toEqual([])
})

test('a base without a segment is refused', async () => {
  await expect(new MemoryJournal().saveBase({ generation: 1, segments: [], floor: 0 })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    details: { field: 'segments' },
  })
})
