/** What a person can do about a fact: confirm, correct, reject, forget. */
import { Button, Group } from '@mantine/core'
import type { Fact } from '@palimpsest/core'
import { useState } from 'react'
import { useAction } from '../home/use-action.ts'
import { useHome } from '../home/use-home.ts'
import { ErrorNotice } from '../look/error-notice.tsx'
import { useOverlays } from '../overlays/overlays-context.ts'
import { clause } from '../talk/clauses.ts'
import { CorrectForm } from './correct-form.tsx'
import { correctFact } from './correct-fact.ts'
import { useUndo } from './undo.tsx'

export function FactActions({ fact }: { readonly fact: Fact }) {
  const { home } = useHome()
  const { person } = home
  const { planForget } = useOverlays()
  const offerUndo = useUndo()
  const { busy, error, run, clear } = useAction()
  const [correcting, setCorrecting] = useState(false)
  const words = clause(fact)
  const undecided = fact.contested.length > 0 || fact.trust !== 'user'

  const confirm = () => run(async () => offerUndo(`Confirmed: ${words}.`, await person.confirm(fact.id)))
  const reject = () => run(async () => offerUndo(`Rejected: ${words}.`, await person.reject(fact.id)))
  const correct = (value: Fact['value']) => run(() => correctFact(home, fact, value))

  return (
    <>
      {error !== undefined && <ErrorNotice error={error} onClose={clear} />}
      {correcting ? (
        <CorrectForm
          fact={fact}
          busy={busy}
          onCorrect={value => void correct(value).then(done => setCorrecting(!done))}
          onCancel={() => setCorrecting(false)}
        />
      ) : (
        <Group gap="xs">
          {undecided && (
            <Button size="compact-sm" loading={busy} onClick={() => void confirm()}>
              Confirm
            </Button>
          )}
          <Button size="compact-sm" variant="default" onClick={() => setCorrecting(true)}>
            Correct
          </Button>
          <Button size="compact-sm" variant="default" loading={busy} onClick={() => void reject()}>
            Not true
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => planForget({ fact: fact.id }, `that ${words}`)}>
            Forget…
          </Button>
        </Group>
      )}
    </>
  )
}
