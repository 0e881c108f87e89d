/** What a forgetting would do, item by item, as the plan says it. */
import { Text } from '@mantine/core'
import type { ForgetPreview } from '@palimpsest/core'
import { useHome } from '../home/use-home.ts'
import { clause, clauseAt, slotWords } from '../talk/clauses.ts'
import { periodWords, type Frame } from '../talk/dates.ts'
import { sentenceCase } from '../talk/names.ts'
import styles from './forget.module.css'

/** A longer list is cut, and says by how much. */
const MOST_SHOWN = 200

export function ForgetPreviewView({ preview }: { readonly preview: ForgetPreview }) {
  const { home } = useHome()
  const frame: Frame = { now: new Date().toISOString(), timeZone: home.timeZone }
  const fact = (one: ForgetPreview['gone'][number]): string =>
    `${sentenceCase(clauseAt(one, frame.now))}, ${periodWords(one.validFrom, one.validTo, frame)}`
  const statements = preview.assertions.map(({ subject, attribute, value }) =>
    value === undefined ? `That ${slotWords(subject, attribute)} ended` : sentenceCase(clause({ subject, attribute, value })),
  )
  const nothing = [preview.gone, preview.assertions, preview.episodes, preview.redactions, preview.resumed].every(
    list => list.length === 0,
  )
  return (
    <>
      {nothing && <Text>Nothing would change: there is nothing left of it.</Text>}
      <Section title="Facts that go" texts={preview.gone.map(fact)} />
      <Section title="Statements that go" texts={statements} />
      <Section title="Messages that go, whole" texts={preview.episodes.map(({ text }) => `\u201c${text}\u201d`)} />
      <Section title="Passages that are blacked out" texts={preview.redactions.map(({ quote }) => `\u201c${quote}\u201d`)} />
      <Section title="Facts that hold again" texts={preview.resumed.map(fact)} none="None." />
      <Text size="sm" className={styles.note}>
        This cannot be undone. Files that you exported before still hold it.
      </Text>
    </>
  )
}

function Section({ title, texts, none }: { readonly title: string; readonly texts: readonly string[]; readonly none?: string }) {
  if (texts.length === 0 && none === undefined) return null
  return (
    <section className={styles.section}>
      <h3>{title}</h3>
      {texts.length === 0 ? <p>{none}</p> : null}
      {texts.length > 0 && (
        <ul>
          {texts.slice(0, MOST_SHOWN).map((text, index) => (
            <li key={index} dir="auto">
              {text}
            </li>
          ))}
        </ul>
      )}
      {texts.length > MOST_SHOWN && <p>and {texts.length - MOST_SHOWN} more</p>}
    </section>
  )
}
