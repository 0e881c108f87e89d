/** The memory as this page holds it: one tenant, through two handles. */
import { openMemory } from '@palimpsest/browser'
import type { Health, Memory, TenantMemory } from '@palimpsest/core'
import type { schema } from '../schema.ts'
import { desktopMirror } from './desktop-mirror.ts'
import { talkSession } from './session.ts'

export const TENANT = 'home'
const STORE = 'assistant'

export interface Home {
  readonly memory: Memory<typeof schema>
  /** For what the person says and decides. */
  readonly person: TenantMemory<typeof schema>
  /** For what the assistant says. It confirms and corrects nothing. */
  readonly assistant: TenantMemory<typeof schema>
  readonly timeZone: string
  readonly session: string
  /** What the browser had lost when the memory was opened, and what came back. */
  readonly restored: Health['restored']
}

/**
 * @param ifLost as `openMemory`
 * @throws {MemoryError} STORE_UNAVAILABLE, STORE_CORRUPT, STORE_LOST, WORKER_LOST, as `openMemory`
 */
export async function openHome(ifLost: 'fail' | 'startNew'): Promise<Home> {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const worker = new Worker(new URL('../memory.worker.ts', import.meta.url), { type: 'module', name: 'memory' })
  try {
    const mirror = desktopMirror(STORE)
    const memory = await openMemory<typeof schema>({
      name: STORE,
      worker,
      timeZone,
      ifLost,
      ...(mirror === undefined ? {} : { mirror }),
    })
    const { restored } = await memory.health()
    return {
      memory,
      restored,
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
