/** Wording: "I'm" and "I am", "Oh, by the way, I …" and "I …" are read alike. Evidence is never taken from this form. */

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(I)'?m\b(?!')/gu, '$1 am'],
  [/\b(i)'m\b/gu, '$1 am'],
  [/\b(we|they|you)'re\b/giu, '$1 are'],
  [/\b(I|we|they|you)'ve\b/giu, '$1 have'],
  [/\b(I|we|they|you|he|she|it)'ll\b/giu, '$1 will'],
  [/\b(I|we|they|you|he|she|it)'d\b/giu, '$1 would'],
  [/\b(he|she|it|that|there|what|where|when|who|how)'s\b/giu, '$1 is'],
  [/\bcan(?:'t|not)\b/giu, 'can not'],
  [/\bwon't\b/giu, 'will not'],
  [/\b(do|does|did|is|are|was|were|has|have|had|would|could|should|wo)n'?t\b/giu, '$1 not'],
  [/\bfavourite\b/giu, 'favorite'],
]

/** Straight apostrophes and quotation marks, single spaces, contractions written out, pictures and smileys at the end removed. */
export function plainWording(text: string): string {
  let plain = text
    .normalize('NFC')
    .replace(/[\u2018\u2019\u02bc]/gu, "'")
    .replace(/[\u201c\u201d\u00ab\u00bb]/gu, '"')
    .replace(/\s+/gu, ' ')
    .trim()
  plain = plain.replace(/(?:[\p{Extended_Pictographic}\uFE0F\u200D]|\s|[:;]-?[)D]|[.!,])+$/gu, '')
  for (const [pattern, replacement] of CONTRACTIONS) plain = plain.replace(pattern, replacement)
  return plain
}

const MARKERS: readonly RegExp[] = [
  /^(?:actually|in fact|correction|my mistake|my bad|oops|whoops|wait|hold on|sorry|apologies|i was wrong|scratch that|i mean)\b[\s,.!:\u2014\u2013-]*/iu,
  /^(?:no|nope)(?:[,.!]+\s*(?:wait\b[\s,]*)?|\s+(?=(?:i meant|it is|it was|my|sorry|actually|wait)\b))/iu,
]
const PLAIN_MARKERS: readonly RegExp[] = [
  /^(?:oh|ah|well|ok|okay|so|also|yes|yeah|yep|yup|and|but|plus|then|anyway|finally|besides|hi there|hi|hello|hey|good morning|good evening|thanks|thank you|great|good news|bad news|update|note|fyi|btw|ps|p\.s\.)(?:[\s,.!:\u2014\u2013-]+)(?=\S)/iu,
  /^(?:by the way|just so you know|so you know|for the record|for your information|you know what|you know|to be honest|to be clear|to clarify|just to clarify|honestly|as you know|as i said|as i told you|as i mentioned|i said|the thing is|the truth is|turns out|it turns out|from what you know|for context|some context|about me|heads up|quick update)(?:[\s,.!:\u2014\u2013-]+)(?:that\s+)?(?=\S)/iu,
  /^(?:please\s+)?(?:remember|note|keep in mind|do not forget|save|know|make a note|take note|be aware)(?:\s+that|(?:\s+(?:this|the following))?\s*[:,])\s+/iu,
  /^(?:can|could|will|would) you (?:please )?(?:remember|note|save|keep in mind|make a note) that\s+/iu,
  /^i (?:already )?(?:told you|mentioned|should mention|have to say|must say|want you to (?:know|remember)|need you to (?:know|remember))(?:,)?\s+(?:that\s+)?(?=(?:i|my|we)\b)/iu,
  /^(?:[-*\u2022]|\d{1,2}[.)])\s+/u,
]
const GREETING = /^(?:hi there|hi|hello|hey|good morning|good evening)\b/iu

export interface Peeled {
  readonly text: string
  /** It began as a correction does: "no, …", "actually …". */
  readonly correcting: boolean
  /** It began with a greeting, after which "I am Mira" gives a name. */
  readonly greeting: boolean
}

/** Takes off what only leads in. */
export function peel(text: string): Peeled {
  let [rest, correcting, greeting] = [text, false, false]
  for (let round = 0; round < 6; round++) {
    const before = rest
    for (const marker of MARKERS) {
      const next = rest.replace(marker, '')
      // "I mean" and the like alone say nothing.
      if (next !== rest && next !== '') [rest, correcting] = [next, true]
    }
    if (GREETING.test(rest)) greeting = true
    for (const marker of PLAIN_MARKERS) {
      const next = rest.replace(marker, '')
      if (next !== '') rest = next
    }
    if (rest === before) break
  }
  return { text: rest, correcting, greeting }
}

/** "Can you remember that I live in Oslo?" asks for no answer. */
export function asksToRemember(text: string): boolean {
  return /^(?:can|could|will|would) you (?:please )?(?:remember|note|save|keep in mind|make a note) that\s/iu.test(text)
}

/** A whole sentence or clause that only corrects: "no", "sorry", "my mistake". */
export function isMarker(text: string): boolean {
  return /^(?:(?:oh|ah|well|no|nope|sorry|oops|whoops|wait|hold on|correction|actually|my mistake|my bad|i was wrong|that (?:is|was) (?:wrong|not right|incorrect|a mistake)|i made (?:a mistake|an error)|i was mistaken|not quite|scratch that)[\s,.!]*)+$/iu.test(
    text,
  )
}

export function isGreeting(text: string): boolean {
  return /^(?:hi there|hi|hello|hey|good (?:morning|evening|afternoon)|nice to meet you)(?: \p{L}+)?$/iu.test(text)
}
