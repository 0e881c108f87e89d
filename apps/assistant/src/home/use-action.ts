/** Something a person sets off: it runs, and it may fail with an error to show. */
import { MemoryError, toMemoryError } from '@palimpsest/core'
import { useCallback, useState } from 'react'
import { failWith } from './home-store.ts'

export interface Action {
  readonly busy: boolean
  readonly error: MemoryError | undefined
  /** True when it was done. */
  run(work: () => Promise<void>): Promise<boolean>
  /** Takes the error away. */
  clear(): void
}

export function useAction(): Action {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<MemoryError>()
  const run = useCallback(async (work: () => Promise<void>) => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
      return true
    } catch (reason) {
      const failure = toMemoryError(reason)
      // Nothing on this page works without its worker, so the whole page says so.
      if (MemoryError.is(failure, 'WORKER_LOST')) failWith(failure)
      else setError(failure)
      return false
    } finally {
      setBusy(false)
    }
  }, [])
  const clear = useCallback(() => setError(undefined), [])
  return { busy, error, run, clear }
}
