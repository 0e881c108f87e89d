/** `openMemory`: what a page calls. */
import { MemoryError, createClient } from '@palimpsest/core'
import type { Memory, Schema } from '@palimpsest/core'
import type { OpenRequest } from '../wire.ts'
import { connectWorker } from './handshake.ts'
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
  /** `strict` (default): a settled write was flushed to disk. `relaxed`: it may be lost with the power, not with the page. */
  readonly durability?: 'strict' | 'relaxed'
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
 * @throws {MemoryError} INVALID_ARGUMENT; STORE_UNAVAILABLE when IndexedDB is missing, blocked or refused; STORE_CORRUPT;
 *   READ_ONLY; WORKER_LOST when the worker's script fails or does not call `serveMemory`.
 */
export async function openMemory<S extends Schema = Schema>(options: OpenMemoryOptions): Promise<Memory<S>> {
  const request = openRequest(options)
  const { worker, callTimeoutMs } = options
  if (typeof worker?.postMessage !== 'function') throw invalid('worker', 'must be a Worker')
  if (taken.has(worker)) throw invalid('worker', 'serves another memory already')
  taken.add(worker)
  try {
    const port = await connectWorker(worker, options.startTimeoutMs ?? 30_000)
    const transport = new WorkerTransport(worker, port, {
      heartbeatMs: options.heartbeatMs ?? 30_000,
      ...(callTimeoutMs === undefined ? {} : { callTimeoutMs }),
    })
    try {
      await transport.open(request)
    } catch (error) {
      transport.abandon()
      throw error
    }
    return createClient<S>(transport)
  } catch (error) {
    taken.delete(worker)
    throw error
  }
}

function openRequest(options: OpenMemoryOptions): OpenRequest {
  const { name, durability = 'strict', ephemeral = false } = options
  const timeZone = options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  if (typeof name !== 'string' || name.trim() === '' || name.length > 200) {
    throw invalid('name', 'must have 1 to 200 characters')
  }
  if (durability !== 'strict' && durability !== 'relaxed') throw invalid('durability', "must be 'strict' or 'relaxed'")
  return { name, durability: ephemeral ? 'ephemeral' : durability, timeZone }
}

function invalid(field: string, problem: string): MemoryError {
  return new MemoryError('INVALID_ARGUMENT', `\`${field}\` ${problem}`, { field })
}
