/** The open memory, for components below `HomeGate`. */
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Home } from './home.ts'
import { homeState, subscribeHome, type HomeState } from './home-store.ts'

export interface OpenHome {
  readonly home: Home
  /** Grows with every change, here or in another tab: read again. */
  readonly revision: number
}

export const HomeContext = createContext<OpenHome | undefined>(undefined)

export function useHome(): OpenHome {
  const open = useContext(HomeContext)
  if (open === undefined) throw new Error('useHome is for components below HomeGate')
  return open
}

export function useHomeState(): HomeState {
  return useSyncExternalStore(subscribeHome, homeState)
}
