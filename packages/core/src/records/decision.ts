/**
 * Decision: what became of an assertion, or that an earlier decision is taken back. Merge: the latest (clock, id) that is
 * not undone; an undo names a decision's id and is absorbing.
 */
import * as z from 'zod'
import { actor, clock, id } from './fields.ts'

export interface DecisionRecord {
  readonly kind: 'decision'
  readonly id: string
  readonly clock: string
  readonly by: 'user' | 'assistant' | 'tool' | 'event' | 'document' | 'policy'
  /** `hold` suspends expiry and `extend` moves it; neither changes whether the assertion is accepted. */
  readonly verdict: 'confirm' | 'reject' | 'promote' | 'hold' | 'extend' | 'undo'
  /** The assertion; for `undo` the decision. It may not have arrived yet. */
  readonly target: string
}

export const decisionRecord: z.ZodType<DecisionRecord> = z.strictObject({
  kind: z.literal('decision'),
  id,
  clock,
  by: actor,
  verdict: z.enum(['confirm', 'reject', 'promote', 'hold', 'extend', 'undo']),
  target: id,
})
