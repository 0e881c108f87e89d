/** Sentences: where a text may be cut, with the offsets of every piece in it. */

export interface Passage {
  readonly start: number
  /** Exclusive. */
  readonly end: number
}

export interface Sentence extends Passage {
  readonly asks: boolean
}

/** Longest sentence that is read, in UTF-16 units: a plain statement is shorter. */
export const MAX_SENTENCE = 400

const ABBREVIATION =
  /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|mt|ft|jr|sr|vs|etc|inc|ltd|co|no|approx|dept|e\.g|i\.e|a\.m|p\.m|u\.s|u\.k|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|\p{Lu}|(?:\p{L}\.)+\p{L})$/iu
const BREAK =
  /[.!?\u2026]+["'\u201d\u2019\u00bb)]*(?=\s|$|\p{Extended_Pictographic})|\n+|(?<=\p{Extended_Pictographic})\s+(?=\p{Lu})/gu

export function sentencesOf(text: string): Sentence[] {
  const found: Sentence[] = []
  let start = 0
  const close = (end: number, mark: string): void => {
    const passage = trimmed(text, start, end)
    if (passage !== undefined) found.push({ ...passage, asks: mark.includes('?') })
  }
  for (const match of text.matchAll(BREAK)) {
    const before = text.slice(Math.max(start, match.index - 12), match.index)
    // "Dr. Lee", "J. R. Tolkien" and "5 p.m. on Friday" go on; a single "I." ends.
    if (
      match[0] === '.' &&
      ABBREVIATION.test(before) &&
      !/(?:^|\s)I$/u.test(before) &&
      /^.\s+\S/su.test(text.slice(match.index, match.index + 8))
    )
      continue
    close(match.index + match[0].length, match[0])
    start = match.index + match[0].length
  }
  close(text.length, '')
  return found
}

/** The passage without white space at its ends; undefined where nothing is left. */
export function trimmed(text: string, start: number, end: number): Passage | undefined {
  const piece = text.slice(start, end)
  const lead = piece.length - piece.trimStart().length
  const length = piece.trim().length
  return length === 0 ? undefined : { start: start + lead, end: start + lead + length }
}

/** The passage without the marks that close or open a sentence. */
export function withoutMarks(text: string, { start, end }: Passage): Passage | undefined {
  const piece = text.slice(start, end)
  const lead = /^[\s,;:.!?\u2026\u2013\u2014-]*/u.exec(piece)?.[0].length ?? 0
  const tail = /[\s,;:.!?\u2026\u2013\u2014]*$/u.exec(piece.slice(lead))?.[0].length ?? 0
  const stop = end - tail
  return start + lead < stop ? { start: start + lead, end: stop } : undefined
}
