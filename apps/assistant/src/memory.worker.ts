/** The worker that serves the memory: wiring only. */
import { serveMemory } from '@palimpsest/browser/worker'
import { builtIn } from '@palimpsest/extract'
import wasmUrl from 'sql.js/dist/sql-wasm-browser.wasm?url'
import { schema } from './schema.ts'

serveMemory({ schema, wasmUrl, extractors: [builtIn()] })
