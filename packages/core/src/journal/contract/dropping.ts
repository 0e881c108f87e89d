/** What goes, and above all what stays: entries that no image holds, and the current generation. */
import type { Journal } from '../port.ts'
import type { ContractApi, WithJournal } from './harness.ts'
import { beforeAndAfter, bytesOf, entries, entry, seqsAfter, textsAfter } from './harness.ts'

export function describeDropping(withJournal: WithJournal, { expect }: ContractApi): void {
  const threeGenerations = async (journal: Journal): Promise<void> => {
    for (const generation of [1, 2, 3]) {
      const last = generation * 4
      await journal.append(entries(last - 3, last))
      await journal.saveBase({ generation, segments: [bytesOf(`base ${generation}`)], floor: last - 1 })
      await journal.saveDelta({ generation, n: 1, bytes: bytesOf(`delta ${generation}`), floor: last })
    }
    await journal.append(entries(13, 14))
  }
  const generations = async (journal: Journal): Promise<number[]> => {
    const images = await Promise.all([1, 2, 3, 4].map(generation => journal.image(generation)))
    return images.flatMap(image => (image ? [image.generation] : []))
  }

  withJournal('dropBefore deletes older generations and the entries asked for', async ({ journal, reopen }) => {
    await threeGenerations(journal)
    expect(await generations(journal)).toEqual([1, 2, 3])
    await journal.dropBefore(2, 6)
    for await (const from of beforeAndAfter(journal, reopen)) {
      expect(await generations(from)).toEqual([2, 3])
      expect(await seqsAfter(from, 0)).toEqual([7, 8, 9, 10, 11, 12, 13, 14])
      expect(await from.state()).toEqual({ head: 14, floor: 12, generation: 3, deltas: 1 })
    }
    const again = await reopen()
    await again.dropBefore(3, 12)
    expect(await generations(again)).toEqual([3])
    expect(await seqsAfter(again, 0)).toEqual([13, 14])
    expect(await textsAfter(again, 0)).toEqual(['entry 13', 'entry 14'])
  })

  withJournal('dropBefore twice, or with nothing to do, changes nothing', async ({ journal }) => {
    await journal.dropBefore(0, 0)
    await threeGenerations(journal)
    await journal.dropBefore(3, 12)
    await journal.dropBefore(3, 12)
    await journal.dropBefore(1, 2)
    expect(await generations(journal)).toEqual([3])
    expect(await seqsAfter(journal, 0)).toEqual([13, 14])
  })

  withJournal(
    'the current generation and the entries above the floor stay, whatever is asked for',
    async ({ journal, reopen }) => {
      await journal.append(entries(1, 2))
      await journal.dropBefore(9, 2)
      expect(await seqsAfter(journal, 0)).toEqual([1, 2])
      await journal.append(entries(3, 4))
      await journal.saveBase({ generation: 1, segments: [bytesOf('base')], floor: 1 })
      await journal.saveDelta({ generation: 1, n: 1, bytes: bytesOf('delta'), floor: 2 })
      expect(await seqsAfter(journal, 0)).toEqual([1, 2, 3, 4])
      await journal.dropBefore(99, 99)
      for await (const from of beforeAndAfter(journal, reopen)) {
        expect(await from.state()).toEqual({ head: 4, floor: 2, generation: 1, deltas: 1 })
        expect(await seqsAfter(from, 0)).toEqual([3, 4])
        expect(await generations(from)).toEqual([1])
      }
    },
  )

  withJournal('appending goes on after entries were dropped, across restarts', async ({ journal, reopen }) => {
    await journal.append(entries(1, 5))
    await journal.saveBase({ generation: 1, segments: [bytesOf('base')], floor: 3 })
    await journal.dropBefore(1, 2)
    expect(await journal.append([entry(6)])).toBe('appended')
    const again = await reopen()
    expect(await again.append([entry(7)])).toBe('appended')
    await again.saveDelta({ generation: 1, n: 1, bytes: bytesOf('delta'), floor: 6 })
    await again.dropBefore(1, 3)
    expect(await again.append([entry(8)])).toBe('appended')
    expect(await textsAfter(await reopen(), 0)).toEqual(['entry 4', 'entry 5', 'entry 6', 'entry 7', 'entry 8'])
  })
}
