/** What a restore cannot do without, while the mirror has no room for it: nothing is told that would not come back. */
import { expect, test } from 'vitest'
import { createClient } from '../../src/client.ts'
import { MemoryError } from '../../src/errors.ts'
import { MemoryJournal, MemoryStore } from '../../src/journal/memory-journal.ts'
import { localTransport } from '../../src/local-transport.ts'
import type { Memory } from '../../src/memory.ts'
import { MemoryFiles, MemoryPlace } from '../../src/mirror/memory-place.ts'
import type { MirrorFile } from '../../src/mirror/port.ts'
import { openService } from '../../src/service.ts'

/** A place that cannot make files of one kind. */
class RefusingPlace extends MemoryPlace {
  refused = '?'

  override create(name: string): Promise<MirrorFile> {
    if (!name.startsWith(this.refused)) return super.create(name)
    return Promise.reject(new MemoryError('NOT_STORED', `There is no room for ${name}`, { reason: 'quota' }))
  }
}

async function open(store: MemoryStore, place: MemoryPlace): Promise<Memory> {
  const journal = new MemoryJournal(store)
  return createClient(
    localTransport(await openService({ journal, mirror: place, atRest: { kind: 'device' }, durability: 'mirrored' })),
  )
}

async function state(memory: Memory, n: number): Promise<void> {
  await memory.tenant('home').assert({ subject: 'mira', attribute: `a${n}`, value: n })
}

/** What somebody reads whose storage came back empty. */
async function valuesAfterWipe(files: MemoryFiles): Promise<unknown[]> {
  files.held.clear()
  const memory = await open(new MemoryStore(), new MemoryPlace(files))
  const { facts } = await memory.tenant('home').facts()
  expect((await memory.health()).restored).toMatchObject({ wasEmpty: true, damaged: 0 })
  await memory.close()
  return facts.map(({ value }) => value)
}

/** Every write is accepted, or refused for the mirror's sake. @returns those that were accepted */
async function accepted(memory: Memory, numbers: readonly number[]): Promise<number[]> {
  const taken: number[] = []
  for (const n of numbers) {
    try {
      await state(memory, n)
      taken.push(n)
    } catch (error) {
      expect(error).toMatchObject({ code: 'NOT_STORED', details: { reason: 'mirror' } })
    }
  }
  return taken
}

test.each(['base', 'whole', 'keyring'])('no %s: keys are not changed to the end, and nothing is lost', async refused => {
  const files = new MemoryFiles()
  const place = new RefusingPlace(files)
  const memory = await open(new MemoryStore(), place)
  for (let n = 1; n <= 5; n += 1) await state(memory, n)
  place.refused = refused
  await expect(memory.rekey()).rejects.toMatchObject({ code: 'NOT_STORED', details: { reason: 'mirror' } })
  expect((await memory.health()).atRest.isChanging).toBe(true)
  const more = await accepted(memory, [6, 7])
  expect(await valuesAfterWipe(files)).toEqual(expect.arrayContaining([1, 2, 3, 4, 5, ...more]))
})

test.each(['base', 'whole', 'keyring'])('no %s at first: with room again the change of keys is finished', async refused => {
  const files = new MemoryFiles()
  const place = new RefusingPlace(files)
  const memory = await open(new MemoryStore(), place)
  await state(memory, 1)
  place.refused = refused
  await expect(memory.rekey()).rejects.toMatchObject({ code: 'NOT_STORED' })
  place.refused = '?'
  await memory.rekey()
  expect((await memory.health()).atRest.isChanging).toBe(false)
  await state(memory, 2)
  expect(await valuesAfterWipe(files)).toEqual([1, 2])
})

test.each(['identity', 'keyring'])('no %s while a store is made: nothing is acknowledged before it is there', async refused => {
  const files = new MemoryFiles()
  const place = new RefusingPlace(files)
  place.refused = refused
  const memory = await open(new MemoryStore(), place)
  expect(await accepted(memory, [1, 2])).toEqual([])
  expect((await memory.health()).mirror).toMatchObject({ state: 'failed' })
  place.refused = '?'
  await state(memory, 3)
  expect((await memory.health()).mirror).toMatchObject({ state: 'current' })
  expect(await valuesAfterWipe(files)).toEqual([3])
})
