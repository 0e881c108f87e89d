/** Numbers that repeat with their seed, the same everywhere: what a test did can be done again. */

/** Integers of 32 bits without a sign. Mulberry32. */
function integers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

/** 0 <= x < 1 */
export function fractionsFrom(seed: number): () => number {
  const next = integers(seed)
  return () => next() / 2 ** 32
}

/** An integer from 0 up to, and without, the number that is given. */
export type Random = (below: number) => number

export function randomFrom(seed: number): Random {
  const next = integers(seed)
  return below => next() % below
}

/** A new array in an order that `random` decides (Fisher-Yates). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items]
  for (let last = result.length - 1; last > 0; last--) {
    const other = random(last + 1)
    const moved = result[last] as T
    result[last] = result[other] as T
    result[other] = moved
  }
  return result
}
