/** The talk: its log, and the place to type. */
import { useCallback, useRef, useState } from 'react'
import { toMemoryError, type MemoryError } from '@palimpsest/core'
import { useHome } from '../home/use-home.ts'
import { failWith } from '../home/home-store.ts'
import { ErrorNotice } from '../look/error-notice.tsx'
import { Composer } from './composer.tsx'
import { Log } from './log.tsx'
import { say } from './say.ts'
import styles from './talk.module.css'

/** A text that was sent from this page. */
export interface Pending {
  /** Counts the texts sent from this page. */
  readonly key: number
  /** Undefined once it was read back: from then on only memory has it, and can forget it. */
  readonly text: string | undefined
  /** The episode it became, once that is known. */
  readonly episode: string | undefined
}

export function Talk({ className }: { readonly className?: string | undefined }) {
  const { home } = useHome()
  const [pending, setPending] = useState<readonly Pending[]>([])
  const [error, setError] = useState<MemoryError>()
  const [draft, setDraft] = useState('')
  const box = useRef<HTMLTextAreaElement>(null)
  const sent = useRef(0)
  const queue = useRef<Promise<void>>(Promise.resolve())

  const send = useCallback(
    (text: string) => {
      const key = ++sent.current
      setError(undefined)
      setDraft('')
      setPending(before => [...before, { key, text, episode: undefined }])
      // One after the other: "it" in the second text may mean what the first one names.
      queue.current = queue.current.then(async () => {
        try {
          const episode = await say(home, text)
          setPending(before => before.map(one => (one.key === key ? { ...one, episode } : one)))
        } catch (reason) {
          const failure = toMemoryError(reason)
          setPending(before => before.filter(one => one.key !== key))
          if (failure.code === 'WORKER_LOST') return failWith(failure)
          setError(failure)
          // Nothing that was typed is lost: it comes back to be sent again, unless it is in memory already.
          if (failure.code !== 'EXTRACTION_FAILED') setDraft(typed => (typed === '' ? text : typed))
        }
      })
    },
    [home],
  )

  const onStored = useCallback((episodes: ReadonlySet<string>) => {
    const isNew = ({ text, episode }: Pending): boolean => text !== undefined && episode !== undefined && episodes.has(episode)
    setPending(before => (before.some(isNew) ? before.map(one => (isNew(one) ? { ...one, text: undefined } : one)) : before))
  }, [])
  const pick = useCallback((text: string) => {
    setDraft(text)
    box.current?.focus()
  }, [])

  return (
    <section className={`${styles.talk} ${className ?? ''}`} aria-label="Talk">
      <Log pending={pending} onStored={onStored} onPick={pick} />
      <div className={styles.foot}>
        {error !== undefined && <ErrorNotice error={error} onClose={() => setError(undefined)} />}
        <Composer box={box} draft={draft} onDraft={setDraft} onSend={send} />
      </div>
    </section>
  )
}
