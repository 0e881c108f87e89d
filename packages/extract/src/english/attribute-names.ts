/** Attribute names: which of the attributes that memory has a question's words may mean. */
import type { Scene } from '../scene.ts'
import { fold } from '../statement.ts'

/** Other names under which memory may keep the same, best first. */
const ALIKE: Readonly<Record<string, readonly string[]>> = {
  name: ['preferred_name', 'full_name', 'first_name', 'nickname'],
  lives_in: ['home_city', 'city', 'residence', 'home', 'current_city', 'country', 'address'],
  location: ['current_location', 'whereabouts', 'lives_in'],
  employer: ['company', 'works_at', 'workplace', 'works_for'],
  job: ['occupation', 'profession', 'job_title', 'role', 'position', 'works_as'],
  school: ['university', 'college', 'studies_at'],
  field_of_study: ['major', 'studies'],
  birthday: ['birth_date', 'date_of_birth', 'birthdate', 'born_on'],
  birthplace: ['place_of_birth', 'born_in'],
  origin: ['home_country', 'hometown', 'country_of_origin', 'from', 'birthplace'],
  age: ['birthday', 'birth_date', 'date_of_birth'],
  email: ['email_address', 'e_mail'],
  phone: ['phone_number', 'mobile', 'telephone'],
  likes: ['loves', 'enjoys', 'interests', 'hobbies'],
  dislikes: ['hates'],
  prefers: ['preference', 'preferences'],
  hobbies: ['hobby', 'interests'],
  speaks: ['languages', 'language', 'native_language'],
  allergies: ['allergy', 'allergic_to'],
  marital_status: ['relationship_status', 'married', 'spouse'],
  children_count: ['number_of_children', 'children', 'kids', 'has_children'],
  diet: ['eats_meat', 'dietary_preference'],
  eats_meat: ['diet', 'dietary_preference'],
  smokes: ['smoker', 'smoking'],
}

/** Words that say the same in an attribute's name. */
const SAME_WORD: Readonly<Record<string, string>> = {
  expiry: 'deadline',
  expiration: 'deadline',
  expires: 'deadline',
  expire: 'deadline',
  due: 'deadline',
  end: 'deadline',
  ends: 'deadline',
  renewal: 'deadline',
  start: 'start',
  begin: 'start',
  beginning: 'start',
  departure: 'departure',
  depart: 'departure',
  leave: 'departure',
  arrival: 'arrival',
  arrive: 'arrival',
  colour: 'color',
  favourite: 'favorite',
}
const FILLER = new Set(['date', 'day', 'time', 'the', 'a', 'of', 'for', 'my', 'current'])

/**
 * The attributes of the subject that memory has and that the names may mean: the same name, a name alike, the same words,
 * then names that have these words among others. Where it has none, the names themselves.
 */
export function attributesFor(names: readonly string[], subject: string, scene: Pick<Scene, 'current'>): readonly string[] {
  const known = [...new Set(scene.current.filter(slot => fold(slot.subject) === fold(subject)).map(slot => slot.attribute))]
  const found = new Set<string>()
  const take = (fits: (attribute: string) => boolean): void => {
    for (const attribute of known) if (fits(attribute)) found.add(attribute)
  }
  for (const name of names) {
    take(attribute => fold(attribute) === name)
    for (const alike of Object.hasOwn(ALIKE, name) ? (ALIKE[name] ?? []) : []) take(attribute => fold(attribute) === alike)
  }
  for (const name of names) {
    const words = wordsOf(name)
    take(attribute => sameWords(words, wordsOf(attribute)))
    take(attribute => words.size > 0 && [...words].every(word => wordsOf(attribute).has(word)))
  }
  return found.size > 0 ? [...found] : names
}

/** Whether memory has any of them. */
export function hasAttribute(names: readonly string[], subject: string, scene: Pick<Scene, 'current'>): boolean {
  const known = new Set(scene.current.filter(slot => fold(slot.subject) === fold(subject)).map(slot => slot.attribute))
  return attributesFor(names, subject, scene).some(name => known.has(name))
}

function wordsOf(attribute: string): Set<string> {
  return new Set(
    fold(attribute)
      .split(/[_\s]+/u)
      .filter(word => word !== '' && !FILLER.has(word))
      .map(word => (Object.hasOwn(SAME_WORD, word) ? (SAME_WORD[word] ?? word) : word)),
  )
}

function sameWords(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size > 0 && a.size === b.size && [...a].every(word => b.has(word))
}
