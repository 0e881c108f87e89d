/** `openMemory`: what a page calls. */
import { MemoryError, createClient } from '@palimpsest/core'
import type { AtRest, Memory, MirrorPlace, Schema } from '@palimpsest/core'
import { servePlace } from '../mirror/serve-place.ts'
import type { OpenRequest } from '../wire.ts'
import { connectWorker } from './handshake.ts'
import { whileOpening } from './opening-lock.ts'
import { recallStore, rememberStore } from './store-witness.ts'
import { WorkerTransport } from './worker-transport.ts'

export interface OpenMemoryOptions {
  /** Which memory of this origin: 1 to 200 characters. */
  readonly name: string
  /**
   * A new module worker whose file calls `serveMemory`. It serves this memory alone from now on, and is terminated when the
   * memory is closed or the worker is lost.
   */
  readonly worker: Worker
  /** True: nothing is kept, by request. Default false; a store that cannot be opened never becomes ephemeral by itself. */
  readonly ephemeral?: boolean
  /**
   * `strict` (default): a settled write was flushed to disk. `mirrored`: and its copy outside IndexedDB was, so that not even
   * a browser that wipes the database loses it. `relaxed`: it may be lost with the power, not with the page.
   */
  readonly durability?: 'strict' | 'mirrored' | 'relaxed'
  /** How the store is encrypted. Default: as it is; a new one with a key kept on the device, which serves erasure, not secrecy. */
  readonly atRest?: AtRest
  /** Where the mirror goes. Default: the origin's private file system, where the browser has one. */
  readonly mirror?: MirrorPlace
  /**
   * What to do when the browser lost the store and no mirror can restore it. `fail` (default): STORE_LOST. `startNew`: begin
   * an empty one, e.g. to import a file into it.
   */
  readonly ifLost?: 'fail' | 'startNew'
  /** IANA zone in which bare dates are meant. Default: that of the device. */
  readonly timeZone?: string
  /** A call that takes longer, in ms, counts the worker as lost. Default: no limit, since an extractor may be slow. */
  readonly callTimeoutMs?: number
  /** How long a worker may stay without a sign of life while calls are pending, in ms. Default 30,000. */
  readonly heartbeatMs?: number
  /** How long the worker's script may take to load, in ms. Default 30,000. */
  readonly startTimeoutMs?: number
}

const taken = new WeakSet<Worker>()

/**
 * Opens a memory of this origin through its worker. Several tabs may have the same one open, each with a worker of its own.
 *
 * @throws {MemoryError} INVALID_ARGUMENT; STORE_UNAVAILABLE when IndexedDB is missing, blocked or refused, or
 *   another tab deletes the memory and does not come to an end within 40 s; STORE_CORRUPT; READ_ONLY; STORE_LOST; KEY_NEEDED, KEY_WRONG, KEY_DAMAGED, KEY_MISSING; WORKER_LOST when the worker's script fails or does not call `serveMemory`.
 */
export async function openMemory<S extends Schema = Schema>(options: OpenMemoryOptions): Promise<Memory<S>> {
  checkOptions(options)
  const { name, ephemeral, worker, callTimeoutMs } = options
  if (typeof worker?.postMessage !== 'function') throw invalid('worker', 'must be a Worker')
  if (taken.has(worker)) throw invalid('worker', 'serves another memory already')
  taken.add(worker)
  try {
    const port = await connectWorker(worker, options.startTimeoutMs ?? 30_000)
    const transport = new WorkerTransport(worker, port, {
      heartbeatMs: options.heartbeatMs ?? 30_000,
      ...(callTimeoutMs === undefined ? {} : { callTimeoutMs }),
    })
    const mirror = options.mirror === undefined ? undefined : serveMirror(options.mirror)
    const open = async (): Promise<void> => {
      const request = openRequest(options)
      const storeId = await transport.open({ ...request, ...(mirror === undefined ? {} : { mirrorPort: mirror.port }) })
      if (storeId !== null) rememberStore(name, storeId)
    }
    try {
      await (ephemeral === true ? open() : whileOpening(name, open))
      // A worker that was terminated closes no port that the page would hear of, and what it held must be let go.
      if (mirror !== undefined) transport.on(event => void (event.type === 'lost' && mirror.stop()))
    } catch (error) {
      transport.abandon()
      mirror?.stop()
      throw error
    }
    return createClient<S>(transport)
  } catch (error) {
    taken.delete(worker)
    throw error
  }
}

function serveMirror(place: MirrorPlace): { readonly port: MessagePort; readonly stop: () => void } {
  const { port1, port2 } = new MessageChannel()
  return { port: port2, stop: servePlace(place, port1) }
}

function checkOptions({ name, durability = 'strict' }: OpenMemoryOptions): void {
  if (typeof name !== 'string' || name.trim() === '' || name.length > 200) {
    throw invalid('name', 'must have 1 to 200 characters')
  }
  if (!['strict', 'mirrored', 'relaxed'].includes(durability))
    throw invalid('durability', "must be 'strict', 'mirrored' or 'relaxed'")
}

function openRequest(options: OpenMemoryOptions): OpenRequest {
  const { name, durability = 'strict', ephemeral = false } = options
  const timeZone = options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  if (ephemeral) return { name, durability: 'ephemeral', timeZone }
  const { atRest, ifLost } = options
  const knownStoreId = recallStore(name)
  return {
    name,
    durability,
    timeZone,
    ...(atRest === undefined ? {} : { atRest }),
    ...(ifLost === undefined ? {} : { ifLost }),
    ...(knownStoreId === undefined ? {} : { knownStoreId }),
  }
}

function invalid(field: string, problem: string): MemoryError {
  return new MemoryError('INVALID_ARGUMENT', `\`${field}\` ${problem}`, { field })
}
