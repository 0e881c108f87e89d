/** An episode as it was kept: who, when, every word, and the passage that was cited. */
import { Button, Group, Text } from '@mantine/core'
import type { Episode } from '@palimpsest/core'
import { useHome } from '../home/use-home.ts'
import { useRead } from '../home/use-read.ts'
import { ErrorNotice } from '../look/error-notice.tsx'
import { PageDialog } from '../look/page-dialog.tsx'
import { clockWords, fullDay } from '../talk/dates.ts'
import { speakerWords } from '../talk/reply.ts'
import styles from './episode-dialog.module.css'
import { useOverlays, type Passage } from './overlays-context.ts'

export interface EpisodeDialogProps {
  readonly id: string
  readonly passage: Passage | undefined
  readonly onClose: () => void
}

export function EpisodeDialog({ id, passage, onClose }: EpisodeDialogProps) {
  const { planForget } = useOverlays()
  const { value, error } = useRead(async ({ person }) => ({ episode: await person.episode(id) }), [id])
  const episode = value?.episode
  return (
    <PageDialog title="Evidence" onClose={onClose}>
      {error !== undefined && <ErrorNotice error={error} />}
      {value !== undefined && episode === undefined && <Text>This message was forgotten.</Text>}
      {episode !== undefined && (
        <>
          <Said episode={episode} passage={passage} />
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={() => planForget({ episode: id }, 'this message')}>
              Forget this message…
            </Button>
          </Group>
        </>
      )}
    </PageDialog>
  )
}

function Said({ episode, passage }: { readonly episode: Episode; readonly passage: Passage | undefined }) {
  const { home } = useHome()
  const { text, at, author, speaker, place, uri } = episode
  const { start, end } = passage ?? { start: 0, end: 0 }
  return (
    <figure className={styles.said}>
      <figcaption>
        {speakerWords(author)}
        {speaker === undefined ? '' : ` (${speaker})`} on <time dateTime={at}>{fullDay(at, home.timeZone)}</time> at{' '}
        {clockWords(at, home.timeZone)}
        {place === undefined ? '' : `, in ${place}`}
      </figcaption>
      <blockquote dir="auto">
        {text.slice(0, start)}
        {end > start && <mark>{text.slice(start, end)}</mark>}
        {text.slice(end)}
      </blockquote>
      {uri !== undefined && <p className={styles.uri}>From {uri}</p>}
    </figure>
  )
}
