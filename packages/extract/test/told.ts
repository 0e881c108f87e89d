/** What the built-in extractor makes of a text, as lines that are easy to compare. */
import type { Author, CurrentValue, ExtractionInput, MemoryUpdate } from '@palimpsest/core'
import { builtIn } from '../src/index.ts'

/** A Monday, in the afternoon in Oslo. */
export const AT = '2026-05-04T12:30:45.678Z'

export interface Around {
  /** A text is the user's, unless it begins with `Assistant: `. */
  readonly previous?: readonly string[]
  readonly current?: readonly CurrentValue[]
  readonly author?: Author
  readonly at?: string
  readonly timeZone?: string
  readonly attributes?: ExtractionInput['attributes']
}

export function extract(text: string, around: Around = {}): Promise<readonly MemoryUpdate[]> {
  return builtIn().extract({
    text,
    author: around.author ?? 'user',
    at: around.at ?? AT,
    timeZone: around.timeZone ?? 'Europe/Oslo',
    previous: said(around.previous ?? []),
    current: around.current ?? [],
    attributes: around.attributes ?? {},
  })
}

/** `subject.attribute = value`, `[from..until]` where either is known, `-` before a retraction. */
export async function told(text: string, around: Around = {}): Promise<string[]> {
  return (await extract(text, around)).map(update => {
    const times =
      update.valid_from === null && update.valid_until === null
        ? ''
        : ` [${update.valid_from ?? ''}..${update.valid_until ?? ''}]`
    const value = typeof update.value === 'string' ? update.value : JSON.stringify(update.value)
    return `${update.change === 'retract' ? '-' : ''}${update.subject}.${update.attribute} = ${value}${times}`
  })
}

export function said(texts: readonly string[]): { readonly author: Author; readonly text: string }[] {
  return texts.map(text =>
    text.startsWith('Assistant: ') ? { author: 'assistant', text: text.slice(11) } : { author: 'user', text },
  )
}

export function holds(
  subject: string,
  attribute: string,
  value: CurrentValue['value'],
  validFrom = '2026-01-01T00:00:00Z',
): CurrentValue {
  return { subject, attribute, value, validFrom }
}
