/** The power goes at any moment and takes any suffix of what was not flushed, to the byte: every acknowledged commit is there. */
import type { Memory } from '@palimpsest/core'
import { expect, test, vi } from 'vitest'
import { watchedDisk, type Change } from '../journal/disks.ts'
import { memoryDisk } from '../journal/memory-disk.ts'
import { commit, commitAsOne, expectIntact, numbersIn, openOn, quarantineOf, upTo } from './numbered.ts'
import { FULL, keepFigures } from '../../../../test/support/size.ts'
import { UnsyncedModel } from './unsynced.ts'

// A number takes some 5 kB, which is an entry: three of them share an append, and more are a commit that needs several.
vi.mock('../../../core/src/journal/limits.ts', () => ({ ENTRY_BYTES: 6_000, APPEND_BYTES: 18_000 }))

/** A change, and how many commits were acknowledged, and asked for, when it was made. */
interface Moment {
  readonly change: Change
  readonly acknowledged: number
  readonly asked: number
}

/** `long`: a commit of several appends; `folded`: the same, the journal being folded into an image before its last part. */
type Step = 'commit' | 'three' | 'long' | 'folded' | 'checkpoint' | 'reopen'

const LIFE: readonly Step[] = [
  ...['commit', 'long', 'checkpoint', 'three', 'checkpoint', 'commit', 'reopen', 'commit'],
  ...['folded', 'three', 'reopen', 'checkpoint', 'commit', 'checkpoint', 'commit'],
] as Step[]

/** Numbers of a long commit, and its parts. */
const LONG = 4

/** Large enough that deltas pass their share of the base now and then, and a new base is written. */
const PADDING = `.${'padding '.repeat(600)}`

async function live(): Promise<Moment[]> {
  const moments: Moment[] = []
  let acknowledged = 0
  let asked = 0
  const disk = watchedDisk(change => moments.push({ change, acknowledged, asked }), memoryDisk())
  let memory = await openOn(disk)
  const next = (count: number): number[] => Array.from({ length: count }, () => (asked += 1))
  const writeLong = async (): Promise<void> => {
    const before = await memory.health()
    const changesBefore = moments.length
    await commitAsOne(memory, next(LONG), PADDING)
    expect((await memory.health()).head - before.head).toBe(LONG)
    const syncs = moments.slice(changesBefore).filter(({ change }) => change.op === 'sync')
    expect(syncs.length, 'an append for each part').toBeGreaterThanOrEqual(LONG)
  }
  for (const step of LIFE) {
    if (step === 'checkpoint') await memory.checkpoint()
    else if (step === 'reopen') {
      await memory.close()
      memory = await openOn(disk)
    } else if (step === 'long') await writeLong()
    else if (step === 'folded') {
      // Asked for as soon as the first part is there, so that it is the next that is done.
      const folding = new Promise<number>((resolve, reject) => {
        const stop = memory.on(() => {
          stop()
          memory.checkpoint().then(async () => resolve((await memory.health()).floor), reject)
        })
      })
      const { head } = await memory.health()
      await writeLong()
      expect(await folding).toBeLessThan(head + LONG)
    } else await Promise.all(next(step === 'three' ? 3 : 1).map(n => commit(memory, n, PADDING)))
    acknowledged = asked
  }
  expect(await numbersIn(memory)).toEqual(upTo(asked))
  expect((await memory.health()).generation).toBeGreaterThan(1)
  await memory.close()
  return moments
}

/** Where a write is cut: at every byte of what is short, at some of what is long. */
function cutsOf(sizeBytes: number): number[] {
  const count = FULL ? 120 : 5
  if (sizeBytes <= count) return Array.from({ length: sizeBytes }, (_, i) => i)
  const step = sizeBytes / count
  return [...new Set([0, 1, ...Array.from({ length: count }, (_, i) => Math.floor(i * step)), sizeBytes - 1])]
}

let figures = {}
keepFigures('power-loss', () => figures)

test('whatever of the unflushed is lost, no acknowledged commit is, and each is whole', { timeout: 3_600_000 }, async () => {
  const model = new UnsyncedModel()
  // Many cuts leave the same files.
  const known = new Map<string, readonly number[]>()
  let cuts = 0
  const numbersLeft = async (files: ReadonlyMap<string, Uint8Array>, goesOn: boolean): Promise<readonly number[]> => {
    const key = [...files]
      .map(([name, content]) => `${name} ${Buffer.from(content).toString('latin1')}`)
      .toSorted()
      .join('\n')
    const found = known.get(key)
    if (found !== undefined) return found
    const disk = memoryDisk(files)
    let memory: Memory = await openOn(disk)
    const numbers = await numbersIn(memory)
    expect(await quarantineOf(memory), 'a cut is no damage').toEqual([])
    await expectIntact(memory)
    if (goesOn) {
      await commit(memory, 1_000)
      await memory.close()
      memory = await openOn(disk)
      expect(await numbersIn(memory)).toEqual([...numbers, 1_000])
    }
    await memory.close()
    known.set(key, numbers)
    return numbers
  }
  for (const [i, { change, acknowledged, asked }] of (await live()).entries()) {
    model.apply(change)
    for (const { files, what } of model.left(cutsOf)) {
      cuts += 1
      const where = `after change ${i + 1} (${change.op} ${change.path}), ${what}`
      const numbers = await numbersLeft(files, cuts % 7 === 0).catch((error: unknown) => {
        throw new Error(`${where}: ${String(error)}`, { cause: error })
      })
      expect(numbers.slice(0, acknowledged), where).toEqual(upTo(acknowledged))
      // Of what was under way, some first ones: they shared an append, so all or none.
      expect([acknowledged, asked], where).toContain(numbers.length)
      expect(numbers, where).toEqual(upTo(numbers.length))
    }
  }
  expect(known.size).toBeGreaterThan(100)
  figures = { cuts, states: known.size }
})
