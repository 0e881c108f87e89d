/** Shows what needs the memory once it is open, and says so where it is not. */
import { Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../look/error-notice.tsx'
import styles from './home-gate.module.css'
import { openHomeStore } from './home-store.ts'
import { HomeContext, useHomeState } from './use-home.ts'

export function HomeGate({ children }: { readonly children: ReactNode }) {
  const state = useHomeState()
  if (state.status === 'open') return <HomeContext value={state}>{children}</HomeContext>
  return (
    <main className={styles.gate}>
      {state.status === 'opening' ? (
        <p role="status" className={styles.opening}>
          <Loader size="sm" aria-hidden /> Opening your memory…
        </p>
      ) : (
        <ErrorNotice error={state.error} action={{ label: 'Open again', run: () => void openHomeStore() }} />
      )}
    </main>
  )
}
