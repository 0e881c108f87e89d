/** Whoever listens to a memory has a subscription of his own, and no part in what is written. */
import { expect, onTestFinished, test } from 'vitest'
import type { MemoryEvent } from '../../src/index.ts'
import { open } from './open.ts'

const SLOT = { subject: 'mira', attribute: 'passport' } as const

test('one function that listens twice hears twice, until each of the two stops', async () => {
  const memory = await open()
  const mine = memory.tenant('home')
  const events: MemoryEvent[] = []
  const listener = (event: MemoryEvent): void => void events.push(event)
  const [one, two] = [memory.on(listener), memory.on(listener)]
  await mine.assert({ ...SLOT, value: 1 })
  expect(events).toHaveLength(2)
  one()
  one()
  await mine.assert({ ...SLOT, value: 2 })
  expect(events).toHaveLength(3)
  two()
  await mine.assert({ ...SLOT, value: 3 })
  expect(events).toHaveLength(3)
})

test('a listener that throws keeps no write from being acknowledged, and nobody else from hearing', async () => {
  const memory = await open()
  const mine = memory.tenant('home')
  const mistake = new Error('a listener of the program')
  const reported: unknown[] = []
  // As a program would be told of it; the test runner's own listeners would fail the run.
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', error => reported.push(error))
  onTestFinished(() => {
    process.removeAllListeners('unhandledRejection')
    for (const other of others) process.on('unhandledRejection', other)
  })
  const heads: number[] = []
  memory.on(() => {
    throw mistake
  })
  memory.on(event => void (event.type === 'changed' && heads.push(event.head)))
  expect((await mine.assert({ ...SLOT, value: 1 })).status).toBe('accepted')
  const together = [2, 3].map(value => mine.assert({ ...SLOT, value }))
  expect((await Promise.all(together)).map(({ status }) => status)).toEqual(['accepted', 'accepted'])
  expect((await mine.get('mira', 'passport'))?.value).toBe(3)
  expect(heads).toEqual([1, 3])
  await memory.checkpoint()
  await expect.poll(() => reported.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(2)
  expect(new Set(reported)).toEqual(new Set([mistake]))
})
