/**
 * The worker's entry, imported by the application's own worker file:
 *
 * ```ts
 * import { serveMemory } from '@palimpsest/browser/worker'
 * import wasmUrl from 'sql.js/dist/sql-wasm-browser.wasm?url'
 * import { schema } from './schema.ts'
 *
 * serveMemory({ schema, wasmUrl })
 * ```
 */
export { serveMemory } from './worker/serve-memory.ts'
export type { ServeMemoryOptions } from './worker/serve-memory.ts'
export { openIndexedDbJournal } from './journal/indexeddb-journal.ts'
export type { IndexedDbJournalOptions } from './journal/indexeddb-journal.ts'
