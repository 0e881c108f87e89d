/** The page's entry. It reaches neither SQLite nor Dexie: those belong to the worker, `@palimpsest/browser/worker`. */
export { openMemory } from './page/open-memory.ts'
export type { OpenMemoryOptions } from './page/open-memory.ts'
