/** `serveMemory`: what an application's worker file calls. Wiring only, since coverage does not see inside a worker. */
import { MemoryJournal, openService } from '@palimpsest/core'
import type { Extractor, Schema } from '@palimpsest/core'
import { openIndexedDbJournal } from '../journal/indexeddb-journal.ts'
import type { OpenRequest } from '../wire.ts'
import type { HostedService } from './memory-host.ts'
import { servePorts } from './serve-port.ts'

export interface ServeMemoryOptions {
  readonly schema: Schema
  /** Where SQLite's WebAssembly is served: `import wasmUrl from 'sql.js/dist/sql-wasm-browser.wasm?url'` under Vite. */
  readonly wasmUrl: string
  /** Asked in order by `remember`. Default: none. */
  readonly extractors?: readonly Extractor[]
}

/**
 * Serves the memory that the page opens with `openMemory({ worker })`. Called once, while the worker's script runs: schemas
 * and extractors hold functions and cannot be posted to a worker, so they are given here.
 */
export function serveMemory(options: ServeMemoryOptions): void {
  servePorts(request => open(options, request))
}

async function open(options: ServeMemoryOptions, request: OpenRequest): Promise<HostedService> {
  const { schema, wasmUrl, extractors } = options
  const { name, durability, timeZone } = request
  const journal = durability === 'ephemeral' ? new MemoryJournal() : await openIndexedDbJournal(name, { durability })
  try {
    return await openService({
      journal,
      sql: { wasmUrl },
      schema,
      durability,
      ...(extractors === undefined ? {} : { extractors }),
      ...(timeZone === undefined ? {} : { timeZone }),
    })
  } catch (error) {
    await journal.close()
    throw error
  }
}
