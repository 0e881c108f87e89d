/** Subjects and attributes come back in normal form (lower case, snake_case); these are the words a person reads instead. */

/** The subject that stands for the person who types. */
export const SELF = 'user'

/** People whom the extractor names by what they are to the person, not by a name of their own. */
const RELATION =
  /^(?:(?:older|younger|twin) )?(?:mother|father|wife|husband|spouse|partner|girlfriend|boyfriend|fianc\u00e9e?|daughter|son|sister|brother|aunt|uncle|cousin|niece|nephew|grandmother|grandfather|(?:mother|father|sister|brother)-in-law|(?:best )?friend|roommate|flatmate|neighbor|boss|manager|colleague|coworker|assistant|landlord|doctor|dentist|therapist|teacher|lawyer|accountant|trainer|dog|cat|baby)$/u

/** `passport_deadline` is "passport deadline". */
export function plainWords(name: string): string {
  return name.replaceAll('_', ' ').replace(/\s+/gu, ' ').trim()
}

/** As the subject of a sentence: "you", "your sister", "Ann Lee". */
export function whom(subject: string): string {
  if (subject === SELF) return 'you'
  const words = plainWords(subject)
  return RELATION.test(words) ? `your ${words}` : capitals(words)
}

/** As the owner of something: "your", "your sister's", "Ann Lee's". */
export function whose(subject: string): string {
  return subject === SELF ? 'your' : `${whom(subject)}\u2019s`
}

/** As a heading: "You", "Your sister", "Ann Lee". */
export function heading(subject: string): string {
  return sentenceCase(whom(subject))
}

export function sentenceCase(text: string): string {
  const [first = ''] = text
  return first.toLocaleUpperCase('en-US') + text.slice(first.length)
}

/** A name whose capitals were folded away. */
function capitals(words: string): string {
  return words.replace(/(?<=^|[\s-])\p{Ll}/gu, letter => letter.toLocaleUpperCase('en-US'))
}
