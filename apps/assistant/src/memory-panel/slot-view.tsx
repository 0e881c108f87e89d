/** One thing that is known about somebody: its value now, and below it what held before and what is to hold. */
import { Button } from '@mantine/core'
import { useId, useState } from 'react'
import { useOverlays } from '../overlays/overlays-context.ts'
import { slotWords } from '../talk/clauses.ts'
import { countWords, listWords } from '../talk/counts.ts'
import { plainWords } from '../talk/names.ts'
import { FactView } from './fact-view.tsx'
import styles from './memory-panel.module.css'
import type { Slot } from './slots.ts'

export function SlotView({ slot, now }: { readonly slot: Slot; readonly now: string }) {
  const { planForget } = useOverlays()
  const [open, setOpen] = useState(false)
  const history = useId()
  const { subject, attribute, current, later, earlier } = slot
  const label = plainWords(attribute)
  const counts = listWords([later.length === 0 ? '' : `${later.length} to come`, countWords(earlier.length, 'earlier value')])
  // All of the history may have gone while it was open.
  const shown = open && counts !== ''
  return (
    <article className={styles.slot} aria-label={label}>
      <h4 dir="auto">{label}</h4>
      {current.map(fact => (
        <FactView key={fact.id} fact={fact} place="current" now={now} />
      ))}
      {current.length === 0 && <p className={styles.none}>Nothing holds now.</p>}
      {counts !== '' && (
        <Button
          className={styles.more}
          variant="subtle"
          size="compact-xs"
          aria-expanded={open}
          aria-controls={history}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Hide history' : `History: ${counts}`}
        </Button>
      )}
      <div id={history} hidden={!shown}>
        {shown && (
          <>
            {later.map(fact => (
              <FactView key={fact.id} fact={fact} place="later" now={now} />
            ))}
            {earlier.map(fact => (
              <FactView key={fact.id} fact={fact} place="earlier" now={now} />
            ))}
            <Button
              className={styles.more}
              variant="subtle"
              size="compact-xs"
              onClick={() => planForget({ subject, attribute }, `${slotWords(subject, attribute)}, with its history`)}
            >
              Forget all of it…
            </Button>
          </>
        )}
      </div>
    </article>
  )
}
