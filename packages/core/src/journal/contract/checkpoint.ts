/** Bases and deltas: when they are taken, when they are refused, and what the journal says afterwards. */
import type { Journal, StoredImage } from '../port.ts'
import type { ContractApi, WithJournal } from './harness.ts'
import { beforeAndAfter, bytesOf, entries, entry, noise, seqsAfter, textOf } from './harness.ts'
import { sameBytes } from '../same-bytes.ts'

export function describeCheckpoint(withJournal: WithJournal, { expect }: ContractApi): void {
  const delta = (generation: number, n: number, floor: number) => ({
    generation,
    n,
    bytes: bytesOf(`delta ${generation}.${n}`),
    floor,
  })
  const base = (generation: number, floor: number) => ({
    generation,
    segments: [bytesOf(`base ${generation}, first`), bytesOf(`base ${generation}, second`)],
    floor,
  })
  const allOf = async (journal: Journal): Promise<unknown> => ({
    state: await journal.state(),
    seqs: await seqsAfter(journal, 0),
    images: [await journal.image(1), await journal.image(2), await journal.image(3)].map(told),
  })

  withJournal('a first base makes generation 1, raises the floor and drops nothing', async ({ journal }) => {
    await journal.append(entries(1, 5))
    expect(await journal.saveBase(base(1, 4))).toBe(true)
    expect(await journal.state()).toEqual({ head: 5, floor: 4, generation: 1, deltas: 0 })
    expect(told(await journal.image())).toEqual({ generation: 1, segments: ['base 1, first', 'base 1, second'], deltas: [] })
    expect(await seqsAfter(journal, 0)).toEqual([1, 2, 3, 4, 5])
  })

  withJournal('deltas are added in order, raise the floor and drop nothing', async ({ journal, reopen }) => {
    await journal.append(entries(1, 9))
    await journal.saveBase(base(1, 3))
    expect(await journal.saveDelta(delta(1, 1, 5))).toBe(true)
    expect(await journal.state()).toEqual({ head: 9, floor: 5, generation: 1, deltas: 1 })
    expect(await seqsAfter(journal, 0)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(await journal.saveDelta(delta(1, 2, 9))).toBe(true)
    for await (const from of beforeAndAfter(journal, reopen)) {
      expect(await from.state()).toEqual({ head: 9, floor: 9, generation: 1, deltas: 2 })
      expect(await seqsAfter(from, 0)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
      expect(told(await from.image(1))).toEqual({
        generation: 1,
        segments: ['base 1, first', 'base 1, second'],
        deltas: ['delta 1.1', 'delta 1.2'],
      })
    }
  })

  withJournal('a floor that stays the same is no reason to refuse', async ({ journal }) => {
    await journal.append(entries(1, 2))
    expect(await journal.saveBase(base(1, 2))).toBe(true)
    expect(await journal.saveDelta(delta(1, 1, 2))).toBe(true)
    expect(await journal.saveBase(base(2, 2))).toBe(true)
  })

  withJournal('a delta is refused, and nothing changes: wrong generation, wrong number, lower floor', async ({ journal }) => {
    await journal.append(entries(1, 9))
    expect(await journal.saveDelta(delta(0, 1, 5))).toBe(false)
    expect(await journal.saveDelta(delta(1, 1, 5))).toBe(false)
    await journal.saveBase(base(1, 4))
    await journal.saveDelta(delta(1, 1, 6))
    const before = await allOf(journal)
    for (const refused of [
      delta(0, 2, 8),
      delta(2, 1, 8),
      delta(2, 2, 8),
      delta(1, 1, 8),
      delta(1, 3, 8),
      delta(1, 0, 8),
      delta(1, 2, 5),
    ]) {
      expect(await journal.saveDelta(refused), `delta ${refused.generation}.${refused.n}`).toBe(false)
    }
    expect(await allOf(journal)).toEqual(before)
  })

  withJournal('a base is refused, and nothing changes: not the next generation, lower floor', async ({ journal }) => {
    await journal.append(entries(1, 9))
    expect(await journal.saveBase(base(2, 5))).toBe(false)
    expect(await journal.saveBase(base(0, 5))).toBe(false)
    await journal.saveBase(base(1, 5))
    const before = await allOf(journal)
    for (const refused of [base(0, 9), base(1, 9), base(3, 9), base(2, 4)]) {
      expect(await journal.saveBase(refused), `base ${refused.generation}, floor ${refused.floor}`).toBe(false)
    }
    expect(await allOf(journal)).toEqual(before)
  })

  withJournal('a new generation starts without deltas, and the one before stays whole', async ({ journal, reopen }) => {
    await journal.append(entries(1, 9))
    await journal.saveBase(base(1, 3))
    await journal.saveDelta(delta(1, 1, 5))
    expect(await journal.saveBase(base(2, 8))).toBe(true)
    for await (const from of beforeAndAfter(journal, reopen)) {
      expect(await from.state()).toEqual({ head: 9, floor: 8, generation: 2, deltas: 0 })
      expect(told(await from.image())).toEqual({ generation: 2, segments: ['base 2, first', 'base 2, second'], deltas: [] })
      expect(told(await from.image(1))).toEqual({
        generation: 1,
        segments: ['base 1, first', 'base 1, second'],
        deltas: ['delta 1.1'],
      })
      expect(await from.image(3)).toBe(undefined)
      expect(await seqsAfter(from, 0)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    }
    const before = await allOf(await reopen())
    const again = await reopen()
    expect(await again.saveDelta(delta(1, 2, 9))).toBe(false)
    expect(await allOf(again)).toEqual(before)
    expect(await again.saveDelta(delta(2, 1, 9))).toBe(true)
  })

  withJournal('the bytes of images come back unchanged', async ({ journal, reopen }) => {
    const segments = [noise(1_048_576, 1), noise(300_000, 2), Uint8Array.from({ length: 256 }, (_, i) => i)]
    const change = noise(70_000, 3)
    await journal.saveBase({ generation: 1, segments, floor: 0 })
    await journal.saveDelta({ generation: 1, n: 1, bytes: change, floor: 0 })
    for await (const from of beforeAndAfter(journal, reopen)) {
      const image = await from.image()
      expect(segments.map((segment, i) => sameBytes(image?.segments[i], segment))).toEqual([true, true, true])
      expect(image?.segments.length).toBe(3)
      expect(image?.deltas.length).toBe(1)
      expect(sameBytes(image?.deltas[0], change)).toBe(true)
    }
  })

  withJournal('below the floor a replica is behind, whether the entries are gone or not', async ({ journal, reopen }) => {
    await journal.append(entries(1, 6))
    await journal.saveBase(base(1, 2))
    await journal.saveDelta(delta(1, 1, 4))
    await journal.dropBefore(1, 2)
    for await (const from of beforeAndAfter(journal, reopen)) {
      for (const seq of [1, 2, 3, 4]) expect(await from.append([entry(seq, 'late')]), `entry ${seq}`).toBe('behind')
      expect(await from.append([entry(5, 'late')])).toBe('collision')
      expect(await seqsAfter(from, 0)).toEqual([3, 4, 5, 6])
    }
  })

  withJournal('where the tail is empty the head is the floor, and writing goes on behind it', async ({ journal, reopen }) => {
    await journal.append(entries(1, 4))
    await journal.saveBase(base(1, 4))
    await journal.saveDelta(delta(1, 1, 4))
    await journal.dropBefore(1, 4)
    expect(await journal.read(0)).toEqual([])
    const again = await reopen()
    expect(await again.state()).toEqual({ head: 4, floor: 4, generation: 1, deltas: 1 })
    expect(await again.append([entry(4)])).toBe('behind')
    expect(await again.append([entry(5)])).toBe('appended')
    expect((await again.state()).head).toBe(5)
  })

  withJournal('a base above every entry, as a restored store begins, sets the head', async ({ journal, reopen }) => {
    expect(await journal.saveBase(base(1, 1000))).toBe(true)
    expect(await journal.state()).toEqual({ head: 1000, floor: 1000, generation: 1, deltas: 0 })
    const again = await reopen()
    expect(await again.append([entry(1000)])).toBe('behind')
    expect(await again.append(entries(1001, 1002))).toBe('appended')
    expect(await again.state()).toEqual({ head: 1002, floor: 1000, generation: 1, deltas: 0 })
  })
}

function told(image: StoredImage | undefined): unknown {
  return image && { generation: image.generation, segments: image.segments.map(textOf), deltas: image.deltas.map(textOf) }
}
