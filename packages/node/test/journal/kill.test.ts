import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openDirectoryJournal } from '../../src/index.ts'
import { Child } from './child.ts'
import { pathsOf, scratch } from './scratch.ts'

const KILLS = 24

interface Content {
  readonly upTo?: number
  readonly seq?: number
  readonly revision?: number
}

function read(bytes: Uint8Array | undefined): Content {
  return JSON.parse(Buffer.from(bytes ?? new Uint8Array(0)).toString()) as Content
}

test(
  `${KILLS} kills in the middle of appends and checkpoints: every acknowledged entry is there`,
  { timeout: 300_000 },
  async () => {
    const directory = scratch()
    const start = (): Child => new Child('append-loop.ts', [directory])
    let acknowledged = 0
    let next = start()
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const child = next
      expect(await child.line(1)).toBe('ready')
      // It loads while this one works.
      if (kill < KILLS) next = start()
      // Each child takes over the lock of the one that was killed before it.
      expect(await child.ask('go')).toBe('open')
      await delay((kill * 37) % 120)
      await child.kill()
      expect(child.stderr).toBe('')
      acknowledged = Math.max(acknowledged, ...child.lines.slice(2).map(Number))
      if (kill % 4 === 0) await expectAll(directory, acknowledged)
    }
    expect(acknowledged).toBeGreaterThan(KILLS)
  },
)

/** Every number up to the last acknowledged is in the newest image or in an entry behind it. */
async function expectAll(directory: string, acknowledged: number): Promise<void> {
  const journal = await openDirectoryJournal(directory)
  const { head, floor, generation, deltas } = await journal.state()
  expect(head).toBeGreaterThanOrEqual(acknowledged)
  const image = await journal.image()
  if (generation > 0) {
    expect(image?.deltas.length).toBe(deltas)
    expect(image?.segments.length).toBe(2)
    expect(read(image?.deltas.at(-1) ?? image?.segments[0]).upTo).toBe(floor)
  }
  const tail = await journal.read(floor)
  expect(tail.map(({ seq }) => seq)).toEqual(Array.from({ length: head - floor }, (_, i) => floor + 1 + i))
  for (const { seq, bytes } of tail) expect(read(bytes).seq).toBe(seq)
  const keyring = await journal.readKeyring()
  if (keyring) expect(read(keyring.bytes).revision).toBe(keyring.revision)
  expect(pathsOf(directory, 'keyring-').length).toBe(keyring ? 1 : 0)
  await journal.close()
}
