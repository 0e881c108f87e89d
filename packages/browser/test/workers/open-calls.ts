/** Opens a memory in calls.worker.ts, the way a page does. */
import type { Memory } from '@palimpsest/core'
import { openMemory } from '../../src/index.ts'
import type { OpenMemoryOptions } from '../../src/index.ts'

export interface OpenCalls {
  readonly memory: Memory
  readonly worker: Worker
}

const workers: Worker[] = []

export function newCallsWorker(): Worker {
  const worker = new Worker(new URL('./calls.worker.ts', import.meta.url), { type: 'module' })
  workers.push(worker)
  return worker
}

export function endWorkers(): void {
  for (const worker of workers.splice(0)) worker.terminate()
}

/** A machine that is busy is no reason for a worker to be lost. */
export const PATIENT = { heartbeatMs: 100_000, startTimeoutMs: 100_000 } as const

export async function openCalls(name: string, options: Partial<OpenMemoryOptions> = {}): Promise<OpenCalls> {
  const worker = newCallsWorker()
  return { worker, memory: await openMemory({ name, worker, ...PATIENT, ...options }) }
}
