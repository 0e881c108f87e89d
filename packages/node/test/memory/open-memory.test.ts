/** A memory on a real directory: what is kept, who may open it, and what a failed opening leaves behind. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Memory } from '@palimpsest/core'
import { openMemory } from '../../src/index.ts'
import { filesIn, scratch } from '../journal/scratch.ts'

const CITY = { subject: 'mira', attribute: 'city' }

async function open(directory: string): Promise<Memory> {
  return openMemory({ directory, timeZone: 'UTC' })
}

test('2. the same fact stated four times, with a reopen between: one fact, four pieces of evidence', async () => {
  const directory = scratch()
  const ids: string[] = []
  for (let i = 0; i < 4; i++) {
    const memory = await open(directory)
    const mine = memory.tenant('acme', { actor: 'user' })
    await mine.record({ id: `e${i}`, text: `I live in Oslo (${i})`, author: 'user', at: `2026-01-0${i + 1}T00:00:00Z` })
    ids.push((await mine.assert({ ...CITY, value: 'Oslo', from: `e${i}`, quote: 'Oslo' })).id)
    await memory.close()
  }
  const memory = await open(directory)
  const mine = memory.tenant('acme', { actor: 'user' })
  const { facts } = await mine.facts({ history: true })
  expect(facts).toMatchObject([
    {
      id: ids[0],
      value: 'Oslo',
      validFrom: '2026-01-01T00:00:00Z',
      validTo: null,
      supersedes: null,
      assertions: ids,
      sources: [0, 1, 2, 3].map(i => ({ episode: `e${i}`, assertion: ids[i], quote: 'Oslo', start: 10, end: 14 })),
    },
  ])
  expect(await memory.query('select count(*) as n from memory_facts')).toEqual([{ n: 1 }])
  await memory.close()
})

test('a reopen keeps everything, before and after a checkpoint', async () => {
  const directory = scratch()
  let memory = await open(directory)
  const mine = (): ReturnType<Memory['tenant']> => memory.tenant('acme', { actor: 'user' })
  const kept = async (): Promise<unknown> => [
    await mine().records(),
    await mine().facts({ history: true }),
    await mine().episodes(),
  ]
  for (const [round, checkpoint] of [false, true, true, false].entries()) {
    await mine().record({ id: `e${round}`, text: 'I moved 😀', author: 'user' })
    const { id } = await mine().assert({ ...CITY, value: round, from: `e${round}`, validFrom: `2026-01-0${round + 1}` })
    if (round === 1) await mine().reject(id)
    if (round === 2) await (await mine().forget({ episode: 'e0' })).apply()
    if (checkpoint) await memory.checkpoint()
    const before = await kept()
    const { storeId, deviceId, head } = await memory.health()
    await memory.close()
    memory = await open(directory)
    expect(await kept()).toEqual(before)
    expect(await memory.health()).toMatchObject({
      engine: 'directory',
      durability: 'strict',
      storeId,
      deviceId,
      head,
      quarantine: [],
    })
  }
  await memory.close()
})

test('close lets writes under way finish', async () => {
  const directory = scratch()
  const memory = await open(directory)
  const writes = Array.from({ length: 20 }, (_, i) =>
    memory.tenant('acme').assert({ subject: `s${i}`, attribute: 'x', value: i }),
  )
  await memory.close()
  const settled = await Promise.allSettled(writes)
  const again = await open(directory)
  const { facts } = await again.tenant('acme').facts()
  expect(facts).toHaveLength(settled.filter(result => result.status === 'fulfilled').length)
  expect(facts).toHaveLength(20)
  await again.close()
})

test('a directory that is open is LOCKED, with the process that has it; after close it is free', async () => {
  const directory = scratch()
  const first = await open(directory)
  await first.tenant('acme').assert({ ...CITY, value: 'Oslo' })
  await expect(open(directory)).rejects.toMatchObject({ code: 'LOCKED', retryable: true, details: { pid: process.pid } })
  await first.tenant('acme').assert({ subject: 'mira', attribute: 'name', value: 'Mira' })
  await first.close()
  await expect(first.tenant('acme').facts()).rejects.toMatchObject({ code: 'CLOSED' })
  const second = await open(directory)
  expect((await second.tenant('acme').facts()).facts).toHaveLength(2)
  await second.close()
})

test('relaxed says so, and is kept by the system', async () => {
  const directory = scratch()
  const memory = await openMemory({ directory, relaxed: true })
  expect(await memory.health()).toMatchObject({ durability: 'relaxed' })
  await memory.tenant('acme').assert({ ...CITY, value: 'Oslo' })
  await memory.close()
  const again = await open(directory)
  expect(await again.tenant('acme').get('mira', 'city')).toMatchObject({ value: 'Oslo' })
  await again.close()
})

test('ephemeral keeps nothing, and two of them share nothing', async () => {
  const [first, second] = [await openMemory({ ephemeral: true }), await openMemory({ ephemeral: true })]
  await first.tenant('acme').assert({ ...CITY, value: 'Oslo' })
  expect(await first.tenant('acme').get('mira', 'city')).toMatchObject({ value: 'Oslo' })
  expect(await first.health()).toMatchObject({ engine: 'memory', durability: 'ephemeral' })
  expect(await second.tenant('acme').records()).toEqual([])
  await first.close()
  await second.close()
  const third = await openMemory({ ephemeral: true })
  expect(await third.tenant('acme').records()).toEqual([])
  await third.close()
})

test.each([
  ['nothing', undefined],
  ['null', null],
  ['no directory', {}],
  ['an empty directory', { directory: '' }],
  ['a blank directory', { directory: '  ' }],
  ['a number', { directory: 5 }],
  ['ephemeral: false and no directory', { ephemeral: false }],
  ['a time zone that is none, and nothing kept', { ephemeral: true, timeZone: 'Mars/Olympus' }],
])('bad options: %s', async (_, options) => {
  await expect(openMemory(options as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
})

test('an opening that failed lets go of the directory', async () => {
  const directory = scratch()
  await expect(openMemory({ directory, timeZone: 'Mars/Olympus' })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    details: { field: 'timeZone' },
  })
  expect(existsSync(join(directory, 'lock.json'))).toBe(false)
  const memory = await open(directory)
  await memory.close()
})

test('a path that is a file is STORE_UNAVAILABLE and left alone', async () => {
  const directory = scratch()
  const path = join(directory, 'notes.txt')
  writeFileSync(path, 'mine')
  await expect(open(path)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  expect(filesIn(directory)).toEqual(['notes.txt'])
})
