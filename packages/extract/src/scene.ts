/** What a text is read against: its day, what memory holds, and what has been talked about. */
import type { CurrentValue } from '@palimpsest/core'
import { type BuiltInAttribute, builtInAttributes } from './attributes.ts'
import type { Day } from './calendar.ts'
import { type JsonValue, type Slot, fold, sameSlot } from './statement.ts'

/** Something that was talked about. `attribute` undefined: a thing that no slot is known for, so "it" cannot be resolved. */
export interface Topic {
  readonly subject: string
  readonly attribute: string | undefined
  /** What was said about it; undefined where it was only mentioned. */
  readonly value: JsonValue | undefined
}

export interface Scene {
  /** When it was said, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly at: string
  /** The day of `at` where it was said. */
  readonly today: Day
  /** The zone in which bare dates are meant. */
  readonly timeZone: string
  readonly current: readonly CurrentValue[]
  readonly attributes: Readonly<Record<string, { readonly many: boolean }>>
  /** Oldest first; grows while the text is read. */
  readonly topics: Topic[]
}

/** Whether several values hold at once; the application's declaration goes before the built-in one. */
export function isMany(scene: Pick<Scene, 'attributes'>, attribute: string): boolean {
  const builtIn: Readonly<Record<string, BuiltInAttribute | undefined>> = builtInAttributes
  const declared = Object.hasOwn(scene.attributes, attribute) ? scene.attributes[attribute] : undefined
  return (declared ?? (Object.hasOwn(builtInAttributes, attribute) ? builtIn[attribute] : undefined))?.many ?? false
}

/** What memory holds in a slot, most recently recorded last. */
export function currentIn(scene: Pick<Scene, 'current'>, slot: Slot): readonly CurrentValue[] {
  return scene.current.filter(known => sameSlot(known, slot))
}

export function isKnownSubject(scene: Pick<Scene, 'current'>, subject: string): boolean {
  return scene.current.some(known => fold(known.subject) === fold(subject))
}
