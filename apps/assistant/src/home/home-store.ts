/**
 * Whether the memory is open, and how often it has changed. Outside React, so that a component that is drawn twice opens
 * nothing twice.
 *
 * ```
 *   opening ──▶ open ──▶ failed   (the worker was lost)
 *      └───────────────▶ failed   (it could not be opened)          failed ──reopen──▶ opening
 * ```
 */
import { MemoryError, toMemoryError } from '@palimpsest/core'
import { openHome, TENANT, type Home } from './home.ts'

export type HomeState =
  | { readonly status: 'opening' }
  /** `revision` grows with every commit of this tab or another one. */
  | { readonly status: 'open'; readonly home: Home; readonly revision: number }
  | { readonly status: 'failed'; readonly error: MemoryError }

let state: HomeState = { status: 'opening' }
let attempt = 0
const listeners = new Set<() => void>()

export function homeState(): HomeState {
  return state
}

export function subscribeHome(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** @param ifLost whether to begin an empty memory where the one there was is lost and cannot be restored */
export async function openHomeStore(ifLost: 'fail' | 'startNew' = 'fail'): Promise<void> {
  const own = ++attempt
  set({ status: 'opening' })
  try {
    const home = await openHome(ifLost)
    if (own !== attempt) return await home.memory.close()
    set({ status: 'open', home, revision: 0 })
    home.memory.on(event => {
      if (state.status !== 'open' || state.home !== home) return
      if (event.type === 'changed' && event.tenants.includes(TENANT)) set({ ...state, revision: state.revision + 1 })
      if (event.type === 'lost')
        failWith(new MemoryError('WORKER_LOST', `The memory\u2019s worker is gone: ${event.reason}`, { reason: event.reason }))
    })
  } catch (error) {
    if (own === attempt) failWith(toMemoryError(error))
  }
}

/** Says that the memory cannot be used as it is, and why. */
export function failWith(error: MemoryError): void {
  set({ status: 'failed', error })
}

function set(next: HomeState): void {
  state = next
  for (const listener of listeners) listener()
}
