/** The memory as this page holds it: one tenant, through two handles. */
import { openMemory } from '@palimpsest/browser'
import type { Memory, TenantMemory } from '@palimpsest/core'
import type { schema } from '../schema.ts'
import { talkSession } from './session.ts'

export const TENANT = 'home'

export interface Home {
  readonly memory: Memory<typeof schema>
  /** For what the person says and decides. */
  readonly person: TenantMemory<typeof schema>
  /** For what the assistant says. It confirms and corrects nothing. */
  readonly assistant: TenantMemory<typeof schema>
  readonly timeZone: string
  readonly session: string
}

/** @throws {MemoryError} STORE_UNAVAILABLE, STORE_CORRUPT, WORKER_LOST, as `openMemory` */
export async function openHome(): Promise<Home> {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const worker = new Worker(new URL('../memory.worker.ts', import.meta.url), { type: 'module', name: 'memory' })
  try {
    const memory = await openMemory<typeof schema>({ name: 'assistant', worker, timeZone })
    return {
      memory,
      person: memory.tenant(TENANT, { actor: 'user' }),
      assistant: memory.tenant(TENANT, { actor: 'assistant' }),
      timeZone,
      session: talkSession(),
    }
  } catch (error) {
    worker.terminate()
    throw error
  }
}
