/**
 * The shape of a question rule. `who` is the person asked about, `noun` a noun phrase after "my", `what` a value; a rule
 * names the attributes that the answer may stand under.
 */
import type { Scene } from '../scene.ts'
import type { JsonValue } from '../statement.ts'
import type { Groups } from './clause.ts'

export interface Asked {
  readonly attributes: readonly string[]
  readonly value?: JsonValue
  /** All there was is asked for, whatever the tense. */
  readonly history?: boolean
  /** It does not change, so "when was I born?" asks for now. */
  readonly timeless?: boolean
  /** It is only a question to memory if memory has it. */
  readonly ifKnown?: boolean
}

export interface QuestionRule {
  readonly says: string
  readonly pattern: RegExp
  read(groups: Groups, scene: Scene): Asked | undefined
}

/** A person: "I", "my sister", "my friend Bob", "she", "Ann". */
export const WHO: string = "(?<who>i|we|she|he|my [\\p{L}' -]{2,40}?|\\p{L}[\\p{L}\\p{M}'-]*)"
/** "My passport deadline", "my sister's birthday", "the deadline for my passport". */
export const NOUN: string =
  "(?<noun>(?:my|our|her|his|the|\\p{L}[\\p{L}\\p{M}-]*'s) [\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}' /-]{1,60}?)"
export const BE: string = '(?:is|was|are|were|am|will be|has been)'
export const DO: string = '(?:do|does|did)'

/** The pattern is of the whole question; case does not count. */
export function rule(says: string, pattern: string, read: QuestionRule['read']): QuestionRule {
  return { says, pattern: new RegExp(`^${pattern}$`, 'iu'), read }
}

/** A question whose words alone say what is asked. */
export function fixed(
  says: string,
  pattern: string,
  attributes: readonly string[],
  more: Omit<Asked, 'attributes'> = {},
): QuestionRule {
  return rule(says, pattern, () => ({ attributes, ...more }))
}
