/** A place that the page serves to its worker. The contract and the deadlines are in remote-place.test.ts. */
import { MemoryFiles, MemoryPlace } from '@palimpsest/core'
import { afterEach, expect, test, vi } from 'vitest'
import { servePlace } from '../src/mirror/serve-place.ts'

// A worker loads its modules one by one here, and the machine may be busy.
vi.setConfig({ testTimeout: 30_000 })

const workers: Worker[] = []
afterEach(() => workers.splice(0).forEach(worker => worker.terminate()))

test('what a worker that was terminated held in the page is let go when the page stops serving, and stays as it was', async () => {
  const worker = new Worker(new URL('./workers/remote.worker.ts', import.meta.url), { type: 'module' })
  workers.push(worker)
  const files = new MemoryFiles()
  const { port1, port2 } = new MessageChannel()
  const stop = servePlace(new MemoryPlace(files), port1)
  worker.postMessage(port2, [port2])
  await new Promise(resolve => worker.addEventListener('message', resolve, { once: true }))
  expect(await new MemoryPlace(files).remove('log-1')).toBe(false)
  worker.terminate()
  stop()
  await expect.poll(() => files.held.size, { timeout: 10_000 }).toBe(0)
  expect(files.files.get('log-1')).toEqual(Uint8Array.of(1, 2, 3))
})
