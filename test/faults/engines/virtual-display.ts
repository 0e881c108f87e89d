/** An X display in memory, for a browser that has no headless mode. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'

export interface Display {
  /** `:99` */
  readonly name: string
  close(): Promise<void>
}

export async function startDisplay(xvfb: string): Promise<Display> {
  // It takes a number that is free, and says which on the descriptor that it is given.
  const server = spawn(xvfb, ['-displayfd', '3', '-screen', '0', '800x600x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const end = (): void => void server.kill('SIGTERM')
  process.once('exit', end)
  const said = server.stdio[3] as Readable
  const ended = once(server, 'exit')
  const first: unknown = await Promise.race([once(said, 'data').then(([data]: unknown[]) => data), ended.then(() => undefined)])
  if (first === undefined) throw new Error('Xvfb ended at once')
  return {
    name: `:${String(first).trim()}`,
    close: async () => {
      process.off('exit', end)
      end()
      await ended
    },
  }
}
