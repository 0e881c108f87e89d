/** What can be laid over the page, from anywhere in it. */
import type { ForgetScope } from '@palimpsest/core'
import { createContext, useContext } from 'react'

export interface Passage {
  readonly start: number
  readonly end: number
}

export interface OverlayCalls {
  /** Opens an episode, with a passage of it marked. */
  showEpisode(id: string, passage?: Passage): void
  /** Shows what forgetting `what` would do. Nothing is forgotten before the person says so there. */
  planForget(scope: ForgetScope, what: string): void
}

export const OverlaysContext = createContext<OverlayCalls | undefined>(undefined)

export function useOverlays(): OverlayCalls {
  const calls = useContext(OverlaysContext)
  if (calls === undefined) throw new Error('useOverlays is for components below Overlays')
  return calls
}
