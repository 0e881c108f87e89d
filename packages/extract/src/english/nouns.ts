/** Nouns: which attribute "my <noun>" is, and what may be its value. */
import { fold } from '../statement.ts'

/** How the words after "is" are read; `date` only as a date, `any` as a short noun phrase. */
export type ValueKind =
  | 'any'
  | 'name'
  | 'place'
  | 'email'
  | 'digits'
  | 'date'
  | 'thing'
  | 'things'
  | 'language'
  | 'occupation'
  | 'count'

export interface NounEntry {
  readonly attribute: string
  readonly value: ValueKind
}

/** Nouns whose value is a word or a name. Any other noun takes only a date: "my head is killing me" names nothing. */
const ENTRIES: readonly (readonly [nouns: string, attribute: string, value: ValueKind])[] = [
  ['name|full name|first name|preferred name|given name', 'name', 'name'],
  ['last name|surname|family name', 'last_name', 'name'],
  ['nickname', 'nickname', 'name'],
  ['birthday|birth date|birthdate|date of birth|bday', 'birthday', 'date'],
  ['age', 'age', 'count'],
  ['email|e-mail|email address|e-mail address|mail address', 'email', 'email'],
  ['phone|phone number|telephone|telephone number|mobile|mobile number|cell|cell number|cell phone number', 'phone', 'digits'],
  ['address|home address|postal address|mailing address', 'address', 'digits'],
  ['home|home city|city|city of residence', 'lives_in', 'place'],
  ['hometown|home town', 'hometown', 'place'],
  ['home country|country of origin|country of birth', 'origin', 'place'],
  ['birthplace|place of birth', 'birthplace', 'place'],
  ['location', 'location', 'place'],
  ['time zone|timezone', 'time_zone', 'any'],
  ['employer|company|workplace', 'employer', 'name'],
  ['job|occupation|profession|job title|title|role|position', 'job', 'occupation'],
  ['school|university|college', 'school', 'name'],
  ['major|field of study', 'field_of_study', 'any'],
  ['diet', 'diet', 'any'],
  ['nationality', 'nationality', 'any'],
  ['native language|mother tongue|first language', 'native_language', 'language'],
  ['blood type|blood group', 'blood_type', 'any'],
  ['shoe size|clothing size|shirt size|ring size|size|height|weight|zodiac sign|star sign', '', 'any'],
  ['car|bike|laptop|phone model', '', 'thing'],
  ['hobby|favorite hobby', 'hobbies', 'things'],
  ['hobbies|favorite hobbies', 'hobbies', 'things'],
  [
    'username|user name|handle|license plate|licence plate|flight number|member number|membership number|customer number|order number|booking reference|booking number|room number|seat number|seat',
    '',
    'any',
  ],
  ['airline|bank|gym|favorite', '', 'name'],
]

const NOUNS: ReadonlyMap<string, NounEntry> = new Map(
  ENTRIES.flatMap(([nouns, attribute, value]) =>
    nouns.split('|').map(noun => [noun, { attribute: attribute || snakeCase(noun), value }] as const),
  ),
)

/** Never memory: what opens a door. */
const SECRET =
  /\b(?:password|passcode|passphrase|pin|pin code|cvv|cvc|secret|token|api key|private key|ssn|social security|credit card|debit card|card number|security code|login|otp)\b/u
/** "My point is …" speaks about speaking. */
const TALK =
  /^(?:guess|bet|point|question|answer|problem|issue|idea|hope|wish|plan|advice|suggestion|opinion|view|goal|dream|fear|concern|worry|understanding|impression|thought|feeling|mood|best guess|first thought|preference|head|mind|day|life|week|morning|evening|bad|pleasure|turn|fault|only|favorite|mistake)$/u
/** "My old address was …" is not the address. */
const FORMER =
  /^(?:old|former|previous|ex|past|late|earlier|original|ideal|dream|next to last|other|second|potential|future|possible)\b[- ]/u
const PASSING = /^(?:(?:new|current|latest|updated|actual|real|present|upcoming|next|own|official|permanent|main|primary)\s+)+/u

/** Nouns that have a date. After any other word the phrase may be more than a noun: "my flight gets cancelled". */
const DATED =
  /^(?:[\p{L}'-]+ ){0,3}(?:deadline|appointment|meeting|flight|exam|interview|trip|vacation|holiday|lease|contract|visa|passport|subscription|wedding|party|concert|checkup|surgery|delivery|birthday|class|course|conference|train|test|presentation|release|launch|due date|anniversary|reservation|booking|visit|review)$/iu

export function isDatedNoun(phrase: string): boolean {
  return DATED.test(phrase)
}

function isSecret(noun: string): boolean {
  return SECRET.test(fold(noun))
}

/** The entry of a noun phrase after "my"; a date noun for phrases that are not listed; undefined where it is no slot. */
export function nounEntry(phrase: string): NounEntry | undefined {
  const noun = plainNoun(phrase)
  if (noun === undefined || isSecret(noun)) return undefined
  const listed = NOUNS.get(noun)
  if (listed !== undefined) return listed
  if (noun.endsWith(' number')) return { attribute: snakeCase(noun), value: 'digits' }
  const favorite = /^favorite (?!part|thing to|way)[\p{L}' -]+$/u.test(noun)
  const attribute = snakeCase(noun)
  return attribute === '' ? undefined : { attribute, value: favorite ? 'any' : 'date' }
}

/** Lower case, without "new" or "current", "deadline for my passport" as "passport deadline". */
export function plainNoun(phrase: string): string | undefined {
  let noun = fold(phrase).replaceAll('favourite', 'favorite').replaceAll('colour', 'color').replace(PASSING, '')
  if (FORMER.test(noun) || TALK.test(noun)) return undefined
  noun = noun.replace(/^(.+?) (?:of|for) (?:my |the )?(.+)$/u, (whole, head: string, owner: string) =>
    NOUNS.has(noun) ? whole : `${owner} ${head}`,
  )
  return noun.split(' ').length <= 5 && !/\b(?:and|or|who|which|that|when|where|i|you|we|it|my|your|is|with)\b/u.test(noun)
    ? noun
    : undefined
}

/** `passport's deadline` is `passport_deadline`. */
export function snakeCase(noun: string): string {
  return fold(noun)
    .replace(/'s?\b/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/gu, '')
}
