/** An error, in its own words, and what to do about it. */
import { Alert, Button, Text } from '@mantine/core'
import type { MemoryError } from '@palimpsest/core'

export interface ErrorNoticeProps {
  readonly error: MemoryError
  /** What happened, in the person's words, where the page knows them. */
  readonly title?: string
  /** What to do, where the page offers more than the table of errors says. */
  readonly todo?: string
  readonly action?: { readonly label: string; readonly run: () => void }
  readonly onClose?: () => void
}

export function ErrorNotice({ error, title = 'That did not work', todo, action, onClose }: ErrorNoticeProps) {
  return (
    <Alert
      role="alert"
      variant="outline"
      color="var(--warning-ink)"
      title={title}
      {...(onClose === undefined ? {} : { withCloseButton: true, closeButtonLabel: 'Close', onClose })}
    >
      <Text size="sm" dir="auto">
        {/[.!?]$/u.test(error.message) ? error.message : `${error.message}.`}
      </Text>
      <Text size="sm" mt="xs">
        {todo ?? error.todo}
      </Text>
      {action !== undefined && (
        <Button mt="sm" size="xs" onClick={action.run}>
          {action.label}
        </Button>
      )}
    </Alert>
  )
}
