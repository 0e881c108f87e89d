/** What somebody is, has and speaks: "I am 34 years old", "I got married in May", "I have two kids", "I speak Polish". */
import { HAPPENED, PRESENT, type PersonHead, type Rule, leadOf, state, timed } from './clause.ts'
import { readLanguage, readList, readThing, splitList } from './values.ts'

const COUNTS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
/** Things that one has or has not for long; "I have a meeting" is not among them. */
const THINGS: Readonly<Record<string, string>> = {
  car: 'car',
  dog: 'dog',
  dogs: 'dog',
  cat: 'cat',
  cats: 'cat',
  pet: 'pet',
  pets: 'pet',
  bike: 'bike',
  bicycle: 'bike',
  motorcycle: 'motorcycle',
  kids: 'children',
  children: 'children',
  siblings: 'siblings',
  "driver's license": 'drivers_license',
  "driver's licence": 'drivers_license',
  'driving licence': 'drivers_license',
  'driving license': 'drivers_license',
  tv: 'tv',
  television: 'tv',
  smartphone: 'smartphone',
}

export const traits: readonly Rule<PersonHead>[] = [
  {
    says: 'I am 34 years old',
    pattern: /^(?:am|is|turned)(?: now)? (?<age>\d{1,3})(?<unit> years old| years of age| yo| y\/o)?(?<rest> .+)?$/iu,
    read({ age = '', unit, rest = '' }, head, clause, scene) {
      const years = Number(age)
      const found = timed(rest, clause, scene, HAPPENED)
      if (found?.rest !== '' || years > 120 || (unit === undefined && years < 13)) return undefined
      return state(head, 'age', years, found.times, scene, unit === undefined ? 0.8 : 0.9)
    },
  },
  {
    says: 'I am 180 cm tall',
    pattern:
      /^(?:(?:am|is) (?<height>\d[\d.,']* ?(?:cm|m|ft|feet|"|in|inches)?(?: ?\d+ ?(?:in|inches|"|cm)?)?) tall|weighs? (?<weight>\d[\d.,]* ?(?:kg|kilos?|kilograms|lbs?|pounds|stone)))$/iu,
    read({ height, weight }, head, clause, scene) {
      return state(
        head,
        height === undefined ? 'weight' : 'height',
        (height ?? weight ?? '').trim(),
        leadOf(clause, scene),
        scene,
      )
    },
  },
  {
    says: 'I drive a Tesla',
    pattern: /^drives? an? (?<rest>\p{Lu}.*)$/u,
    read({ rest = '' }, head, clause, scene) {
      const car = readThing(rest)
      return car === undefined ? undefined : state(head, 'car', car, leadOf(clause, scene), scene, 0.8)
    },
  },
  {
    says: 'I got married in May',
    pattern:
      /^(?:am|is|are|got|have been|has been|was|became)(?: now)? (?<status>married|single|engaged|divorced|widowed)(?: to \p{Lu}\S*)?(?<rest> .+)?$/u,
    read({ status = '', rest = '' }, head, clause, scene) {
      const found = timed(rest, clause, scene, { ...HAPPENED, duration: 'back' })
      return found?.rest === '' ? state(head, 'marital_status', status, found.times, scene) : undefined
    },
  },
  {
    says: 'I have two kids and a dog, but no car',
    pattern: /^(?:have|has|have got|has got|own|owns) (?<rest>.+)$/iu,
    read({ rest = '' }, head, clause, scene) {
      const found = timed(rest, clause, scene, PRESENT)
      if (found === undefined || head.polarity === 'past') return undefined
      // All of it must be understood: "I have no car keys and …" is about something else.
      const parts = splitList(found.rest.replace(/,? but /iu, ' and ')).map(part =>
        readHaving(part, head.polarity === 'affirmed'),
      )
      if (parts.includes(undefined)) return undefined
      return parts.flatMap(part =>
        part === undefined ? [] : [{ subject: head.subject, ...part, ended: false, ...found.times, confidence: 0.85 }],
      )
    },
  },
  {
    says: 'I speak Polish and English',
    pattern: /^(?:speaks?(?: [\p{L}\d]+ languages:)?|(?:am|is) fluent in|(?:am|is) a native speaker of) (?<rest>.+)$/iu,
    read({ rest = '' }, head, clause, scene) {
      const languages = readList(rest, readLanguage)
      return languages?.flatMap(language => state(head, 'speaks', language, leadOf(clause, scene), scene))
    },
  },
]

const HAVING =
  /^(?<count>no|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|an?|any|a single)?(?: ?(?:young|small|little|grown|adult|lovely|beautiful|old|new))* ?(?<thing>[\p{L}' ]+)$/iu

/** "Two kids", "no car", "a dog". */
function readHaving(
  part: string,
  affirmed: boolean,
): { readonly attribute: string; readonly value: boolean | number } | undefined {
  const { count, thing = '' } = HAVING.exec(part)?.groups ?? {}
  const words = count?.toLowerCase() ?? ''
  const number = /^an?\b/u.test(words) ? 1 : COUNTS.includes(words) ? COUNTS.indexOf(words) : Number(words || Number.NaN)
  if (/^(?:kids?|child|children)$/iu.test(thing) && affirmed && number > 0) return { attribute: 'children_count', value: number }
  const name = Object.hasOwn(THINGS, thing.toLowerCase()) ? THINGS[thing.toLowerCase()] : undefined
  return name === undefined ? undefined : { attribute: `has_${name}`, value: affirmed && number !== 0 }
}
