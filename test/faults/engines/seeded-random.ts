/** Random numbers that a seed repeats. What the page writes and when the harness strikes both come from here. */

export interface Random {
  /** 0 <= x < 1 */
  next(): number
  /** An integer, both ends included. */
  between(low: number, high: number): number
  chance(share: number): boolean
  pick<T>(items: readonly [T, ...T[]]): T
}

/** Mulberry32 over a hash of `seed`, so that neighbouring seeds have nothing in common. */
export function seededRandom(seed: string): Random {
  let state = hash(seed)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
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
