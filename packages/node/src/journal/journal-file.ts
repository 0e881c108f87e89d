/**
 * One journal file, `journal-<first>-<salt>.bin`: written by one session, from its first append until the next checkpoint
 * or its end, and never appended to again. `first` is the lowest entry it may hold.
 *
 * The salt stands in the name so that damage inside cannot take the whole file with it.
 */
import { randomBytes } from 'node:crypto'
import type { Frame } from './frame.ts'

export interface JournalFileName {
  readonly name: string
  readonly first: number
  readonly salt: string
}

const NAME = /^journal-(\d{16})-([0-9a-f]{16})\.bin$/

export function journalFileName(first: number, salt: string = randomBytes(8).toString('hex')): JournalFileName {
  return { name: `journal-${String(first).padStart(16, '0')}-${salt}.bin`, first, salt }
}

/** undefined for a file of another kind. */
export function parseJournalFileName(name: string): JournalFileName | undefined {
  const [, first, salt] = NAME.exec(name) ?? []
  return first === undefined || salt === undefined ? undefined : { name, first: Number(first), salt }
}

export function isSealed(frames: readonly Frame[]): boolean {
  return frames.some(frame => frame.kind === 'seal')
}

/** The highest entry that the file holds or says it held; `first - 1` where there is none. */
export function lastSeq(frames: readonly Frame[], first: number): number {
  return frames.reduce((last, frame) => (frame.kind === 'damage' ? last : Math.max(last, frame.seq)), first - 1)
}

/**
 * Where the whole appends of a file that was not sealed end: what a crash left behind lies after it.
 *
 * An append that has another behind it was acknowledged, and so were all before it: only the last one can be torn. It is
 * whole if each of its parts is there.
 */
export function wholeAppendsEnd(frames: readonly Frame[], first: number): { readonly end: number; readonly last: number } {
  const entries = frames.filter(frame => frame.kind === 'entry')
  const newest = entries.at(-1)
  if (!newest) return { end: 0, last: first - 1 }
  const appendFirst = newest.seq - newest.part + 1
  const parts = entries.filter(frame => frame.seq - frame.part + 1 === appendFirst)
  if (parts.length === newest.parts) return { end: newest.to, last: newest.seq }
  return { end: parts[0]?.from ?? 0, last: appendFirst - 1 }
}

/**
 * Where the part of a file begins that must stay when the entries up to `dropUpTo` go; undefined where nothing of it must.
 * Damage stays unless everything that could have stood there may go.
 */
export function keptFrom(frames: readonly Frame[], last: number, dropUpTo: number): number | undefined {
  if (last <= dropUpTo) return undefined
  return frames.find((frame, i) => {
    if (frame.kind !== 'damage') return frame.seq > dropUpTo
    const next = frames[i + 1]
    return (next?.kind === 'entry' ? next.seq - 1 : last) > dropUpTo
  })?.from
}
