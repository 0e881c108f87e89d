/** How many random cases: few and always the same ones by default; many and new ones with PALIMPSEST_SOAK=1. */
const soaking = process.env['PALIMPSEST_SOAK'] === '1'

export function cases(usual: number, soak: number): { readonly numRuns: number; readonly seed?: number } {
  return soaking ? { numRuns: soak } : { numRuns: usual, seed: 20260601 }
}

export const forSoak = <T>(usual: T, soak: T): T => (soaking ? soak : usual)
