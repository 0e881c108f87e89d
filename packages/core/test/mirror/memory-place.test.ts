import { describe, expect, test } from 'vitest'
import { describeMirrorPlace } from '../../src/mirror/contract.ts'
import { MemoryFiles, MemoryPlace } from '../../src/mirror/memory-place.ts'

const open = () => {
  const files = new MemoryFiles()
  const replicas: MemoryPlace[] = []
  const another = (): Promise<MemoryPlace> => {
    const place = new MemoryPlace(files)
    replicas.push(place)
    return Promise.resolve(place)
  }
  const closeAll = async (): Promise<void> => {
    for (const place of replicas) await place.close()
  }
  return another().then(place => ({
    place,
    second: another,
    reopen: async () => {
      await closeAll()
      return another()
    },
    cleanup: closeAll,
  }))
}

describeMirrorPlace('MemoryPlace', { open }, { describe, test, expect })

test('places with no files in common have nothing in common', async () => {
  await new MemoryPlace().create('log-1')
  expect(await new MemoryPlace().list()).toEqual([])
})
