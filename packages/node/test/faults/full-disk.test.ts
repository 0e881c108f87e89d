/** A disk that is really full, under a whole memory. */
import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MemoryError, type Memory } from '@palimpsest/core'
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { scratch } from '../journal/scratch.ts'
import { commit, expectIntact, numbersIn, quarantineOf, upTo } from './numbered.ts'

const KILOBYTE = 1024
/** Far more than the store takes, and what is left of it while it is full. */
const DISK_KILOBYTES = 16_000
const FREE_KILOBYTES = 300

/** undefined where we may not make one. */
function smallDisk(): string | undefined {
  const directory = scratch()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_KILOBYTES}k`, 'tmpfs', directory], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', ['-l', directory]))
  return directory
}

function freeBytes(disk: string): number {
  const { bavail, bsize } = statfsSync(disk)
  return bavail * bsize
}

/** What the first commit that does not fit is told. */
async function writeUntilRefused(memory: Memory, next: () => number, padding: string): Promise<MemoryError> {
  for (;;) {
    try {
      await commit(memory, next(), padding)
    } catch (error) {
      if (MemoryError.is(error)) return error
      throw error
    }
  }
}

test('a full disk: writes are refused with the reason, reads go on, and with room again everything does', async context => {
  const disk = smallDisk()
  if (disk === undefined) return context.skip('mounting a small tmpfs needs root')
  const directory = join(disk, 'store')
  let memory = await openMemory({ directory })
  const padding = `.${'x'.repeat(8 * KILOBYTE)}`
  let last = 0
  for (let round = 1; round <= 3; round += 1) {
    // Some room is taken away, and the rest is written full.
    const filler = join(disk, `filler${round}`)
    writeFileSync(filler, Buffer.alloc(freeBytes(disk) - FREE_KILOBYTES * KILOBYTE))
    const refusal = await writeUntilRefused(memory, () => (last += 1), padding)
    last -= 1
    const full = { code: 'NOT_STORED', retryable: true, details: { reason: 'ENOSPC' } }
    expect(refusal).toMatchObject(full)
    expect(refusal.details).not.toHaveProperty('outcome')
    expect(await numbersIn(memory)).toEqual(upTo(last))
    // Three at once: none of them is there, in whole or in part.
    const together = await Promise.allSettled([1, 2, 3].map(i => commit(memory, last + i, padding)))
    for (const result of together) expect(result).toMatchObject({ status: 'rejected', reason: full })
    const folding = await memory.checkpoint().then(
      () => undefined,
      (error: unknown) => error,
    )
    if (folding !== undefined) expect(folding).toMatchObject(full)
    expect(await numbersIn(memory)).toEqual(upTo(last))
    if (round === 2) {
      // It can be opened again while the disk is still full, and read.
      await memory.close()
      memory = await openMemory({ directory })
      expect(await numbersIn(memory)).toEqual(upTo(last))
    }
    rmSync(filler)
    await commit(memory, (last += 1), padding)
    await memory.checkpoint()
    expect(await numbersIn(memory)).toEqual(upTo(last))
  }
  await memory.close()
  const again = await openMemory({ directory })
  expect(await numbersIn(again)).toEqual(upTo(last))
  expect(await quarantineOf(again)).toEqual([])
  await expectIntact(again)
  await again.close()
})
