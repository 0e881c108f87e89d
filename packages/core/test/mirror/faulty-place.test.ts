/** Any fault at any call to the place of the mirror: what it was said to hold comes back when the storage is lost. */
import { describe, expect, test } from 'vitest'
import { FULL, keepFigures, seeds } from '../../../../test/support/size.ts'
import { APPEND_FAULTS, PLACE_FAULTS, PlaceFaults, type PlaceFault } from './faulty-place.ts'
import { MirroredLife, type Script } from './mirrored-life.ts'

/** In the small size one call of so many is met, beginning with another one for each script; of appends alone there are fewer. */
const STRIDE = FULL ? 1 : 11
const APPEND_STRIDE = FULL ? 1 : 3

/** One fault after the other, until there is no call left to meet. @returns the calls that were met */
async function explore(script: Script, kind: PlaceFault): Promise<string[]> {
  const met: string[] = []
  const stride = APPEND_FAULTS.has(kind) ? APPEND_STRIDE : STRIDE
  for (let at = 1 + (script.seed % stride); ; at += stride) {
    const faults = new PlaceFaults(kind, at)
    try {
      await new MirroredLife(script, faults).live()
    } catch (error) {
      const where = `${JSON.stringify({ ...script, kind, at })}, met ${faults.fired ?? 'nothing'}`
      throw new Error(`${where}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
    if (faults.fired === undefined) return met
    met.push(faults.fired)
  }
}

let faults = 0
keepFigures('mirror-faults', () => ({ faults }))

describe.each(PLACE_FAULTS)('%s', kind => {
  const first = PLACE_FAULTS.indexOf(kind) * 100 + 1
  for (const durability of ['mirrored', 'strict'] as const)
    test.each(seeds(durability === 'mirrored' ? first : first + 50, { small: 1, full: 2 }))(
      `seed %i, ${durability}: nothing that the mirror holds is lost, comes back or is there twice`,
      { timeout: 3_600_000 },
      async seed => {
        const met = await explore({ seed, steps: FULL ? 12 : 4, durability }, kind)
        faults += met.length
        expect(met.length).toBeGreaterThan(1)
      },
    )
})
