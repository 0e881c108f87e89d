/** What the replicas of one store may remove of each other's files. */
import { expect, test } from 'vitest'
import { MemoryFiles, MemoryPlace } from '../../src/mirror/memory-place.ts'
import { Mirror } from '../../src/mirror/mirror.ts'
import { findBases, readLogs } from '../../src/mirror/read-mirror.ts'
import { IDENTITY, base, entry } from './samples.ts'

test('a base that is copied late does not remove a later one, nor stays beside it', async () => {
  const files = new MemoryFiles()
  const [slow, quick] = [new Mirror(new MemoryPlace(files), IDENTITY), new Mirror(new MemoryPlace(files), IDENTITY)]
  await quick.log([entry(1), entry(2)], { flush: true })
  await quick.writeBase(base(3, 2))
  // The log of the quick one is covered by its base and gone: its base is all that holds the second entry.
  await slow.writeBase(base(2, 1))
  expect((await findBases(slow.place)).map(({ floor }) => floor)).toEqual([2])
  await quick.writeBase(base(4, 2))
  expect((await findBases(slow.place)).map(({ generation }) => generation)).toEqual([4])
})

test('a log that grew after it was found level keeps what came later', async () => {
  const files = new MemoryFiles()
  const [one, two] = [new Mirror(new MemoryPlace(files), IDENTITY), new Mirror(new MemoryPlace(files), IDENTITY)]
  await one.log([entry(1), entry(2)], { flush: true })
  two.settle(await readLogs(two.place, IDENTITY.storeId), 2)
  await one.log([entry(4)], { flush: true })
  await one.close()
  await two.writeBase(base(1, 3))
  expect((await readLogs(two.place, IDENTITY.storeId)).flatMap(log => log.entries.map(({ seq }) => seq))).toEqual([1, 2, 4])
  await two.writeBase(base(2, 4))
  expect(await readLogs(two.place, IDENTITY.storeId)).toEqual([])
})
