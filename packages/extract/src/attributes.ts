/** The attributes that the built-in extractor proposes by name. Beside them it makes one of "my <noun phrase> is …". */

/** `text`: a string as it was written. `date`: see `builtInDefinitions`. `flag`: true or false. `count`: a whole number. */
export type BuiltInKind = 'text' | 'date' | 'flag' | 'count'

export interface BuiltInAttribute {
  readonly many: boolean
  readonly kind: BuiltInKind
  readonly description: string
}

const table = {
  name: { many: false, kind: 'text', description: 'What somebody is called' },
  last_name: { many: false, kind: 'text', description: 'Family name' },
  nickname: { many: false, kind: 'text', description: 'Nickname' },
  lives_in: { many: false, kind: 'text', description: 'Where somebody lives: a city, region or country' },
  location: { many: false, kind: 'text', description: 'Where somebody is for a while' },
  address: { many: false, kind: 'text', description: 'Postal address' },
  origin: { many: false, kind: 'text', description: 'Where somebody comes from' },
  birthplace: { many: false, kind: 'text', description: 'Where somebody was born' },
  hometown: { many: false, kind: 'text', description: 'Where somebody grew up' },
  nationality: { many: false, kind: 'text', description: 'Nationality' },
  native_language: { many: false, kind: 'text', description: 'First language' },
  time_zone: { many: false, kind: 'text', description: 'Time zone' },
  birthday: { many: false, kind: 'date', description: 'Day of birth; --MM-DD where the year was not said' },
  age: { many: false, kind: 'count', description: 'Age in years' },
  employer: { many: false, kind: 'text', description: 'Whom somebody works for' },
  job: { many: false, kind: 'text', description: 'What somebody works as' },
  school: { many: false, kind: 'text', description: 'Where somebody studies' },
  field_of_study: { many: false, kind: 'text', description: 'What somebody studies' },
  email: { many: false, kind: 'text', description: 'E-mail address' },
  phone: { many: false, kind: 'text', description: 'Telephone number' },
  marital_status: { many: false, kind: 'text', description: 'married, single, engaged, divorced, widowed' },
  diet: { many: false, kind: 'text', description: 'vegetarian, vegan and the like' },
  smokes: { many: false, kind: 'flag', description: 'Whether somebody smokes' },
  eats_meat: { many: false, kind: 'flag', description: 'Whether somebody eats meat' },
  drinks_alcohol: { many: false, kind: 'flag', description: 'Whether somebody drinks alcohol' },
  children_count: { many: false, kind: 'count', description: 'How many children somebody has' },
  likes: { many: true, kind: 'text', description: 'What somebody likes' },
  dislikes: { many: true, kind: 'text', description: 'What somebody does not like' },
  prefers: { many: true, kind: 'text', description: 'What somebody prefers' },
  speaks: { many: true, kind: 'text', description: 'Languages that somebody speaks' },
  hobbies: { many: true, kind: 'text', description: 'What somebody does for pleasure' },
  allergies: { many: true, kind: 'text', description: 'What somebody is allergic to' },
} as const

export type BuiltInName = keyof typeof table

/** Each attribute with whether several of its values hold at once. Fits `ExtractionInput['attributes']`. */
export const builtInAttributes: Readonly<Record<BuiltInName, BuiltInAttribute>> = table

/** Attributes made from the word after them: `eats_fish`, `drinks_coffee`, `has_car`. All are flags. */
export const builtInFlagPrefixes: readonly string[] = ['eats_', 'drinks_', 'has_']

/** What `defineSchema` takes for the built-in attributes; `V` holds the validator of each kind. */
export type BuiltInDefinitions<V extends Readonly<Record<BuiltInKind, unknown>>> = {
  readonly [N in BuiltInName]: {
    readonly value: V[(typeof table)[N]['kind']]
    readonly many: (typeof table)[N]['many']
    readonly type: 'fact' | 'preference'
    readonly description: string
  }
}

/**
 * The built-in attributes as `defineSchema` takes them, with the validators that the application chose:
 *
 *     defineSchema({ version: 1, attributes: builtInDefinitions({
 *       text: z.string(), date: z.string(), flag: z.boolean(), count: z.number().int(),
 *     }) })
 *
 * A date is `YYYY-MM-DD`, `YYYY-MM-DDTHH:MM` with a time, `YYYY-MM` or `YYYY` where no more was said, `--MM-DD` for a
 * day of every year.
 */
export function builtInDefinitions<V extends Readonly<Record<BuiltInKind, unknown>>>(values: V): BuiltInDefinitions<V> {
  const made = Object.entries(table).map(([name, { kind, many: several, description }]) => {
    const type = ['likes', 'dislikes', 'prefers'].includes(name) ? 'preference' : 'fact'
    return [name, { value: values[kind], many: several, type, description }]
  })
  return Object.fromEntries(made) as BuiltInDefinitions<V>
}
