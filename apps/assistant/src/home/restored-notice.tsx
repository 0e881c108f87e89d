/** Says that the browser had lost the memory, or its end, and that it was brought back. */
import { Alert, Text } from '@mantine/core'
import { useState } from 'react'
import type { Home } from './home.ts'

export function RestoredNotice({ restored }: Pick<Home, 'restored'>) {
  const [closed, setClosed] = useState(false)
  if (restored === undefined || closed) return null
  const { wasEmpty, damaged } = restored
  return (
    <Alert
      role="status"
      variant="outline"
      m="sm"
      title="Your memory was restored"
      withCloseButton
      closeButtonLabel="Close"
      onClose={() => setClosed(true)}
    >
      <Text size="sm">
        {wasEmpty ? 'The browser had lost it' : 'The browser had lost the end of it'}; it was brought back from its copy on this
        device.
        {damaged > 0 && ` ${damaged} of the last changes could not be read.`}
      </Text>
    </Alert>
  )
}
