/** Episode: raw input, kept as it came. Merge: union by id, minus erased ones. */
import * as z from 'zod'
import type { Author, EpisodeKind } from '../memory.ts'
import { clock, id, millisecond, text } from './fields.ts'

export interface EpisodeRecord {
  readonly kind: 'episode'
  readonly id: string
  readonly clock: string
  /** When it was said; to the millisecond. */
  readonly at: string
  readonly author: Author
  readonly episodeKind: EpisodeKind
  readonly text: string
  readonly timeZone?: string
  readonly session?: string
  readonly uri?: string
  readonly digest?: string
  readonly speaker?: string
  readonly place?: string
  readonly entities?: readonly string[]
  readonly tags?: readonly string[]
  readonly retention?: string
}

/** Most entities or tags of one episode. */
export const MAX_LABELS = 256

const short = text.refine(value => value.length <= 4096, 'is longer than 4096')
const labels = z.array(short).max(MAX_LABELS)

export const episodeRecord: z.ZodType<EpisodeRecord> = z.strictObject({
  kind: z.literal('episode'),
  id,
  clock,
  at: millisecond,
  author: z.enum(['user', 'assistant', 'tool', 'document', 'event']),
  episodeKind: z.enum(['message', 'tool_result', 'event', 'file', 'confirmation']),
  text,
  timeZone: short.exactOptional(),
  session: short.exactOptional(),
  uri: short.exactOptional(),
  digest: short.exactOptional(),
  speaker: short.exactOptional(),
  place: short.exactOptional(),
  entities: labels.exactOptional(),
  tags: labels.exactOptional(),
  retention: short.exactOptional(),
})
