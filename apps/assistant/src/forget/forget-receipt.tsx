/** What was done, and what could not be reached from here. */
import { Button, Code, Group, Text } from '@mantine/core'
import type { ForgetResult } from '@palimpsest/core'
import { countWords, listWords } from '../talk/counts.ts'

export function ForgetReceipt({ result, onClose }: { readonly result: ForgetResult; readonly onClose: () => void }) {
  const { erasure, episodes, assertions, redactions } = result
  const went = listWords([countWords(assertions, 'statement'), countWords(episodes, 'message')])
  const done = [went === '' ? '' : `${went} went`, countWords(redactions, 'passage', 'blacked out')].filter(Boolean).join('; ')
  return (
    <div role="status">
      <Text>{done === '' ? 'There was nothing left to forget.' : `${done}. No answer and no list returns it any more.`}</Text>
      <Text size="sm" mt="sm">
        Files that you exported before still hold it. Importing one of them here does not bring it back.
      </Text>
      <Text size="sm" mt="sm">
        Receipt: <Code>{erasure}</Code>
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose} autoFocus>
          Done
        </Button>
      </Group>
    </div>
  )
}
