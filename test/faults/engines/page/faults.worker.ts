import { serveMemory } from '@palimpsest/browser/worker'
import wasmUrl from 'sql.js/dist/sql-wasm-browser.wasm?url'
import { schema } from './faults.schema.ts'

serveMemory({ schema, wasmUrl })
