/** Files and forgetting: an old file brings nothing back, and a file carries erasures to where they are not known. */
import type { TenantMemory } from '@palimpsest/core'
import { expect, test } from 'vitest'
import { importFile } from '../src/index.ts'
import { exportedText, openTenant } from './memories.ts'

async function told(): Promise<TenantMemory> {
  const mine = await openTenant()
  await mine.record({ id: 'e1', text: 'I live in Oslo', author: 'user', at: '2026-01-01T00:00:00Z', session: 's1' })
  await mine.record({ id: 'e2', text: 'I live in Bergen now', author: 'user', at: '2026-02-01T00:00:00Z', session: 's2' })
  await mine.assert({ subject: 'mira', attribute: 'city', value: 'Oslo', from: 'e1' })
  await mine.assert({ subject: 'mira', attribute: 'city', value: 'Bergen', from: 'e2', quote: 'Bergen' })
  return mine
}

async function read(memory: TenantMemory, file: string): Promise<void> {
  await (await importFile(memory, file, { own: true })).apply()
}

const scopes = [
  ['a fact', async (mine: TenantMemory) => ({ fact: (await mine.get('mira', 'city'))?.id ?? '' })],
  ['an episode', () => ({ episode: 'e2' })],
  ['a session', () => ({ session: 's2' })],
  ['a slot', () => ({ subject: 'mira', attribute: 'city' })],
  ['a subject', () => ({ subject: 'mira' })],
  ['everything', () => ({ tenant: true as const })],
] as const

test.each(scopes)('%s: a file from before the forgetting brings nothing back; one with it erases', async (_, scopeOf) => {
  const mine = await told()
  const old = await exportedText(mine)
  const theirs = await openTenant()
  await read(theirs, old)
  const scope = await scopeOf(mine)
  await (await mine.forget(scope)).apply()
  const [after, records] = [await exportedText(mine), await mine.records()]
  expect(after).not.toContain('Bergen')

  await read(mine, old)
  expect(await mine.records()).toEqual(records)
  expect(JSON.stringify([await mine.facts({ history: true }), await mine.episodes()])).not.toContain('Bergen')

  // On the other device it was known until the file came.
  expect(await theirs.get('mira', 'city')).toMatchObject({ value: 'Bergen' })
  await read(theirs, after)
  expect(await theirs.records()).toEqual(records)
  await read(theirs, old)
  expect(await theirs.records()).toEqual(records)

  // In a new place, in the order that a person who has both files may choose.
  const third = await openTenant()
  await read(third, after)
  await read(third, old)
  expect(await third.records()).toEqual(records)
  expect(await third.get('mira', 'city')).toEqual(await mine.get('mira', 'city'))
})

test('saying it again after a file with the erasure is allowed', async () => {
  const mine = await told()
  await (await mine.forget({ subject: 'mira' })).apply()
  const theirs = await openTenant()
  await read(theirs, await exportedText(mine))
  expect(await theirs.standing('mira', 'city')).toMatchObject({ state: 'erased' })
  await theirs.assert({ subject: 'mira', attribute: 'city', value: 'Bergen' })
  await read(mine, await exportedText(theirs))
  expect(await mine.get('mira', 'city')).toMatchObject({ value: 'Bergen' })
})

test('an erasure in a file holds no content and no bare hash of it', async () => {
  const mine = await openTenant()
  await mine.assert({ subject: 'zebra', attribute: 'stripes', value: 'many' })
  await (await mine.forget({ subject: 'zebra' })).apply()
  expect(await exportedText(mine)).not.toMatch(/zebra|stripes|many"/u)
})
