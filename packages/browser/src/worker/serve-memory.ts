/** `serveMemory`: what an application's worker file calls. Wiring only, since coverage does not see inside a worker. */
import { MemoryJournal, openService } from '@palimpsest/core'
import type { Extractor, Journal, MemoryService, MirrorPlace, Schema } from '@palimpsest/core'
import { openIndexedDbJournal } from '../journal/indexeddb-journal.ts'
import { openOpfsPlace } from '../mirror/opfs-place.ts'
import { remotePlace } from '../mirror/remote-place.ts'
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
  if (request.durability === 'ephemeral') return serve(options, request, new MemoryJournal(), undefined)
  const durability = request.durability === 'relaxed' ? 'relaxed' : 'strict'
  const journal = await openIndexedDbJournal(request.name, { durability })
  let mirror: MirrorPlace | undefined
  try {
    const { mirrorPort, name } = request
    mirror = mirrorPort === undefined ? await openOpfsPlace(name) : remotePlace(mirrorPort)
    return await serve(options, request, journal, mirror)
  } catch (error) {
    await mirror?.close()
    await journal.close()
    throw error
  }
}

function serve(
  options: ServeMemoryOptions,
  request: OpenRequest,
  journal: Journal,
  mirror: MirrorPlace | undefined,
): Promise<MemoryService> {
  const { schema, wasmUrl, extractors } = options
  const { durability, timeZone, atRest, ifLost, knownStoreId } = request
  return openService({
    journal,
    sql: { wasmUrl },
    schema,
    durability,
    persisted: isPersisted,
    ...(mirror === undefined ? {} : { mirror }),
    ...(extractors === undefined ? {} : { extractors }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(atRest === undefined ? {} : { atRest }),
    ...(ifLost === undefined ? {} : { ifLost }),
    ...(knownStoreId === undefined ? {} : { knownStoreId }),
  })
}

/** Whether the browser promised to keep this origin's storage; undefined where it has no such promise (WebKitGTK). */
async function isPersisted(): Promise<boolean | undefined> {
  const storage = globalThis.navigator?.storage as StorageManager | undefined
  return storage?.persisted?.().catch(() => undefined)
}
