/** Appending and reading entries: dense, never overwritten, all or none, the bytes as they were. */
import type { ContractApi, WithJournal } from './harness.ts'
import { beforeAndAfter, bytesOf, entries, entry, noise, refusal, seqsAfter, textsAfter } from './harness.ts'
import { sameBytes } from '../same-bytes.ts'

export function describeAppend(withJournal: WithJournal, { expect }: ContractApi): void {
  const gap = { code: 'NOT_STORED', details: { reason: 'gap' } }

  withJournal('a new store is empty', async ({ journal }) => {
    expect(await journal.state()).toEqual({ head: 0, floor: 0, generation: 0, deltas: 0 })
    expect(await journal.read(0)).toEqual([])
    expect(await journal.image()).toBe(undefined)
    expect(await journal.image(0)).toBe(undefined)
    expect(await journal.image(1)).toBe(undefined)
  })

  withJournal('entries are appended one by one and several at once, and read in order', async ({ journal }) => {
    expect(await journal.append([entry(1)])).toBe('appended')
    expect(await journal.append(entries(2, 4))).toBe('appended')
    expect(await journal.append([entry(5)])).toBe('appended')
    expect(await textsAfter(journal, 0)).toEqual(['entry 1', 'entry 2', 'entry 3', 'entry 4', 'entry 5'])
    expect(await journal.state()).toEqual({ head: 5, floor: 0, generation: 0, deltas: 0 })
  })

  withJournal('read gives what is behind `after`', async ({ journal }) => {
    await journal.append(entries(1, 12))
    expect(await seqsAfter(journal, 9)).toEqual([10, 11, 12])
    expect(await seqsAfter(journal, 11)).toEqual([12])
    expect(await journal.read(12)).toEqual([])
    expect(await journal.read(99)).toEqual([])
  })

  withJournal('appending nothing is done at once', async ({ journal }) => {
    expect(await journal.append([])).toBe('appended')
    expect((await journal.state()).head).toBe(0)
  })

  withJournal('a number that is taken is a collision and is not overwritten', async ({ journal }) => {
    await journal.append(entries(1, 3))
    expect(await journal.append([entry(3, 'usurper')])).toBe('collision')
    expect(await journal.append([entry(1, 'usurper')])).toBe('collision')
    expect(await textsAfter(journal, 0)).toEqual(['entry 1', 'entry 2', 'entry 3'])
  })

  withJournal('nothing of several entries is written when the first collides', async ({ journal }) => {
    await journal.append(entries(1, 3))
    expect(await journal.append([entry(3, 'usurper'), entry(4, 'usurper'), entry(5, 'usurper')])).toBe('collision')
    expect(await textsAfter(journal, 0)).toEqual(['entry 1', 'entry 2', 'entry 3'])
    expect(await journal.append([entry(4)])).toBe('appended')
    expect((await journal.state()).head).toBe(4)
  })

  withJournal('gaps are refused, before the entries and within them', async ({ journal }) => {
    expect(reasonOnly(await refusal(journal.append([entry(2)])))).toEqual(gap)
    await journal.append([entry(1)])
    expect(reasonOnly(await refusal(journal.append([entry(3)])))).toEqual(gap)
    expect(reasonOnly(await refusal(journal.append([entry(2), entry(4)])))).toEqual(gap)
    expect(reasonOnly(await refusal(journal.append([entry(2), entry(2)])))).toEqual(gap)
    expect(reasonOnly(await refusal(journal.append([entry(3), entry(2)])))).toEqual(gap)
    expect(await seqsAfter(journal, 0)).toEqual([1])
    expect(await journal.append([entry(2)])).toBe('appended')
  })

  withJournal(
    'bytes come back unchanged: none, every value, a megabyte, a view into a larger buffer',
    async ({ journal, reopen }) => {
      const every = Uint8Array.from({ length: 256 }, (_, i) => i)
      const large = noise(1_048_576, 7)
      const around = Uint8Array.from([9, 9, 1, 2, 3, 9, 9])
      const view = around.subarray(2, 5)
      const stored = [new Uint8Array(0), every, large, view, bytesOf('{"seq":1}\n\r\n\0')]
      await journal.append(stored.map((bytes, i) => ({ seq: i + 1, bytes })))
      for await (const from of beforeAndAfter(journal, reopen)) {
        const back = await from.read(0)
        expect(back.map(({ bytes }, i) => sameBytes(bytes, stored[i] ?? bytesOf('missing')))).toEqual([
          true,
          true,
          true,
          true,
          true,
        ])
        expect(back.every(({ bytes }) => bytes instanceof Uint8Array)).toBe(true)
      }
    },
  )

  withJournal('what is changed outside afterwards does not change what is stored', async ({ journal }) => {
    const bytes = bytesOf('as it was')
    await journal.append([{ seq: 1, bytes }])
    bytes.fill(0)
    const [back] = await journal.read(0)
    back?.bytes.fill(0)
    expect(await textsAfter(journal, 0)).toEqual(['as it was'])
  })
}

/** Implementations may say more in `details` than the reason. */
function reasonOnly(outcome: Awaited<ReturnType<typeof refusal>>): unknown {
  if (!('code' in outcome)) return outcome
  return { code: outcome.code, details: { reason: (outcome.details as { readonly reason?: unknown }).reason } }
}
