/** A process that writes is killed at random moments, again and again: what it had acknowledged is there. */
import { expect, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { scratch } from '../journal/scratch.ts'
import { expectIntact, numbersIn, quarantineOf } from './numbered.ts'
import { FULL, keepFigures } from '../../../../test/support/size.ts'
import { randomFrom } from '../../../../test/support/random.ts'
import { Writer } from './writer.ts'

const COMMITS = FULL ? 10_000 : 200
const PER_KILL = FULL ? 130 : 36
/** Each child counts in a range of its own: what it did without saying so does not meet the next one. */
const RANGE = 100_000

let figures = {}
keepFigures('node-kills', () => figures)

test(`${COMMITS} acknowledged commits over many kills: none is lost`, { timeout: 3_600_000 }, async () => {
  const seed = FULL ? Date.now() % 1_000_000 : 7
  const random = randomFrom(seed)
  const directory = scratch()
  const acknowledged = new Set<number>()
  const start = (kill: number): Writer => new Writer(directory, kill * RANGE)
  let kills = 0
  let next = start(1)
  while (acknowledged.size < COMMITS) {
    kills += 1
    const child = next
    await child.ready()
    // It loads while this one works.
    next = start(kills + 1)
    // Each child takes over the lock of the one that was killed before it.
    expect(await child.open()).toBe('open')
    await child.acknowledges(1 + random(2 * PER_KILL))
    await child.kill()
    for (const n of child.acknowledged) acknowledged.add(n)
    if (kills % 10 === 0 || acknowledged.size >= COMMITS || !FULL) await expectAll(directory, acknowledged, seed, kills)
  }
  await next.kill()
  expect(kills).toBeGreaterThan(3)
  figures = { kills, acks: acknowledged.size }
})

async function expectAll(directory: string, acknowledged: ReadonlySet<number>, seed: number, kills: number): Promise<void> {
  const memory = await openMemory({ directory })
  const there = new Set(await numbersIn(memory))
  const where = `seed ${seed}, ${kills} kills`
  expect(
    [...acknowledged].filter(n => !there.has(n)),
    `${where}: acknowledged, and lost`,
  ).toEqual([])
  // Killed between the flush and the answer: at most one group a kill.
  expect(there.size - acknowledged.size, where).toBeLessThanOrEqual(4 * kills)
  expect(await quarantineOf(memory), where).toEqual([])
  await expectIntact(memory)
  await memory.close()
}
