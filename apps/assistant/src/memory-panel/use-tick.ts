/** A count that grows at an instant: a fact dated ahead becomes current by itself, without a write that would tell. */
import { useEffect, useState } from 'react'

/** A timer set for longer would fire at once. */
const LONGEST_MS = 2 ** 31 - 1

/** @param at ms since 1970; undefined for never */
export function useTick(at: number | undefined): number {
  const [ticks, setTicks] = useState(0)
  useEffect(() => {
    if (at === undefined) return undefined
    const timer = setTimeout(() => setTicks(count => count + 1), Math.min(Math.max(at - Date.now(), 0) + 50, LONGEST_MS))
    return () => clearTimeout(timer)
  }, [at, ticks])
  return ticks
}
