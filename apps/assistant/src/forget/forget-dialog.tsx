/**
 * Forgetting, in three steps that the person sees: the plan, the doing, the receipt.
 *
 * ```
 *   planning ──▶ planned ──apply──▶ forgotten
 *      ▲            │ PLAN_STALE
 *      └──── again ─┘
 * ```
 */
import { Button, Group, Loader, Text } from '@mantine/core'
import type { ForgetPlan, ForgetResult, ForgetScope } from '@palimpsest/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useAction } from '../home/use-action.ts'
import { useHome } from '../home/use-home.ts'
import { ErrorNotice } from '../look/error-notice.tsx'
import { PageDialog } from '../look/page-dialog.tsx'
import { ForgetPreviewView } from './forget-preview.tsx'
import { ForgetReceipt } from './forget-receipt.tsx'

export interface ForgetDialogProps {
  readonly scope: ForgetScope
  /** What is to be forgotten, in words: "this message". */
  readonly what: string
  readonly onClose: () => void
}

export function ForgetDialog({ scope, what, onClose }: ForgetDialogProps) {
  const { home } = useHome()
  const { busy, error, run } = useAction()
  const [plan, setPlan] = useState<ForgetPlan>()
  const [result, setResult] = useState<ForgetResult>()
  const asked = useRef(false)

  const look = useCallback(
    () =>
      void run(async () => {
        setPlan(undefined)
        setPlan(await home.person.forget(scope))
      }),
    [home, run, scope],
  )
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    look()
  }, [look])
  const apply = () => void run(async () => setResult(await plan?.apply()))

  return (
    <PageDialog title={result === undefined ? `Forget ${what}?` : 'Forgotten'} onClose={onClose}>
      {error !== undefined && (
        <ErrorNotice error={error} {...(error.retryable ? { action: { label: 'Look again', run: look } } : {})} />
      )}
      {plan === undefined && error === undefined && (
        <Text role="status">
          <Loader size="xs" aria-hidden /> Looking at what would go…
        </Text>
      )}
      {result !== undefined && <ForgetReceipt result={result} onClose={onClose} />}
      {plan !== undefined && result === undefined && (
        <>
          <ForgetPreviewView preview={plan.preview} />
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={onClose} data-autofocus>
              Keep it
            </Button>
            <Button color="var(--danger)" loading={busy} disabled={error !== undefined} onClick={apply}>
              Forget for good
            </Button>
          </Group>
        </>
      )}
    </PageDialog>
  )
}
