/**
 * A sign of life that needs no timer: the worker holds a Web Lock under a name of its own as long as it lives, and the page
 * asks for the same lock. A terminated worker fires no event, but the browser gives its locks on at once.
 */

/** @returns the name of the lock, or null where there are no Web Locks. */
export async function holdPulse(): Promise<string | null> {
  const locks = globalThis.navigator?.locks as LockManager | undefined
  if (!locks) return null
  const random = Array.from(crypto.getRandomValues(new Uint32Array(4)), part => part.toString(36)).join('-')
  const name = `palimpsest:pulse:${random}`
  return new Promise<string | null>(resolve => {
    const forever = (): Promise<never> => {
      resolve(name)
      return new Promise<never>(() => {})
    }
    locks.request(name, forever).catch(() => resolve(null))
  })
}
