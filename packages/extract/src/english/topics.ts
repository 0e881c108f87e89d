/** Topics: which slot was talked about last, so that "it" and "she" can be resolved. */
import type { Author } from '@palimpsest/core'
import type { Scene, Topic } from '../scene.ts'
import { fold } from '../statement.ts'
import { isDatedNoun, nounEntry, snakeCase } from './nouns.ts'
import { RELATION, relationOf } from './people.ts'
import { plainWording } from './wording.ts'

export interface Said {
  readonly author: Author
  readonly text: string
}

const MENTION = new RegExp(`\\b(?<owner>my|your|our)(?: (?<relation>${RELATION})'s)? (?<noun>[\\p{L}' -]{2,60})`, 'giu')
/** Where a noun phrase ends at the latest. */
const END =
  /[,.;:!?]| (?:is|are|was|were|will|has|have|had|got|moved|changed|and|but|or|on|in|at|to|from|by|with|for|since|that|which|again|now|then|today|please|so|expires?|ends?|starts?)\b/iu

/** What a text mentions without stating it: "when is my passport deadline?", "noted: your deadline is July 15". */
export function mentionsOf(said: Said, scene: Scene): Topic[] {
  if (said.text.length > 2000) return []
  const found: Topic[] = []
  for (const match of plainWording(said.text).matchAll(MENTION)) {
    const { owner = '', relation, noun = '' } = match.groups ?? {}
    // The user's own "your" is the assistant, and the assistant's "my" itself.
    if ((fold(owner) === 'your') === (said.author === 'user')) continue
    const phrase = noun.split(END)[0]?.trim() ?? ''
    const subject = relation === undefined ? 'user' : relationOf(relation)
    const person = relationOf(phrase)
    if (subject === undefined || phrase === '') continue
    if (person !== undefined) found.push({ subject: person, attribute: undefined, value: undefined })
    else found.push(topicOf(subject, phrase, scene))
  }
  return found
}

/** The known slot that the words name, else a slot of their own, else a thing nothing is known about. */
function topicOf(subject: string, phrase: string, scene: Scene): Topic {
  const words = snakeCase(phrase).split('_')
  const candidates = [...scene.current, ...scene.topics].filter(known => {
    const parts = known.attribute?.split('_') ?? []
    return fold(known.subject) === fold(subject) && known.attribute !== undefined && words.every(word => parts.includes(word))
  })
  const attributes = new Set(candidates.map(known => known.attribute))
  const [attribute] = attributes
  if (attributes.size === 1 && attribute !== undefined) return { subject, attribute, value: candidates.at(-1)?.value }
  const listed = nounEntry(phrase)
  const named = listed !== undefined && (listed.value !== 'date' || isDatedNoun(phrase))
  return { subject, attribute: named ? listed.attribute : undefined, value: undefined }
}
