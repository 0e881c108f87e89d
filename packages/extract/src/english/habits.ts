/**
 * Habits: "I no longer eat meat since March", "I don't drink", "I quit smoking", "I am vegan".
 *
 * Eating, drinking and smoking are flags (`eats_meat` false from March 1st), not retractions: that somebody does not eat
 * meat is worth knowing, and so is from when. A diet by name is the attribute `diet`.
 */
import type { Scene } from '../scene.ts'
import type { Statement } from '../statement.ts'
import { type Clause, HAPPENED, PRESENT, type PersonHead, type Rule, state, timed } from './clause.ts'
import { snakeCase } from './nouns.ts'
import { splitList } from './values.ts'

const FOODS = new Set(
  'meat|red meat|pork|beef|chicken|poultry|lamb|fish|seafood|shellfish|shrimp|dairy|cheese|butter|eggs|gluten|wheat|bread|sugar|sweets|chocolate|nuts|peanuts|soy|tofu|mushrooms|tomatoes|onions|garlic|fruit|vegetables|rice|pasta|fast food|junk food|animal products|carbs|breakfast|spicy food'.split(
    '|',
  ),
)
const DRINKS = new Set(
  'alcohol|beer|wine|coffee|tea|milk|soda|cola|caffeine|spirits|whisky|whiskey|energy drinks|juice'.split('|'),
)
const DIETS =
  /^(?:vegetarian|vegan|pescatarian|pescetarian|flexitarian|keto|paleo|kosher|halal|gluten[- ]free|lactose[- ]intolerant|lactose[- ]free)$/iu

export const habits: readonly Rule<PersonHead>[] = [
  {
    says: 'I no longer eat meat since March',
    pattern:
      /^(?:(?:started|began|have started|have begun) )?(?<verb>eats?|eating|drinks?|drinking|consumes?|consuming)(?: any)? (?<rest>.+)$/iu,
    read: ({ verb = '', rest = '' }, head, clause, scene) =>
      flags(/^drink/iu.test(verb) ? 'drinks' : 'eats', rest, head, clause, scene),
  },
  {
    says: 'I gave up meat',
    pattern: /^(?:(?:have|has) )?(?:gave up|given up|cut out|stopped|quit|went off|went without) (?<rest>.+)$/iu,
    read({ rest = '' }, head, clause, scene) {
      if (head.polarity !== 'affirmed') return undefined
      const ended: PersonHead = { ...head, polarity: 'ended' }
      const found = timed(rest, clause, scene, HAPPENED)
      if (found && /^(?:smoking|cigarettes|smokes)$/iu.test(found.rest)) return flag('smokes', ended, found.times.from, scene)
      return flags('drinks', rest, ended, clause, scene) ?? flags('eats', rest, ended, clause, scene)
    },
  },
  {
    says: 'I do not drink',
    pattern: /^(?<verb>drinks?|drinking|smokes?|smoking)(?: at all)?(?<rest> .+)?$/iu,
    read({ verb = '', rest = '' }, head, clause, scene) {
      const found = timed(rest, clause, scene, HAPPENED)
      if (found === undefined || !/^(?:cigarettes|tobacco|at all)?$/iu.test(found.rest.trim())) return undefined
      const attribute = /^smok/iu.test(verb) ? 'smokes' : 'drinks_alcohol'
      // "I drink" alone may be said of water.
      return attribute === 'drinks_alcohol' && head.polarity === 'affirmed'
        ? undefined
        : flag(attribute, head, found.times.from, scene)
    },
  },
  {
    says: 'I am vegan since 2020',
    pattern:
      /^(?:am|is|went|became|turned|have been|has been|have become|have gone|eat|eats)(?: now| a| an| on a| strictly)* (?<rest>.+)$/iu,
    read({ rest = '' }, head, clause, scene) {
      const found = timed(rest, clause, scene, { ...HAPPENED, duration: 'back' })
      const diet = found?.rest.replace(/ (?:diet|now)$/iu, '').replace(/^strict(?:ly)? /iu, '')
      return found && diet && DIETS.test(diet) ? state(head, 'diet', diet.toLowerCase(), found.times, scene) : undefined
    },
  },
]

/** One flag for each food or drink of the list; nothing where one of them is neither. */
function flags(
  verb: 'eats' | 'drinks',
  text: string,
  head: PersonHead,
  clause: Clause,
  scene: Scene,
): readonly Statement[] | undefined {
  const found = timed(text, clause, scene, verb === 'eats' && head.polarity === 'affirmed' ? PRESENT : HAPPENED)
  const things = splitList(found?.rest ?? '').map(thing => thing.toLowerCase().replace(/^(?:any|or) /u, ''))
  const known = verb === 'eats' ? FOODS : DRINKS
  if (found === undefined || things.length === 0 || !things.every(thing => known.has(thing)) || found.times.until !== null)
    return undefined
  return things.flatMap(thing => flag(`${verb}_${snakeCase(thing)}`, head, found.times.from, scene))
}

function flag(attribute: string, head: PersonHead, from: string | null, scene: Scene): readonly Statement[] {
  if (head.polarity === 'past') return state(head, attribute, true, { from: null, until: from }, scene)
  return [
    { subject: head.subject, attribute, value: head.polarity === 'affirmed', ended: false, from, until: null, confidence: 0.9 },
  ]
}
