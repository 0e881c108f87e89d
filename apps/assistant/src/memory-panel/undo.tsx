/** Says what was decided, and offers to take it back. */
import { Button, Group } from '@mantine/core'
import { createContext, useCallback, useContext, useState, type ReactNode } from 'react'
import { useAction } from '../home/use-action.ts'
import { useHome } from '../home/use-home.ts'
import { ErrorNotice } from '../look/error-notice.tsx'
import styles from './memory-panel.module.css'

/** @param decisions the ids of the decisions that were made */
export type OfferUndo = (words: string, decisions: readonly string[]) => void

const UndoContext = createContext<OfferUndo>(() => {})

export function useUndo(): OfferUndo {
  return useContext(UndoContext)
}

interface Offer {
  readonly words: string
  readonly decisions: readonly string[]
}

export function UndoProvider({ children }: { readonly children: ReactNode }) {
  const { home } = useHome()
  const { busy, error, run, clear } = useAction()
  const [offer, setOffer] = useState<Offer>()
  const offerUndo = useCallback<OfferUndo>((words, decisions) => setOffer({ words, decisions }), [])
  const undo = (decisions: readonly string[]) =>
    run(async () => {
      for (const decision of decisions) await home.person.undo(decision)
      setOffer({ words: 'Taken back.', decisions: [] })
    })
  return (
    <UndoContext value={offerUndo}>
      {error !== undefined && <ErrorNotice error={error} onClose={clear} />}
      <div role="status" className={styles.status}>
        {offer !== undefined && (
          <Group gap="xs" justify="space-between" wrap="nowrap">
            <span dir="auto">{offer.words}</span>
            {offer.decisions.length > 0 && (
              <Button size="compact-sm" variant="default" loading={busy} onClick={() => void undo(offer.decisions)}>
                Undo
              </Button>
            )}
            <Button size="compact-sm" variant="subtle" onClick={() => setOffer(undefined)}>
              Close
            </Button>
          </Group>
        )}
      </div>
      {children}
    </UndoContext>
  )
}
