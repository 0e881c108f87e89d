/** Shows what needs the memory once it is open, and says so where it is not. */
import { Loader } from '@mantine/core'
import type { MemoryError } from '@palimpsest/core'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../look/error-notice.tsx'
import styles from './home-gate.module.css'
import { openHomeStore } from './home-store.ts'
import { RestoredNotice } from './restored-notice.tsx'
import { HomeContext, useHomeState } from './use-home.ts'

export function HomeGate({ children }: { readonly children: ReactNode }) {
  const state = useHomeState()
  if (state.status === 'open')
    return (
      <HomeContext value={state}>
        <RestoredNotice restored={state.home.restored} />
        {children}
      </HomeContext>
    )
  return (
    <main className={styles.gate}>
      {state.status === 'opening' ? (
        <p role="status" className={styles.opening}>
          <Loader size="sm" aria-hidden /> Opening your memory…
        </p>
      ) : (
        <NotOpen error={state.error} />
      )}
    </main>
  )
}

function NotOpen({ error }: { readonly error: MemoryError }) {
  if (error.code !== 'STORE_LOST')
    return <ErrorNotice error={error} action={{ label: 'Open again', run: () => void openHomeStore() }} />
  return (
    <ErrorNotice
      error={error}
      title="The browser has lost your memory"
      todo="Begin an empty memory, then bring yours back with Import, if you have an exported file."
      action={{ label: 'Begin an empty memory', run: () => void openHomeStore('startNew') }}
    />
  )
}
