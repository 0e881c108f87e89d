/** The log of the talk. It holds no text of its own: turns come from memory, and go with it. */
import { Button } from '@mantine/core'
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { useRead } from '../home/use-read.ts'
import { ErrorNotice } from '../look/error-notice.tsx'
import { calendarDay, fullDay } from '../talk/dates.ts'
import { useHome } from '../home/use-home.ts'
import { EmptyTalk } from './empty-talk.tsx'
import type { Pending } from './talk.tsx'
import styles from './talk.module.css'
import { TurnView } from './turn-view.tsx'
import { readTurns, type Turn } from './turns.ts'

const STEP = 40

export interface LogProps {
  readonly pending: readonly Pending[]
  /** These were read back from memory. */
  readonly onStored: (episodes: ReadonlySet<string>) => void
  /** An example was chosen. */
  readonly onPick: (text: string) => void
}

export function Log({ pending, onStored, onPick }: LogProps) {
  const { home } = useHome()
  const [count, setCount] = useState(STEP)
  const { value, error } = useRead(open => readTurns(open, count), [count])
  const log = useRef<HTMLDivElement>(null)
  const turns = value?.turns ?? []
  useEffect(() => {
    if (value !== undefined) onStored(new Set(value.turns.map(({ said }) => said.id)))
    // `pending` too: a text may be read back before the page knows which episode it became.
  }, [value, pending, onStored])
  useStayAtEnd(log, pending.length)

  const entries = entriesOf(turns, pending, home.timeZone)
  return (
    <div
      ref={log}
      role="log"
      aria-label="Conversation"
      aria-live="polite"
      aria-busy={value === undefined}
      tabIndex={0}
      className={styles.log}
    >
      <div className={styles.turns}>
        {error !== undefined && <ErrorNotice error={error} />}
        {value !== undefined && entries.length === 0 && <EmptyTalk onPick={onPick} />}
        {value !== undefined && value.earlier > 0 && (
          <Button variant="subtle" size="xs" onClick={() => setCount(count + STEP)}>
            Show earlier ({value.earlier})
          </Button>
        )}
        {entries.map(({ key, text, turn, day }) => (
          <div key={key} className={styles.turn}>
            {day !== undefined && <p className={styles.day}>{day}</p>}
            <TurnView text={text} turn={turn} />
          </div>
        ))}
      </div>
    </div>
  )
}

interface Entry {
  readonly key: string
  readonly text: string
  readonly turn: Turn | undefined
  /** Where a day begins. */
  readonly day: string | undefined
}

/** A text keeps the key under which it was sent, so that it is not taken for a new one, and read out twice, once it is stored. */
function entriesOf(turns: readonly Turn[], pending: readonly Pending[], timeZone: string): Entry[] {
  const keys = new Map(pending.flatMap(({ key, episode }) => (episode === undefined ? [] : [[episode, `sent-${key}`] as const])))
  const stored = new Set(turns.map(({ said }) => said.id))
  const waiting = pending.filter(({ text, episode }) => text !== undefined && (episode === undefined || !stored.has(episode)))
  return [
    ...turns.map((turn, index): Entry => {
      const { id, at, text } = turn.said
      const before = turns[index - 1]
      const begins = before === undefined || calendarDay(before.said.at, timeZone) !== calendarDay(at, timeZone)
      return { key: keys.get(id) ?? id, text, turn, day: begins ? fullDay(at, timeZone) : undefined }
    }),
    ...waiting.map(({ key, text = '' }): Entry => ({ key: `sent-${key}`, text, turn: undefined, day: undefined })),
  ]
}

/** Keeps the end of the log in view, unless the person has scrolled up; a text just sent always comes into view. */
function useStayAtEnd(log: RefObject<HTMLDivElement | null>, sent: number): void {
  const atEnd = useRef(true)
  useLayoutEffect(() => {
    atEnd.current = true
  }, [sent])
  useEffect(() => {
    const element = log.current
    const content = element?.firstElementChild
    if (!element || !content) return undefined
    let size = ''
    const onScroll = (): void => {
      // A change of size moves the log as well, and is not the person's doing.
      if (size === sizeOf(element)) atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 48
    }
    const onResize = (): void => {
      size = sizeOf(element)
      if (atEnd.current) element.scrollTop = element.scrollHeight
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    const observer = new ResizeObserver(onResize)
    observer.observe(content)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', onScroll)
      observer.disconnect()
    }
  }, [log])
}

function sizeOf({ scrollHeight, clientHeight }: HTMLElement): string {
  return `${scrollHeight} ${clientHeight}`
}
