/**
 * One more witness that a store existed: its id in the page's own storage. Where the browser has no private file system, it is
 * the only one, and an IndexedDB that comes back empty is still not taken for a new store.
 */

/** Gone with `deleteMemory`, and with the site's data. */
export function witnessKey(storeName: string): string {
  return `palimpsest:${storeName}`
}

export function recallStore(storeName: string): string | undefined {
  try {
    return localStorage.getItem(witnessKey(storeName)) ?? undefined
  } catch {
    // Storage is refused to this page: a private window, or a setting.
    return undefined
  }
}

export function rememberStore(storeName: string, storeId: string): void {
  try {
    localStorage.setItem(witnessKey(storeName), storeId)
  } catch {
    // Refused, or full: the store works without this witness.
  }
}
