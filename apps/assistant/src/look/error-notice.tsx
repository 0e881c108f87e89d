/** An error, in its own words, and what to do about it. */
import { Alert, Button, Text } from '@mantine/core'
import { ERROR_CODES, type MemoryError } from '@palimpsest/core'

export interface ErrorNoticeProps {
  readonly error: MemoryError
  /** What to do, where the page offers more than the table of errors says. */
  readonly todo?: string
  readonly action?: { readonly label: string; readonly run: () => void }
  readonly onClose?: () => void
}

export function ErrorNotice({ error, todo, action, onClose }: ErrorNoticeProps) {
  return (
    <Alert
      role="alert"
      variant="outline"
      color="var(--warning-ink)"
      title="That did not work"
      {...(onClose === undefined ? {} : { withCloseButton: true, closeButtonLabel: 'Close', onClose })}
    >
      <Text size="sm" dir="auto">
        {error.message}
      </Text>
      <Text size="sm">{todo ?? ERROR_CODES[error.code].todo}</Text>
      {action !== undefined && (
        <Button mt="sm" size="xs" onClick={action.run}>
          {action.label}
        </Button>
      )}
    </Alert>
  )
}
