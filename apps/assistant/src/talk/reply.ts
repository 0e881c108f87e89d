/** What the assistant says: lines of words, in which a citation stands for the passage it rests on. */
import type { Source } from '@palimpsest/core'
import { onDay, type Frame } from './dates.ts'

export interface Citation {
  readonly episode: string
  /** "You said on June 3: “Actually it moved to June 30”" */
  readonly words: string
}

export interface Line {
  readonly text: string
  readonly citations: readonly Citation[]
  /** One of a list. */
  readonly item?: true
}

export type Reply = readonly Line[]

const LONGEST_QUOTE = 160

const SPEAKERS: Readonly<Record<NonNullable<Source['author']>, string>> = {
  user: 'You said',
  assistant: 'I said',
  tool: 'A tool reported',
  document: 'A document says',
  event: 'An event recorded',
}

export function speakerWords(author: Source['author']): string {
  return author === undefined ? 'A source says' : SPEAKERS[author]
}

/** Evidence whose episode has not arrived in this memory cannot be quoted and is left out. */
function cite(source: Source, frame: Frame): Citation | undefined {
  if (source.quote === undefined) return undefined
  const when = source.at === undefined ? '' : ` ${onDay(source.at, frame)}`
  return { episode: source.episode, words: `${speakerWords(source.author)}${when}: \u201c${shorten(source.quote)}\u201d` }
}

/** The latest evidence that can be quoted: what was said last is what a person remembers. */
export function citeLatest(sources: readonly Source[], frame: Frame): readonly Citation[] {
  for (const source of sources.toReversed()) {
    const citation = cite(source, frame)
    if (citation !== undefined) return [citation]
  }
  return []
}

export function line(text: string, citations: readonly Citation[] = []): Line {
  return { text, citations }
}

export function shorten(quote: string): string {
  const flat = quote.replace(/\s+/gu, ' ').trim()
  return flat.length <= LONGEST_QUOTE
    ? flat
    : `${[...flat]
        .slice(0, LONGEST_QUOTE - 1)
        .join('')
        .trimEnd()}\u2026`
}
