/** Facts in the order in which a person looks for them: the person's own first, then by whom and by what they are about. */
import type { Fact } from '@palimpsest/core'
import { SELF } from '../talk/names.ts'

export interface Slot {
  readonly subject: string
  readonly attribute: string
  /** What holds; several where the attribute has many values. */
  readonly current: readonly Fact[]
  /** What is to hold, the nearest first. */
  readonly later: readonly Fact[]
  /** What held, the latest first. */
  readonly earlier: readonly Fact[]
}

export interface SubjectSlots {
  readonly subject: string
  readonly slots: readonly Slot[]
}

/** @param now ISO 8601 */
export function slotsBySubject(facts: readonly Fact[], now: string): readonly SubjectSlots[] {
  const subjects = new Map<string, Map<string, Fact[]>>()
  for (const fact of facts) {
    const slots = subjects.get(fact.subject) ?? new Map<string, Fact[]>()
    subjects.set(fact.subject, slots.set(fact.attribute, [...(slots.get(fact.attribute) ?? []), fact]))
  }
  const byName = (a: string, b: string): number => Number(b === SELF) - Number(a === SELF) || a.localeCompare(b)
  return [...subjects.keys()].toSorted(byName).map(subject => ({
    subject,
    slots: [...(subjects.get(subject) ?? [])]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([attribute, own]) => slotOf(subject, attribute, own, now)),
  }))
}

function slotOf(subject: string, attribute: string, facts: readonly Fact[], now: string): Slot {
  const at = Date.parse(now)
  const began = (fact: Fact): boolean => Date.parse(fact.validFrom) <= at
  const over = (fact: Fact): boolean => fact.validTo !== null && Date.parse(fact.validTo) <= at
  const byStart = facts.toSorted((a, b) => Date.parse(a.validFrom) - Date.parse(b.validFrom))
  return {
    subject,
    attribute,
    current: byStart.filter(fact => began(fact) && !over(fact)),
    later: byStart.filter(fact => !began(fact)),
    earlier: byStart.filter(over).toReversed(),
  }
}

/** The next instant at which one of these facts begins or ends, in ms since 1970; undefined where none does. */
export function nextBoundary(facts: readonly Fact[], now: string): number | undefined {
  const at = Date.parse(now)
  const coming = facts
    .flatMap(({ validFrom, validTo }) => [validFrom, ...(validTo === null ? [] : [validTo])])
    .map(instant => Date.parse(instant))
    .filter(instant => instant > at)
  return coming.length === 0 ? undefined : Math.min(...coming)
}
