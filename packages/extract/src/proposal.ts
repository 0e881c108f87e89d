/** Proposals: what was read, beside what memory holds, becomes candidates. */
import type { CurrentValue, MemoryUpdate } from '@palimpsest/core'
import { dayAt } from './calendar.ts'
import { type Scene, currentIn, isMany } from './scene.ts'
import { type Reading, type Statement, sameSlot, sameValue } from './statement.ts'

export function proposals(text: string, readings: readonly Reading[], scene: Scene): MemoryUpdate[] {
  return settle(readings, scene).flatMap(reading => propose(text, reading, scene))
}

/** What a text takes back or says twice in itself is said once, as it stood at the end. */
function settle(readings: readonly Reading[], scene: Scene): Reading[] {
  let kept: Reading[] = []
  for (const reading of readings) {
    const { statement } = reading
    const { instead } = statement
    let { from, until } = statement
    kept = kept.filter(({ statement: before }) => {
      if (!sameSlot(before, statement)) return true
      if (instead !== undefined && sameValue(before.value, instead)) {
        // Said by mistake a moment ago: the right value holds when the wrong one was said to.
        ;[from, until] = [from ?? before.from, until ?? before.until]
        return false
      }
      if (isMany(scene, before.attribute)) return !sameValue(before.value, statement.value) || before.ended !== statement.ended
      return before.from !== statement.from || before.until !== statement.until
    })
    kept.push({ ...reading, statement: { ...statement, from, until } })
  }
  return kept
}

function propose(text: string, { statement, start, end }: Reading, scene: Scene): MemoryUpdate[] {
  const many = isMany(scene, statement.attribute)
  const known = currentIn(scene, statement)
  const current = many ? known.find(fact => sameValue(fact.value, statement.value)) : known.at(-1)
  const update: MemoryUpdate = {
    evidence: text.slice(start, end),
    subject: statement.subject,
    attribute: statement.attribute,
    current_value: current?.value ?? null,
    change: changeOf(statement, current, scene.timeZone),
    value: statement.value,
    valid_from: statement.from,
    valid_until: statement.until,
    confidence: statement.confidence,
  }
  const mistaken =
    many && statement.instead !== undefined ? known.find(fact => sameValue(fact.value, statement.instead ?? null)) : undefined
  const updates = mistaken === undefined ? [update] : [update, ended(update, mistaken)]
  return outlasted(statement, current, scene) ? [...updates, { ...update, valid_from: null }] : updates
}

/** The same value again is no change, unless it is now said to hold from earlier, or to an end. */
function changeOf(statement: Statement, current: CurrentValue | undefined, timeZone: string): MemoryUpdate['change'] {
  if (statement.ended) return 'retract'
  if (current === undefined) return 'new'
  const earlier = statement.from !== null && statement.from.slice(0, 10) < dayAt(current.validFrom, timeZone)
  return sameValue(current.value, statement.value) && statement.until === null && !earlier ? 'no_change' : 'update'
}

/**
 * Whether a statement about now would be hidden. What starts latest holds: after "I live in Oslo" on May 1, "I moved to
 * Bergen on April 20" alone would leave Oslo standing, so it is stated from April 20 and from when it was said.
 */
function outlasted(statement: Statement, current: CurrentValue | undefined, scene: Scene): boolean {
  if (statement.from === null || statement.until !== null || current === undefined || statement.from > scene.at) return false
  const differs = statement.ended || !sameValue(current.value, statement.value)
  return (
    differs &&
    statement.from.length === 10 &&
    statement.from <= scene.today &&
    statement.from < dayAt(current.validFrom, scene.timeZone)
  )
}

function ended(update: MemoryUpdate, mistaken: CurrentValue): MemoryUpdate {
  return {
    ...update,
    current_value: mistaken.value,
    change: 'retract',
    value: mistaken.value,
    valid_from: null,
    valid_until: null,
  }
}
