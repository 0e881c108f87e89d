/** The port of extractors: from an episode to candidates. An extractor proposes; the gate decides. */
import type { Author } from './memory.ts'
import type { JsonValue } from './records/json.ts'

/** What an extractor proposes. Fields in the order in which a model should fill them. */
export interface MemoryUpdate {
  /** The exact passage of the episode that says so. */
  readonly evidence: string
  readonly subject: string
  readonly attribute: string
  /** The value that the extractor was shown as current, null where none. */
  readonly current_value: JsonValue
  readonly change: 'new' | 'update' | 'retract' | 'no_change'
  /** Null for a retraction of a single-valued attribute, or of all values. */
  readonly value: JsonValue
  /** An instant with an offset, a bare date (in the episode's zone), or null: when the episode was said. */
  readonly valid_from: string | null
  /** Exclusive end, as `valid_from`; null while no end is known. */
  readonly valid_until: string | null
  /** 0..1 */
  readonly confidence: number
}

/** A fact as an extractor is shown it. */
export interface CurrentValue {
  readonly subject: string
  readonly attribute: string
  readonly value: JsonValue
  readonly validFrom: string
}

export interface ExtractionInput {
  readonly text: string
  readonly author: Author
  /** Time of the episode, `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
  readonly at: string
  readonly timeZone: string
  /** Texts of the same session before this one, oldest first, at most 8. */
  readonly previous: readonly { readonly author: Author; readonly text: string }[]
  /** What holds at `at` in this tenant, most recently recorded last, at most 200. */
  readonly current: readonly CurrentValue[]
  /** Declared attributes: which of them are many-valued. */
  readonly attributes: Readonly<Record<string, { readonly many: boolean; readonly description?: string }>>
  readonly signal?: AbortSignal
}

export interface Extractor {
  /** Stable name, kept in the extraction record. */
  readonly name: string
  /** Raised when the same text would give other candidates. */
  readonly version: number
  extract(input: ExtractionInput): Promise<readonly MemoryUpdate[]>
}
