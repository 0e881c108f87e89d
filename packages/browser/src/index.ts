/** The page's entry. It reaches neither SQLite nor Dexie: those belong to the worker, `@palimpsest/browser/worker`. */
export { openMemory } from './page/open-memory.ts'
export type { OpenMemoryOptions } from './page/open-memory.ts'
export { deleteMemory } from './page/delete-memory.ts'
export type { DeleteMemoryOptions } from './page/delete-memory.ts'
export { bridgedPlace } from './mirror/bridged-place.ts'
export type { BridgeAnswer, MirrorBridge } from './mirror/bridged-place.ts'
