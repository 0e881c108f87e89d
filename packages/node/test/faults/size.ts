import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach } from 'vitest'

/** Two sizes of the same tests: small on every run, large with `PALIMPSEST_FAULTS=full`. */
export const FULL: boolean = process.env['PALIMPSEST_FAULTS'] === 'full'

/**
 * Keeps what the tests of a file counted as `<name>.json` in the folder PALIMPSEST_FIGURES, where that is set, after the last of
 * them: docs/reliability.md is made of it. Where one failed nothing is kept.
 */
export function keepFigures(name: string, figures: () => Readonly<Record<string, number>>): void {
  const folder = process.env['PALIMPSEST_FIGURES']
  if (folder === undefined) return
  let hasFailed = false
  afterEach(({ task }) => {
    hasFailed ||= task.result?.state === 'fail'
  })
  afterAll(() => {
    if (hasFailed) return
    const kept = { at: new Date().toISOString(), size: FULL ? 'full' : 'ci', ...figures() }
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(kept)}\n`)
  })
}

/** Numbers that repeat with their seed. Mulberry32. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return below => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
