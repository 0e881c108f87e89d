/**
 * A commit of many entries (an import of 500 MB, in the full size) whose process is killed while it is being stored: none of
 * it is there. Said again, all of it is, once.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { scratch } from '../journal/scratch.ts'
import { expectIntact, quarantineOf } from './numbered.ts'
import { FULL, keepFigures } from '../../../../test/support/size.ts'

const MEGABYTES = FULL ? 500 : 24
const EPISODES = MEGABYTES * 4
/** What of it is on disk when the process is killed. */
const KILLED_AT = FULL ? [0.1, 0.5, 0.97] : [0.2]

const SCRIPT = fileURLToPath(new URL('../children/large-commit.ts', import.meta.url))

keepFigures('large-commit', () => ({ kills: KILLED_AT.length, megabytes: MEGABYTES }))

test(`${MEGABYTES} MB in one commit: all of it or nothing`, { timeout: 3_600_000 }, async () => {
  const directory = scratch()
  for (const share of KILLED_AT) {
    const before = bytesIn(directory)
    const child = store(directory)
    while (bytesIn(directory) - before < share * MEGABYTES * 1_000_000) {
      expect(child.exitCode, 'still storing').toBe(null)
      await delay(1)
    }
    const gone = once(child, 'close')
    child.kill('SIGKILL')
    await gone
    expect(await episodesIn(directory), `killed at ${share}`).toEqual({ n: 0, ids: 0, whole: 0 })
  }
  const child = store(directory)
  await once(child, 'close')
  expect(child.exitCode).toBe(0)
  expect(await episodesIn(directory)).toEqual({ n: EPISODES, ids: EPISODES, whole: EPISODES })
})

function store(directory: string): ChildProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, directory, String(MEGABYTES)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

function bytesIn(directory: string): number {
  return readdirSync(directory).reduce(
    (sum, name) => sum + (statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}

async function episodesIn(directory: string): Promise<unknown> {
  const memory = await openMemory({ directory })
  try {
    expect(await quarantineOf(memory)).toEqual([])
    await expectIntact(memory)
    const [found] = await memory.query(
      'select count(*) as n, count(distinct ref) as ids, total(length(body) >= 250000) as whole from episode',
    )
    return found
  } finally {
    await memory.close()
  }
}
