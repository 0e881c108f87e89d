/** Statements that were kept but do not hold until the person decides. */
import { Button, Group } from '@mantine/core'
import { useAction } from '../home/use-action.ts'
import { useHome } from '../home/use-home.ts'
import { useRead } from '../home/use-read.ts'
import { ErrorNotice } from '../look/error-notice.tsx'
import { clause, slotWords } from '../talk/clauses.ts'
import { sentenceCase } from '../talk/names.ts'
import { Evidence } from './evidence.tsx'
import styles from './memory-panel.module.css'
import { useUndo } from './undo.tsx'

export function WaitingView() {
  const { home } = useHome()
  const offerUndo = useUndo()
  const { busy, error, run, clear } = useAction()
  const { value: waiting = [] } = useRead(({ person }) => person.review(), [])
  if (waiting.length === 0) return null
  return (
    <section aria-label="Waiting for you" className={styles.subject}>
      <h3>Waiting for you</h3>
      {error !== undefined && <ErrorNotice error={error} onClose={clear} />}
      {waiting.map(({ id, subject, attribute, value, sources }) => {
        const words = value === undefined ? `${slotWords(subject, attribute)} ended` : clause({ subject, attribute, value })
        return (
          <article key={id} className={styles.slot}>
            <p dir="auto">{sentenceCase(words)}?</p>
            <Evidence sources={sources} now={new Date().toISOString()} />
            <Group gap="xs">
              <Button
                size="compact-sm"
                loading={busy}
                onClick={() => void run(async () => offerUndo(`Confirmed: ${words}.`, await home.person.confirm(id)))}
              >
                Confirm
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                loading={busy}
                onClick={() => void run(async () => offerUndo(`Rejected: ${words}.`, await home.person.reject(id)))}
              >
                Not true
              </Button>
            </Group>
          </article>
        )
      })}
    </section>
  )
}
