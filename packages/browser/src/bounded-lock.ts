/** A Web Lock that is waited for so long and no longer: a frozen tab keeps its locks. */

/**
 * The way to release the lock once it is granted; undefined where it was not granted in time. Where there are no Web Locks,
 * or the page is refused them, everybody gets it at once.
 */
export function acquireLock(
  name: string,
  { waitMs, mode = 'exclusive' }: { readonly waitMs: number; readonly mode?: LockMode },
): Promise<(() => void) | undefined> {
  const locks = globalThis.navigator?.locks as LockManager | undefined
  if (!locks) return Promise.resolve(nothing)
  return new Promise(resolve => {
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(), waitMs)
    const hold = (): Promise<void> => {
      clearTimeout(timer)
      return new Promise<void>(release => resolve(release))
    }
    locks.request(name, { mode, signal: patience.signal }, hold).catch(() => {
      clearTimeout(timer)
      resolve(patience.signal.aborted ? undefined : nothing)
    })
  })
}

function nothing(): void {}
