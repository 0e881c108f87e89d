/** Preferences: "I like tea and jazz", "I can't stand cilantro", "I prefer tea to coffee". Each is many-valued. */
import type { Scene } from '../scene.ts'
import { currentIn } from '../scene.ts'
import { type Statement, type Times, sameValue } from '../statement.ts'
import { type Clause, PRESENT, type PersonHead, type Rule, state, timed } from './clause.ts'
import { readList, readThing } from './values.ts'

/** What is liked is no longer disliked, and the other way round. */
const OPPOSITE: Readonly<Record<string, string>> = { likes: 'dislikes', dislikes: 'likes' }

export const preferences: readonly Rule<PersonHead>[] = [
  {
    says: 'I like tea more than coffee',
    pattern: /^(?:likes?|loves?|enjoys?) (?<rest>.+?) (?:more|better) than .+$/iu,
    read: ({ rest = '' }, head, clause, scene) =>
      head.polarity === 'affirmed' ? each(rest, 'prefers', head, clause, scene) : undefined,
  },
  {
    says: 'I like tea',
    pattern:
      /^(?:likes?|loves?|enjoys?|adores?|liking|enjoying|(?:am|is) (?:a (?:big |huge |great )?fan of|fond of|into|crazy about|keen on)) (?<rest>.+)$/iu,
    read({ rest = '' }, head, clause, scene) {
      // "I do not like tea" is a dislike; "I no longer like tea" only ends the liking.
      if (head.polarity !== 'denied') return each(rest, 'likes', head, clause, scene)
      return each(rest, 'dislikes', { ...head, polarity: 'affirmed' }, clause, scene)
    },
  },
  {
    says: 'I hate cilantro',
    pattern:
      /^(?:hates?|dislikes?|disliking|hating|detests?|loathes?|can not (?:stand|bear)|(?:am|is) not (?:a fan of|fond of)) (?<rest>.+)$/iu,
    // "I do not hate tea" tells little.
    read: ({ rest = '' }, head, clause, scene) =>
      head.polarity === 'denied' ? undefined : each(rest, 'dislikes', head, clause, scene),
  },
  {
    says: 'I prefer tea to coffee',
    pattern: /^prefers? (?<rest>.+)$/iu,
    read({ rest = '' }, head, clause, scene) {
      if (head.polarity === 'denied') return undefined
      const chosen = rest
        .replace(/,? (?:over|rather than|instead of|more than|as opposed to|and not|not) .+$/iu, '')
        .replace(/^(?!to )(?<what>.+?) to .+$/iu, '$<what>')
      return each(chosen, 'prefers', head, clause, scene)
    },
  },
  {
    says: 'I am allergic to nuts',
    pattern: /^(?:am|is)(?: (?:severely|highly|very|deathly))? allergic to (?<rest>.+)$/iu,
    read: ({ rest = '' }, head, clause, scene) => each(rest, 'allergies', head, clause, scene),
  },
]

function each(text: string, attribute: string, head: PersonHead, clause: Clause, scene: Scene): readonly Statement[] | undefined {
  const found = timed(text.replace(/^both /iu, '').replace(/,? but (?:not|never|only) .+$/iu, ''), clause, scene, PRESENT)
  if (found === undefined) return undefined
  const things = readList(found.rest, part => readThing(part, { article: attribute === 'prefers' }))
  return things?.flatMap(thing => [
    ...state(head, attribute, thing, found.times, scene),
    ...opposite(thing, attribute, head, found.times, scene),
  ])
}

function opposite(thing: string, attribute: string, head: PersonHead, times: Times, scene: Scene): readonly Statement[] {
  const other = head.polarity === 'affirmed' ? OPPOSITE[attribute] : undefined
  if (other === undefined) return []
  const slot = { subject: head.subject, attribute: other }
  return currentIn(scene, slot)
    .filter(fact => sameValue(fact.value, thing))
    .map(fact => ({ ...slot, value: fact.value, ended: true, from: times.from, until: null, confidence: 0.85 }))
}
