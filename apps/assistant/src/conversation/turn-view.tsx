/** One turn: the person's words, and the reply with what it rests on. */
import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import type { Episode } from '@palimpsest/core'
import { useHome } from '../home/use-home.ts'
import { useRead } from '../home/use-read.ts'
import { useOverlays } from '../overlays/overlays-context.ts'
import { clockWords } from '../talk/dates.ts'
import type { Line, Reply } from '../talk/reply.ts'
import { replyTo } from './reply-to.ts'
import styles from './talk.module.css'
import type { Turn } from './turns.ts'

export interface TurnViewProps {
  readonly text: string
  /** Undefined while the text is on its way into memory. */
  readonly turn: Turn | undefined
}

export function TurnView({ text, turn }: TurnViewProps) {
  return (
    <>
      <div className={styles.own}>
        <VisuallyHidden>You: </VisuallyHidden>
        <p dir="auto">{text}</p>
        {turn !== undefined && <Time said={turn.said} />}
      </div>
      {turn !== undefined && <ReplyOf turn={turn} />}
    </>
  )
}

function Time({ said }: { readonly said: Episode }) {
  const { home } = useHome()
  const { showEpisode } = useOverlays()
  const time = clockWords(said.at, home.timeZone)
  return (
    <UnstyledButton className={styles.time} aria-label={`Message of ${time}`} onClick={() => showEpisode(said.id)}>
      <time dateTime={said.at}>{time}</time>
    </UnstyledButton>
  )
}

function ReplyOf({ turn }: { readonly turn: Turn }) {
  const { said, answer } = turn
  // What was said stands; it is looked at again because some of it may have been forgotten.
  const { value: reply } = useRead(home => replyTo(home, turn), [said.id, said.text, answer?.id], { settleMs: 300 })
  return reply !== undefined && reply.length > 0 ? <ReplyView reply={reply} /> : null
}

function ReplyView({ reply }: { readonly reply: Reply }) {
  return (
    <div className={styles.reply} data-testid="reply">
      <VisuallyHidden>Palimpsest: </VisuallyHidden>
      {blocksOf(reply).map((block, index) =>
        block.list ? (
          <ul key={index}>
            {block.lines.map((line, item) => (
              <li key={item} dir="auto">
                <Words line={line} />
              </li>
            ))}
          </ul>
        ) : (
          block.lines.map((line, item) => (
            <p key={`${index} ${item}`} dir="auto">
              <Words line={line} />
            </p>
          ))
        ),
      )}
    </div>
  )
}

interface Block {
  readonly list: boolean
  readonly lines: Line[]
}

/** Items that follow each other are one list. */
function blocksOf(reply: Reply): readonly Block[] {
  const blocks: Block[] = []
  for (const line of reply) {
    const list = line.item === true
    const last = blocks.at(-1)
    if (last?.list === list) last.lines.push(line)
    else blocks.push({ list, lines: [line] })
  }
  return blocks
}

function Words({ line }: { readonly line: Line }) {
  const { showEpisode } = useOverlays()
  return (
    <>
      {line.text}
      {line.citations.map(({ episode, words }) => (
        <span key={episode}>
          {' '}
          <UnstyledButton className={styles.citation} onClick={() => showEpisode(episode)}>
            {words}
          </UnstyledButton>
        </span>
      ))}
    </>
  )
}
