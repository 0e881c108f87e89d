/** Reads from memory, again after every change. */
import { toMemoryError, type MemoryError } from '@palimpsest/core'
import { useEffect, useRef, useState } from 'react'
import type { Home } from './home.ts'
import { useHome } from './use-home.ts'

export interface Reading<T> {
  /** What was read last; stays while it is read again. Undefined before the first answer. */
  readonly value: T | undefined
  readonly error: MemoryError | undefined
}

export interface ReadTiming {
  /** How long after a change, in ms, it is read again; a further change begins the time anew. Default 0. */
  readonly settleMs?: number
}

/** @param parts what `read` depends on besides the memory, as for `useEffect`; a change of theirs is followed at once */
export function useRead<T>(
  read: (home: Home) => Promise<T>,
  parts: readonly unknown[],
  { settleMs = 0 }: ReadTiming = {},
): Reading<T> {
  const { home, revision } = useHome()
  const [reading, setReading] = useState<Reading<T>>({ value: undefined, error: undefined })
  const asked = useRef('')
  useEffect(() => {
    // An answer that is overtaken by a later question is dropped.
    let current = true
    const ask = (): void => {
      read(home).then(
        value => current && setReading({ value, error: undefined }),
        (error: unknown) => current && setReading(before => ({ ...before, error: toMemoryError(error) })),
      )
    }
    const question = JSON.stringify(parts)
    const again = asked.current === question
    asked.current = question
    const waits = again && settleMs > 0
    const timer = waits ? setTimeout(ask, settleMs) : undefined
    if (!waits) ask()
    return () => {
      current = false
      clearTimeout(timer)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `read` is new at every drawing; `parts` says what it depends on
  }, [home, revision, ...parts])
  return reading
}
