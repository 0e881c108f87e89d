/** What a verified file holds, before anything of it is written; then what came of it. */
import { Button, Group, Text } from '@mantine/core'
import type { ChangeSet } from '@palimpsest/core'
import type { IncomingFile } from '@palimpsest/file'
import { useState } from 'react'
import { useAction } from '../home/use-action.ts'
import { useHome } from '../home/use-home.ts'
import { ErrorNotice } from '../look/error-notice.tsx'
import { PageDialog } from '../look/page-dialog.tsx'
import { countWords } from '../talk/counts.ts'
import { clockWords, fullDay } from '../talk/dates.ts'

export interface ImportDialogProps {
  readonly name: string
  readonly file: IncomingFile
  readonly onClose: () => void
}

/** What a record of each kind is to a person, in the order in which they are listed. */
const KINDS: Readonly<Record<string, string>> = {
  episode: 'message',
  assertion: 'statement',
  decision: 'decision',
  erasure: 'forgetting',
  extraction: 'reading of a message',
  alias: 'name',
  schema: 'schema',
}

export function ImportDialog({ name, file, onClose }: ImportDialogProps) {
  const { home } = useHome()
  const { busy, error, run } = useAction()
  const [result, setResult] = useState<ChangeSet>()
  const { header, counts } = file
  const kinds = Object.keys(KINDS)
  const holds = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .toSorted(([a], [b]) => (kinds.indexOf(a) + 1 || Infinity) - (kinds.indexOf(b) + 1 || Infinity))
  const apply = () => void run(async () => setResult(await file.apply()))
  return (
    <PageDialog title={result === undefined ? 'Import this file?' : 'Imported'} onClose={onClose}>
      {error !== undefined && <ErrorNotice error={error} />}
      {result === undefined ? (
        <>
          <Text dir="auto">{name}</Text>
          <Text size="sm">
            Exported on {fullDay(header.time, home.timeZone)} at {clockWords(header.time, home.timeZone)}. The file is whole and
            unchanged. It holds:
          </Text>
          <ul>
            {holds.map(([kind, count]) => (
              <li key={kind}>{kindWords(kind, count)}</li>
            ))}
          </ul>
          <Text size="sm">
            What is here already stays as it is, what was forgotten here stays forgotten, and what the file forgets is forgotten
            here. Import only files that you exported yourself.
          </Text>
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button loading={busy} onClick={apply}>
              Import
            </Button>
          </Group>
        </>
      ) : (
        <div role="status">
          <Text>
            {result.added === 0 ? 'Nothing was new.' : `${countWords(result.added, 'record')} added.`}
            {result.identical === 0 ? '' : ` ${countWords(result.identical, 'record')} were here already.`}
          </Text>
          <Group justify="flex-end" mt="lg">
            <Button onClick={onClose} autoFocus>
              Done
            </Button>
          </Group>
        </div>
      )}
    </PageDialog>
  )
}

function kindWords(kind: string, count: number): string {
  const word = KINDS[kind] ?? `record of kind ${kind}`
  if (kind === 'extraction' && count !== 1) return `${count.toLocaleString('en-US')} readings of messages`
  return countWords(count, word)
}
