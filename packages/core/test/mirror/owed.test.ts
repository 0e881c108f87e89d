/** What a mirror could not take while there was no room for it is not forgotten. */
import { expect, test } from 'vitest'
import { MemoryError } from '../../src/errors.ts'
import { MemoryFiles, MemoryPlace } from '../../src/mirror/memory-place.ts'
import { Mirror } from '../../src/mirror/mirror.ts'
import type { MirrorFile } from '../../src/mirror/port.ts'
import { readLogs } from '../../src/mirror/read-mirror.ts'
import { IDENTITY, entry } from './samples.ts'

/** A place that has no room for another byte while `isFull`, though for another name. */
class FullPlace extends MemoryPlace {
  isFull = false
  /** What it says of a file that it had no room for. */
  isWhole = false

  override async create(name: string): Promise<MirrorFile> {
    const file = await super.create(name)
    return {
      append: async (bytes, options) => {
        const { isFull, isWhole } = this
        if (isFull && bytes.length > 0) throw new MemoryError('NOT_STORED', 'There is no room', { reason: 'quota', isWhole })
        await file.append(bytes, options)
      },
      close: () => file.close(),
    }
  }
}

function full(): { files: MemoryFiles; place: FullPlace; mirror: Mirror } {
  const files = new MemoryFiles()
  const place = new FullPlace(files)
  return { files, place, mirror: new Mirror(place, IDENTITY) }
}

async function logged(files: MemoryFiles): Promise<number[]> {
  const logs = await readLogs(new MemoryPlace(files), IDENTITY.storeId)
  return logs.flatMap(({ entries }) => entries.map(({ seq }) => seq)).toSorted((a, b) => a - b)
}

test('entries that there was no room for come with the next that there is room for', async () => {
  const { files, place, mirror } = full()
  await mirror.log([entry(1)], { flush: false })
  place.isFull = true
  await mirror.log([entry(2)], { flush: false })
  await mirror.log([entry(3), entry(4)], { flush: true })
  expect(await logged(files)).toEqual([1])
  expect(mirror.health()).toMatchObject({ state: 'failed' })
  place.isFull = false
  await mirror.log([entry(5)], { flush: true })
  expect(await logged(files)).toEqual([1, 2, 3, 4, 5])
  expect(mirror.health()).toMatchObject({ state: 'current' })
  await mirror.close()
})

test.each([
  { isWhole: true, logs: 1 },
  { isWhole: false, logs: 2 },
])('in the same log where it is as it was before ($isWhole), else in a new one', async ({ isWhole, logs }) => {
  const { files, place, mirror } = full()
  await mirror.log([entry(1)], { flush: false })
  Object.assign(place, { isFull: true, isWhole })
  await mirror.log([entry(2)], { flush: false })
  place.isFull = false
  await mirror.log([entry(3)], { flush: true })
  expect(await logged(files)).toEqual([1, 2, 3])
  expect(files.files.size).toBe(logs)
  await mirror.close()
})

test('something else that there is room for does not hide that they are missing', async () => {
  const { place, mirror } = full()
  place.isFull = true
  await mirror.log([entry(1)], { flush: false })
  place.isFull = false
  await mirror.writeKeyring({ revision: 1, bytes: Uint8Array.of(1) })
  expect(mirror.health()).toMatchObject({ state: 'failed' })
  await mirror.log([], { flush: true })
  expect(mirror.health()).toMatchObject({ state: 'current' })
  await mirror.close()
})

test('they come when the mirror is closed, where there is room by then', async () => {
  const { files, place, mirror } = full()
  place.isFull = true
  await mirror.log([entry(1), entry(2)], { flush: false })
  place.isFull = false
  await mirror.close()
  expect(await logged(files)).toEqual([1, 2])
})

test('a base that holds them takes their place', async () => {
  const { files, place, mirror } = full()
  place.isFull = true
  await mirror.log([entry(1), entry(2)], { flush: false })
  place.isFull = false
  await mirror.writeBase({ generation: 1, floor: 2, segments: [Uint8Array.of(1)] })
  expect(mirror.health()).toMatchObject({ state: 'current' })
  await mirror.close()
  expect(await logged(files)).toEqual([])
})

test('a mirror without room leaves no file behind, and holds none, however often it tries', async () => {
  const { files, place, mirror } = full()
  place.isFull = true
  for (let seq = 1; seq <= 10; seq += 1) await mirror.log([entry(seq)], { flush: false })
  expect([files.files.size, files.held.size]).toEqual([0, 0])
  await mirror.close()
})

test('no more is kept than there may be, and then only a base makes the mirror current', async () => {
  const { files, place, mirror } = full()
  const large = (seq: number): { seq: number; bytes: Uint8Array } => ({ seq, bytes: new Uint8Array(6_000_000).fill(seq) })
  place.isFull = true
  for (let seq = 1; seq <= 4; seq += 1) await mirror.log([large(seq)], { flush: false })
  place.isFull = false
  await mirror.log([entry(5)], { flush: true })
  expect(await logged(files)).toEqual([3, 4, 5])
  expect(mirror.health()).toMatchObject({ state: 'failed' })
  await mirror.writeBase({ generation: 1, floor: 1, segments: [Uint8Array.of(1)] })
  expect(mirror.health()).toMatchObject({ state: 'failed' })
  await mirror.writeBase({ generation: 2, floor: 5, segments: [Uint8Array.of(2)] })
  expect(mirror.health()).toMatchObject({ state: 'current' })
  await mirror.close()
})
