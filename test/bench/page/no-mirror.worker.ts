/** The same in a browser without a private file system: what a commit costs without the mirror. */
import { serveMemory } from '@palimpsest/browser/worker'
import wasmUrl from 'sql.js/dist/sql-wasm-browser.wasm?url'
import { schema } from './schema.ts'

Object.defineProperty(StorageManager.prototype, 'getDirectory', { value: undefined })

serveMemory({ schema, wasmUrl })
