/** The place to type. Enter sends, Shift+Enter begins a line. */
import { Button, Textarea } from '@mantine/core'
import type { KeyboardEvent, RefObject, SyntheticEvent } from 'react'
import { Icon } from '../look/icon.tsx'
import styles from './talk.module.css'

/** Longer texts are no messages, and a record has a limit. */
const MAX_LENGTH = 20_000

export interface ComposerProps {
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly draft: string
  readonly onDraft: (text: string) => void
  readonly onSend: (text: string) => void
}

export function Composer({ box, draft, onDraft, onSend }: ComposerProps) {
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const text = draft.trim()
    if (text !== '') onSend(text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes a word, Enter takes the word.
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event)
  }
  return (
    <form className={styles.composer} onSubmit={submit}>
      <Textarea
        ref={box}
        className={styles.box}
        aria-label="Message"
        placeholder="Tell me, or ask"
        dir="auto"
        autosize
        minRows={1}
        maxRows={6}
        maxLength={MAX_LENGTH}
        size="md"
        autoFocus
        value={draft}
        onChange={event => onDraft(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Button type="submit" size="md" rightSection={<Icon name="send" className={styles.plane} />}>
        Send
      </Button>
    </form>
  )
}
