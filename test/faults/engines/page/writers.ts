/** The load of one tab: writers side by side, each with one operation under way, and checkpoints in between. */
import { MemoryError } from '@palimpsest/core'
import type { TenantMemory } from '@palimpsest/core'
import { LANES, operationAt, placeOf } from '../operations.ts'
import type { Operation } from '../operations.ts'
import { seededRandom } from '../seeded-random.ts'
import type { FromPage, Load } from '../tab-protocol.ts'
import type { FaultMemory } from './open-store.ts'
import type { schema } from './faults.schema.ts'

export interface Writers {
  /** Settles when every writer has stopped. */
  stop(): Promise<void>
}

type Mine = TenantMemory<typeof schema>

export function startWriters(memory: FaultMemory, load: Load, tell: (message: FromPage) => void): Writers {
  const mine = memory.tenant('home', { actor: 'user' })
  const stopping = new AbortController()
  const { signal } = stopping
  const ended = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
  const fill = async (lane: number): Promise<void> => {
    for (let n = 0; !signal.aborted; n += 1) {
      const done = await perform(mine, operationAt(load.seed, { ...load, lane, n }), tell)
      if (!done) return
    }
  }
  const fold = async (): Promise<void> => {
    const random = seededRandom(`${load.seed}/${load.cycle}.${load.tab}/checkpoints`)
    for (;;) {
      await Promise.race([pause(random.between(0, 2 * load.checkpointEveryMs)), ended])
      if (signal.aborted) return
      try {
        await memory.checkpoint()
      } catch (error) {
        tell({ failed: 'checkpoint', code: codeOf(error) })
        return
      }
    }
  }
  const running = [...Array.from({ length: LANES }, (_, lane) => fill(lane)), fold()]
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

export async function repeatOperations(
  memory: FaultMemory,
  seed: string,
  names: readonly string[],
  tell: (message: FromPage) => void,
): Promise<void> {
  const mine = memory.tenant('home', { actor: 'user' })
  for (const name of names) await perform(mine, operationAt(seed, placeOf(name)), tell)
}

/** One write, told of only once it is settled. */
async function perform(mine: Mine, operation: Operation, tell: (message: FromPage) => void): Promise<boolean> {
  const { name } = operation
  try {
    await write(mine, operation)
  } catch (error) {
    tell({ failed: name, code: codeOf(error) })
    return false
  }
  tell({ ack: name })
  return true
}

function write(mine: Mine, { name, call, facts, episode, keyed }: Operation): Promise<unknown> {
  const options = keyed ? { key: name } : {}
  const [fact] = facts
  if (call === 'assert' && fact) return mine.assert(fact, options)
  const text = episode ?? ''
  if (call === 'record') return mine.record({ text, author: 'user' }, options)
  return mine.batch(batch => {
    for (const one of facts) batch.assert(one)
    batch.record({ text, author: 'user' })
  }, options)
}

function codeOf(error: unknown): string {
  if (!MemoryError.is(error)) return String(error)
  const { reason } = error.details as { readonly reason?: unknown }
  return typeof reason === 'string' ? `${error.code}: ${reason}` : error.code
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
