/** What a checkpoint leaves in the journal is the replica's image to the byte, and nothing goes before that is sure. */
import { expect, test } from 'vitest'
import { Checkpointer } from '../../src/journal/checkpoint.ts'
import { decodeImage, encodeBase, PAGE_BYTES, type LoadedImage } from '../../src/journal/image.ts'
import { MemoryJournal, MemoryStore } from '../../src/journal/memory-journal.ts'
import { loadPageHashes } from '../../src/journal/page-hashes.ts'
import type { BaseWrite, Journal, StoredImage } from '../../src/journal/port.ts'
import { openReplica } from '../../src/journal/replica.ts'
import type { Replica } from '../../src/journal/replica.ts'
import { loadSql } from '../../src/sql/sqljs.ts'
import { openOn } from '../memory/failing-journal.ts'
import { open } from '../memory/open.ts'

const hash = await loadPageHashes()

/** An image of 20 pages, of which these are filled with other bytes. */
function imageOf(fills: Readonly<Record<number, number>> = {}): Uint8Array {
  const image = new Uint8Array(20 * PAGE_BYTES)
  for (const [page, fill] of Object.entries(fills)) image.fill(fill, Number(page) * PAGE_BYTES, (Number(page) + 1) * PAGE_BYTES)
  return image
}

/** What a checkpoint asks of a replica. */
function replicaOf(bytes: Uint8Array, head: number, image?: LoadedImage): Replica {
  return { head, chain: 'c'.repeat(64), image, db: { export: () => bytes } } as unknown as Replica
}

async function stored(journal: Journal): Promise<LoadedImage> {
  const image = decodeImage((await journal.image()) as StoredImage)
  if ('reason' in image) throw new Error(image.reason)
  return image
}

async function withEntries(count: number): Promise<MemoryJournal> {
  const journal = new MemoryJournal()
  for (let seq = 1; seq <= count; seq++) await journal.append([{ seq, bytes: Uint8Array.of(seq) }])
  return journal
}

test('a delta is made against what another replica has written since, where that holds the same at other places', async () => {
  const journal = await withEntries(3)
  const [one, two] = [new Checkpointer(journal, hash), new Checkpointer(journal, hash)]
  await one.run(replicaOf(imageOf(), 1))
  two.startFrom(replicaOf(imageOf(), 1, await stored(journal)))
  expect(await one.run(replicaOf(imageOf({ 3: 1 }), 2))).toMatchObject({ done: true, delta: 1 })
  expect(await two.run(replicaOf(imageOf({ 4: 1 }), 3))).toMatchObject({ done: true, delta: 2 })
  const image = await stored(journal)
  expect(hash(image.bytes)).toEqual(hash(imageOf({ 4: 1 })))
  expect(image.deltaBytes).toBeLessThan(4 * PAGE_BYTES)
})

test('a delta is made against what was read, not against what has become of it since', async () => {
  const journal = await withEntries(2)
  await journal.saveBase({ generation: 1, segments: encodeBase(imageOf(), { head: 1, chain: 'c'.repeat(64) }), floor: 1 })
  const replica = replicaOf(imageOf({ 3: 1 }), 2, await stored(journal))
  const checkpointer = new Checkpointer(journal, hash)
  checkpointer.startFrom(replica)
  expect(await checkpointer.run(replica)).toMatchObject({ done: true, delta: 1 })
  expect(hash((await stored(journal)).bytes)).toEqual(hash(imageOf({ 3: 1 })))
})

test.each([
  ['cannot be read', (base: BaseWrite) => base.segments.map((segment, i) => (i === 0 ? segment.slice(1) : segment))],
  ['is another one', ({ floor }: BaseWrite) => encodeBase(imageOf({ 7: 7 }), { head: floor, chain: 'c'.repeat(64) })],
])('where the new base %s, the one before it and the entries stay', async (_what, harm) => {
  const journal = await withEntries(2)
  const checkpointer = new Checkpointer(journal, hash)
  await checkpointer.run(replicaOf(imageOf(), 1))
  const save = journal.saveBase.bind(journal)
  journal.saveBase = base => save({ ...base, segments: harm(base) })
  const replica = replicaOf(imageOf({ 1: 1 }), 2)
  expect(await checkpointer.run(replica, true)).toMatchObject({ done: false })
  expect((await journal.state()).generation).toBe(2)
  expect(await journal.image(1)).toBeDefined()
  expect((await journal.read(0)).map(({ seq }) => seq)).toEqual([2])
  // And the next checkpoint does not build on it.
  journal.saveBase = save
  expect(await checkpointer.run(replica)).toMatchObject({ done: true, generation: 3, delta: 0 })
  expect(hash((await stored(journal)).bytes)).toEqual(hash(imageOf({ 1: 1 })))
})

test('a base that another replica writes while one opens: the one opens again', async () => {
  const store = new MemoryStore()
  const other = await open({ store })
  const say = (value: number): Promise<unknown> => other.tenant('acme').assert({ subject: 's', attribute: `a${value}`, value })
  await say(1)
  await other.checkpoint()
  const journal = new MemoryJournal(store)
  const read = journal.image.bind(journal)
  journal.image = async generation => {
    const image = await read(generation)
    journal.image = read
    await say(2)
    await other.tenant('acme').record({ text: 'large '.repeat(100_000), author: 'user' })
    await other.checkpoint()
    return image
  }
  // By itself, since a store would read what its replica is behind with.
  const replica = await openReplica(journal, await loadSql({}), () => {})
  expect(store.generation).toBe(2)
  expect(replica.head).toBe((await journal.state()).head)
  const memory = await openOn(journal)
  expect((await memory.health()).quarantine).toEqual([])
  expect((await memory.tenant('acme').facts()).facts.map(({ value }) => value)).toEqual([1, 2])
})
