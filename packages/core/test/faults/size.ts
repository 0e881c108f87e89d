/** Two sizes of the same tests: small on every run, large with `PALIMPSEST_FAULTS=full`. */
export const FULL: boolean = process.env['PALIMPSEST_FAULTS'] === 'full'

/** The numbers from `first` on, so many of them as the size asks for. */
export function seeds(first: number, { small, full }: { readonly small: number; readonly full: number }): number[] {
  return Array.from({ length: FULL ? full : small }, (_, i) => first + i)
}
