/** Facts for measuring, the same in a page and under Node: ten attributes a subject, ten versions a slot. */
export const TENANT = 'bench'

const ATTRIBUTES = [
  'city',
  'employer',
  'diet',
  'language',
  'deadline',
  'plan',
  'contact',
  'vehicle',
  'project',
  'status',
] as const
const VERSIONS = 10
/** 2020-01-01 */
const FIRST_SECOND = 1_577_836_800

export interface SyntheticFact {
  readonly subject: string
  readonly attribute: string
  readonly value: string
  /** Seconds. */
  readonly from: number
}

/** Number `n` of a store of `size` facts; numbers from `size` on are later versions of its slots. */
export function syntheticFact(n: number, size: number): SyntheticFact {
  return { ...syntheticSlot(n, size), value: `value number ${n} of the bench`, from: FIRST_SECOND + n }
}

export function slotCount(size: number): number {
  return Math.max(1, Math.floor(size / VERSIONS))
}

export function syntheticSlot(n: number, size: number): { readonly subject: string; readonly attribute: string } {
  const slot = n % slotCount(size)
  return { subject: `person ${Math.floor(slot / ATTRIBUTES.length)}`, attribute: ATTRIBUTES[slot % ATTRIBUTES.length] ?? 'city' }
}

/** The second at which the last of `size` facts begins. */
export function lastSecond(size: number): number {
  return FIRST_SECOND + size - 1
}

export function instant(second: number): string {
  return new Date(second * 1000).toISOString().replace('.000Z', 'Z')
}
