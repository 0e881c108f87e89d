/** Quotes: "I live in Oslo" inside quotation marks, a quoted mail or a code fence is not said by the user. */
import type { Passage } from './sentences.ts'

const PAIRED =
  /"([^"\n]*)"|\u201c([^\u201d]*)\u201d|\u00ab([^\u00bb]*)\u00bb|(?<=^|[\s(:])'([^'\n]{3,})'(?=[\s.,!?;)]|$)|(?<=^|[\s(:])\u2018([^\u2019\n]{3,})\u2019(?=[\s.,!?;)]|$)/gu
const BLOCK = /```[\s\S]*?(?:```|$(?![\s\S]))|^[ \t]*>.*$/gmu

/** Passages that somebody else says. A name in quotation marks is not one of them. */
export function quotedPassages(text: string): Passage[] {
  const found: Passage[] = []
  for (const match of text.matchAll(BLOCK)) found.push({ start: match.index, end: match.index + match[0].length })
  let last = 0
  for (const match of text.matchAll(PAIRED)) {
    last = match.index + match[0].length
    const inside = match.slice(1).find(group => group !== undefined) ?? ''
    if (inside.trim().split(/\s+/u).length > 2 || /\b(?:I|my|we|our)\b/iu.test(inside))
      found.push({ start: match.index, end: last })
  }
  // A mark that is never closed: what follows it may be a quotation, up to the end of the paragraph. 5" is a measure.
  const open = text.slice(last).search(/(?<!\d)["\u201c\u00ab](?=\S)/u)
  if (open >= 0) {
    const rest = text.slice(last + open)
    const paragraph = rest.search(/\n\s*\n/u)
    found.push({ start: last + open, end: paragraph < 0 ? text.length : last + open + paragraph })
  }
  return found
}

export function overlaps(passages: readonly Passage[], { start, end }: Passage): boolean {
  return passages.some(passage => passage.start < end && start < passage.end)
}
