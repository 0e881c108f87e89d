/** Clauses: "I live in Oslo and work at Acme, but my sister lives in Paris" says three things. */
import { type Passage, type Sentence, trimmed, withoutMarks } from './sentences.ts'

const SUBJECT = `(?:(?:also|now|then|currently|actually|please) )?(?:[Ii](?:['\u2019]m|['\u2019]ve|['\u2019]d|['\u2019]ll)?|we|my|My|our|[Ss]he|[Hh]e|[Hh]er|[Hh]is|it|[Ii]t['\u2019]s|call me|people call me|everyone calls me)\\s`
/** Verbs that go on about the same person. Those that are also nouns need the word that makes them verbs. */
const VERB = `(?:(?:also|now|then|currently|really|just|still|recently) )?(?:lives? in|works? (?:at|for|as)|likes? \\p{L}|loves? \\p{L}|hates? \\p{L}|prefers? \\p{L}|dislikes? |enjoys? \\p{L}|adores? |speaks? \\p{Lu}|moved to|relocated to|have (?:a|an|no|two|three)\\b|has (?:a|an|no|two|three)\\b|am (?:a|an|allergic|from|\\d|married|single|vegan|vegetarian)\\b|is (?:a|an|allergic|from|\\d|married|single|vegan|vegetarian)\\b|don['\u2019]t |do not |doesn['\u2019]t |does not |no longer |joined |started (?:at|working)|stopped |quit (?:smoking|drinking|my)|eats? |drinks? \\p{L}|smokes?$|study \\p{L}|studies \\p{L}|was born|can['\u2019]?t stand|go by|goes by)`
const JOINT = new RegExp(
  [
    `\\s*[;]\\s*|(?::\\s+|\\s+[\u2013\u2014-]\\s+)(?=${SUBJECT})`,
    `(?:,?\\s+(?:and|but|so|because|although|though|plus|while|whereas|and that)\\s+|,\\s+)(?=${SUBJECT})`,
    // ", like TikTok" gives an example.
    `(?:,?\\s+(?:and|but|then|and then)\\s+|,\\s+(?!like\\b))(?=${VERB})`,
    // "I live in Oslo, what can I do here?" asserts before it asks.
    `,\\s+(?:so\\s+|and\\s+)?(?=(?:what|where|how|which|who|when|why|can you|could you|do you|will you|would you|any)\\b)`,
  ].join('|'),
  'gu',
)

/** The clauses of a sentence, without the marks around them. Of a question only what is asserted before it is asked. */
export function clausesOf(text: string, sentence: Sentence): Passage[] {
  const body = text.slice(sentence.start, sentence.end)
  const found: Passage[] = []
  let start = 0
  for (const match of body.matchAll(JOINT)) {
    push(text, sentence.start + start, sentence.start + match.index, found)
    start = match.index + match[0].length
  }
  const last = trimmed(text, sentence.start + start, sentence.end)
  if (!sentence.asks) {
    if (last !== undefined) push(text, last.start, last.end, found)
    return found
  }
  // "I live in Oslo, don't I?" asks for all of it; only a question of its own leaves what goes before it asserted.
  const asked = last === undefined ? '' : text.slice(last.start, last.end)
  return /^(?:what|where|how|which|who|when|why|can you|could you|do you|will you|would you|any)\b/iu.test(asked) ? found : []
}

function push(text: string, start: number, end: number, found: Passage[]): void {
  const passage = withoutMarks(text, { start, end })
  if (passage !== undefined) found.push(passage)
}
