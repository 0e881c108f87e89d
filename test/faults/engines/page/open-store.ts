/** Opens the store in the page, through the product's worker or the control's, and says what was found. */
import { openMemory } from '@palimpsest/browser'
import { createClient } from '@palimpsest/core'
import type { Memory } from '@palimpsest/core'
import type { Found, OpenStoreRequest } from '../tab-protocol.ts'
import { openEarly } from './early-transport.ts'
import type { schema } from './faults.schema.ts'

export type FaultMemory = Memory<typeof schema>

export interface OpenStore {
  readonly name: string
  readonly memory: FaultMemory
  readonly worker: Worker
}

export async function openStore({ name, worker: kind, durability, ifLost }: OpenStoreRequest): Promise<OpenStore> {
  if (kind === 'early') {
    const worker = new Worker(new URL('./early.worker.ts', import.meta.url), { type: 'module' })
    return { name, worker, memory: createClient<typeof schema>(await openEarly(worker, name)) }
  }
  const worker = new Worker(new URL('./faults.worker.ts', import.meta.url), { type: 'module' })
  return { name, worker, memory: await openMemory<typeof schema>({ name, worker, durability, ifLost }) }
}

export async function look({ name, memory }: OpenStore): Promise<Found> {
  const { storeId, head, floor, generation, quarantine, restored, mirror } = await memory.health()
  return {
    storeId,
    head,
    floor,
    generation,
    quarantine,
    restored: restored ?? null,
    mirror: mirror === undefined ? null : JSON.stringify(mirror),
    incarnation: await incarnationOf(name),
  }
}

/**
 * Read past the product, which might be wrong about its own store. Only asked once the memory is open: an earlier request
 * would take from the product the engine's one remark that it has thrown a database away.
 */
async function incarnationOf(name: string): Promise<string> {
  const request = indexedDB.open(`palimpsest:${name}`)
  request.onupgradeneeded = () => request.transaction?.abort()
  const database = await settled(request)
  try {
    const row: unknown = await settled(database.transaction('meta').objectStore('meta').get('incarnation'))
    return String((row as { readonly value?: unknown } | undefined)?.value)
  } finally {
    database.close()
  }
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('IndexedDB refused'))
  })
}
