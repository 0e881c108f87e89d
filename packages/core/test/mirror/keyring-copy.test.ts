/** The copy of the keyring, without which nothing else in a mirror is worth anything. */
import { expect, test } from 'vitest'
import { MemoryFiles, MemoryPlace } from '../../src/mirror/memory-place.ts'
import { Mirror } from '../../src/mirror/mirror.ts'
import { IDENTITY } from './samples.ts'

async function written(files: MemoryFiles, revision: number, text: string): Promise<string[]> {
  await new Mirror(new MemoryPlace(files), IDENTITY).writeKeyring({ revision, bytes: new TextEncoder().encode(text) })
  return [...files.files.keys()]
}

test('one that is here already is not written again, nor removed', async () => {
  const files = new MemoryFiles()
  const [first] = await written(files, 1, 'one')
  expect(await written(files, 1, 'one')).toEqual([first])
  // Another with the same number takes its place, and a later one that of both.
  const [other, ...none] = await written(files, 1, 'another one')
  expect([other === first, none]).toEqual([false, []])
  const later = await written(files, 2, 'another one')
  expect(later).toEqual([expect.stringMatching(/^keyring-2-/)])
})

test('one of which only a part is here is written again', async () => {
  const files = new MemoryFiles()
  const [first = ''] = await written(files, 1, 'one')
  files.files.set(first, (files.files.get(first) ?? new Uint8Array(0)).slice(0, -1))
  const [second = '', ...none] = await written(files, 1, 'one')
  expect([second === first, none]).toEqual([false, []])
  const mirror = new Mirror(new MemoryPlace(files), IDENTITY)
  expect(await mirror.keyrings()).toEqual([{ revision: 1, bytes: new TextEncoder().encode('one') }])
})

test('what a change of keys left behind goes, though the new one is here', async () => {
  const files = new MemoryFiles()
  const [first = ''] = await written(files, 1, 'one')
  const old = files.files.get(first) ?? new Uint8Array(0)
  const [second] = await written(files, 2, 'two')
  files.files.set(first, old)
  expect(await written(files, 2, 'two')).toEqual([second])
})
