/**
 * What a reply is kept as: marks that name facts, never their content.
 *
 * The assistant's turn is an episode too, but its sentences are worked out again from memory whenever they are shown,
 * as memory stood when they were said. So nothing that was forgotten lives on in an old reply.
 */
import type { Outcome } from '@palimpsest/core'

export type Refusal = Exclude<Outcome['code'], 'stored' | 'held' | 'no_change'>

export type Mark =
  /** An assertion that was written. */
  | { readonly kind: 'stored' | 'held'; readonly id: string }
  /** A fact that was there already, or that ended. */
  | { readonly kind: 'known' | 'ended'; readonly id: string }
  | { readonly kind: 'refused'; readonly code: Refusal }
  /** The text asks something. */
  | { readonly kind: 'asked' }
  | { readonly kind: 'unclear' }

/** The tag of every turn of the talk, the person's and the assistant's. */
export const TALK = 'talk'

const ANSWERS = 'answers:'
const NAMED = /^(?<kind>stored|held|known|ended|refused):(?<rest>.+)$/u

/** The tags of the episode that keeps a reply to the episode `to`. */
export function replyTags(to: string, marks: readonly Mark[]): string[] {
  return [TALK, `${ANSWERS}${to}`, ...new Set(marks.map(markTag))]
}

/** The episode that a reply answers; undefined where the tags are no reply's. */
export function answeredBy(tags: readonly string[]): string | undefined {
  return tags.find(tag => tag.startsWith(ANSWERS))?.slice(ANSWERS.length)
}

export function marksOf(tags: readonly string[]): Mark[] {
  return tags.flatMap((tag): Mark[] => {
    if (tag === 'asked' || tag === 'unclear') return [{ kind: tag }]
    const { kind, rest = '' } = NAMED.exec(tag)?.groups ?? {}
    if (kind === undefined) return []
    return kind === 'refused'
      ? [{ kind, code: rest as Refusal }]
      : [{ kind: kind as 'stored' | 'held' | 'known' | 'ended', id: rest }]
  })
}

/** The text of a reply's episode, for whoever reads the memory without this page. */
export function replySummary(marks: readonly Mark[]): string {
  if (marks.some(({ kind }) => kind === 'asked')) return 'Answered from memory.'
  if (marks.some(({ kind }) => kind !== 'unclear' && kind !== 'refused')) return 'Noted.'
  return 'Nothing was noted.'
}

function markTag(mark: Mark): string {
  if (mark.kind === 'refused') return `refused:${mark.code}`
  return mark.kind === 'asked' || mark.kind === 'unclear' ? mark.kind : `${mark.kind}:${mark.id}`
}
