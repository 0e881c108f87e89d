/** The region "Memory": what holds, what held, and what a person can do about it. */
import { Button, Group, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../home/use-read.ts'
import { FileButtons } from '../files/file-buttons.tsx'
import { ErrorNotice } from '../look/error-notice.tsx'
import { useOverlays } from '../overlays/overlays-context.ts'
import { heading } from '../talk/names.ts'
import styles from './memory-panel.module.css'
import { readFacts } from './read-facts.ts'
import { SlotView } from './slot-view.tsx'
import { nextBoundary, slotsBySubject } from './slots.ts'
import { UndoProvider } from './undo.tsx'
import { useTick } from './use-tick.ts'
import { WaitingView } from './waiting-view.tsx'

const STEP = 500

export function MemoryPanel({ className }: { readonly className?: string | undefined }) {
  const { planForget } = useOverlays()
  const [count, setCount] = useState(STEP)
  const [boundary, setBoundary] = useState<number>()
  const ticks = useTick(boundary)
  const { value, error } = useRead(
    async home => {
      const read = await readFacts(home, count)
      setBoundary(nextBoundary(read.facts, read.now))
      return { ...read, groups: slotsBySubject(read.facts, read.now) }
    },
    [count, ticks],
  )
  return (
    <section className={`${styles.panel} ${className ?? ''}`} aria-labelledby="memory-title">
      <div className={styles.head}>
        <Title order={2} id="memory-title" className={styles.title}>
          Memory
        </Title>
        <FileButtons />
      </div>
      <UndoProvider>
        {error !== undefined && <ErrorNotice error={error} />}
        <WaitingView />
        {value !== undefined && value.facts.length === 0 && (
          <Text className={styles.none}>
            No facts yet. What you tell me, and I understand, is listed here with your words as the evidence.
          </Text>
        )}
        {value?.groups.map(({ subject, slots }) => (
          <section key={subject} aria-label={heading(subject)} className={styles.subject}>
            <h3 dir="auto">{heading(subject)}</h3>
            {slots.map(slot => (
              <SlotView key={slot.attribute} slot={slot} now={value.now} />
            ))}
          </section>
        ))}
        {value?.more === true && (
          <Button variant="default" onClick={() => setCount(count + STEP)}>
            Show more
          </Button>
        )}
      </UndoProvider>
      {value !== undefined && (
        <Group className={styles.foot}>
          <Button variant="subtle" size="compact-sm" onClick={() => planForget({ tenant: true }, 'everything')}>
            Forget everything…
          </Button>
        </Group>
      )}
    </section>
  )
}
