/** Random numbers that a seed repeats. What the page writes and when the harness strikes both come from here. */

import { fractionsFrom } from '../../support/random.ts'

export interface Random {
  /** 0 <= x < 1 */
  next(): number
  /** An integer, both ends included. */
  between(low: number, high: number): number
  chance(share: number): boolean
  pick<T>(items: readonly [T, ...T[]]): T
}

/** Begins with a hash of `seed`, so that neighbouring seeds have nothing in common. */
export function seededRandom(seed: string): Random {
  const next = fractionsFrom(hash(seed))
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: share => next() < share,
    pick: items => items[Math.floor(next() * items.length)] ?? items[0],
  }
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value
}
