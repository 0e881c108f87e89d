/** The passages that a fact rests on, each with who said it and when; each opens the whole message. */
import { UnstyledButton } from '@mantine/core'
import type { Source } from '@palimpsest/core'
import { useHome } from '../home/use-home.ts'
import { useOverlays } from '../overlays/overlays-context.ts'
import { onDay } from '../talk/dates.ts'
import { shorten, speakerWords } from '../talk/reply.ts'
import styles from './memory-panel.module.css'

export function Evidence({ sources, now }: { readonly sources: readonly Source[]; readonly now: string }) {
  const { home } = useHome()
  const { showEpisode } = useOverlays()
  if (sources.length === 0) return <p className={styles.none}>Stated without a message.</p>
  return (
    <ul className={styles.evidence} aria-label="Evidence">
      {sources.map(({ episode, assertion, quote, start, end, author, at }) => (
        <li key={`${assertion} ${episode} ${start}`}>
          <span className={styles.period}>
            {speakerWords(author)}
            {at === undefined ? '' : ` ${onDay(at, { now, timeZone: home.timeZone })}`}:
          </span>{' '}
          {quote === undefined ? (
            'a message that is not on this device'
          ) : (
            <UnstyledButton
              className={styles.quote}
              dir="auto"
              onClick={() => showEpisode(episode, start === undefined || end === undefined ? undefined : { start, end })}
            >
              “{shorten(quote)}”
            </UnstyledButton>
          )}
        </li>
      ))}
    </ul>
  )
}
