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
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(kept, undefined, 2)}\n`)
  })
}

/** The numbers from `first` on, so many of them as the size asks for. */
export function seeds(first: number, { small, full }: { readonly small: number; readonly full: number }): number[] {
  return Array.from({ length: FULL ? full : small }, (_, i) => first + i)
}
