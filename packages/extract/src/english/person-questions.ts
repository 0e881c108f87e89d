/** Questions about a person: "Where do I live?", "Do I eat meat?", "What does my sister like?". */
import { plainNoun, snakeCase } from './nouns.ts'
import { BE, DO, type QuestionRule, WHO, fixed, rule } from './question-rule.ts'
import { bare, readThing } from './values.ts'

export const personQuestions: readonly QuestionRule[] = [
  fixed('Where have I lived', `where (?:have|has) ${WHO} (?:lived|been living)`, ['lives_in'], { history: true }),
  fixed(
    'Where do I live',
    `(?:where|what|in (?:what|which) (?:city|town|country|place)) (?:${DO}|${BE}) ${WHO} (?:live|living|reside|residing|based|located)`,
    ['lives_in'],
  ),
  fixed('What city do I live in', `(?:what|which) (?:city|town|country|place|state) (?:${DO}|${BE}) ${WHO} (?:live|living) in`, [
    'lives_in',
  ]),
  fixed('Where do I work', `where (?:${DO}|${BE}|have|has) ${WHO} (?:work|working|worked|employed)`, ['employer'], {}),
  fixed('Who do I work for', `(?:who|whom|which company|what company) (?:${DO}|${BE}) ${WHO} (?:work|working) (?:for|at)`, [
    'employer',
  ]),
  fixed('Where am I from', `where (?:${BE}|${DO}) ${WHO} (?:from|come from|originally from)`, ['origin'], { timeless: true }),
  fixed('Where was I born', `where (?:was|were) ${WHO} born`, ['birthplace'], { timeless: true }),
  fixed('When was I born', `(?:when|what day|on what day|what year|in what year) (?:was|were) ${WHO} born`, ['birthday'], {
    timeless: true,
  }),
  fixed('Where do I study', `where ${DO} ${WHO} (?:study|go to (?:school|university|college))`, ['school']),
  fixed('What do I study', `what ${DO} ${WHO} study`, ['field_of_study']),
  fixed('What am I called', `what (?:is|am|are) ${WHO} (?:called|named)`, ['name']),
  fixed('What do you call me', 'what (?:do|should|can) (?:you|people|i) call me', ['name']),
  fixed('What do I do for a living', `what ${DO} ${WHO} (?:do|do for (?:a living|work)|work as)`, ['job']),
  fixed('How old am I', `how old ${BE} ${WHO}`, ['age', 'birthday']),
  fixed('How many kids do I have', `how many (?:kids|children) ${DO} ${WHO} have`, ['children_count']),
  fixed('What do I like', `what ${DO} ${WHO} (?:like|love|enjoy)(?: doing| to do| most| best)?`, ['likes']),
  rule(
    'What color do I like',
    `(?:what|which) (?:kind of |type of |sort of )?(?<what>[\\p{L} ]{2,20}) ${DO} ${WHO} (?:like|love|enjoy)(?: most| best)?`,
    ({ what = '' }) => ({
      attributes: [`favorite_${snakeCase(plainNoun(what) ?? what)}`, 'likes'],
    }),
  ),
  fixed(
    'What do I hate',
    `(?:what|which) (?:[\\p{L} ]{2,20} )?(?:${DO}(?: not)?|can(?: not)?) ${WHO} (?:hate|dislike|not like|not stand|stand)`,
    ['dislikes'],
  ),
  fixed('What do I not like', `(?:what|which) (?:[\\p{L} ]{2,20} )?(?:do|does) not ${WHO} (?:like|enjoy)`, ['dislikes']),
  fixed('What do I prefer', `(?:what|which) (?:[\\p{L} ]{2,20} )?${DO} ${WHO} prefer`, ['prefers']),
  fixed('What am I allergic to', `what ${BE} ${WHO} allergic to`, ['allergies']),
  fixed('What languages do I speak', `(?:what|which|how many) (?:languages? )?${DO} ${WHO} speak`, ['speaks']),
  rule('Do I eat meat', `${DO} ${WHO} (?:still )?(?<verb>eat|drink) (?:any )?(?<what>[\\p{L} ]{2,30})`, ({ verb, what = '' }) => {
    const flag = `${verb?.toLowerCase() ?? ''}s_${snakeCase(what)}`
    return { attributes: verb?.toLowerCase() === 'eat' ? [flag, 'diet'] : [flag] }
  }),
  fixed('Do I smoke', `${DO} ${WHO} (?:still )?smoke`, ['smokes']),
  fixed('Do I drink', `${DO} ${WHO} (?:still )?drink`, ['drinks_alcohol']),
  rule(
    'Do I like tea',
    `${DO} ${WHO} (?:still |really )?(?<verb>like|love|enjoy|hate|dislike|prefer) (?<what>.{2,60})`,
    ({ verb = '', what = '' }) => {
      const value = readThing(what, { article: true })
      const attribute = /^(?:hate|dislike)$/iu.test(verb) ? 'dislikes' : /^prefer$/iu.test(verb) ? 'prefers' : 'likes'
      const other = attribute === 'likes' ? ['dislikes'] : attribute === 'dislikes' ? ['likes'] : []
      return value === undefined ? undefined : { attributes: [attribute, ...other], value }
    },
  ),
  rule('Do I have a car', `${DO} ${WHO} (?:still )?(?:have|own) (?:an? |any )?(?<what>[\\p{L}' ]{2,30})`, ({ what = '' }) => ({
    attributes: /^(?:kids|children)$/iu.test(what) ? ['children_count', 'has_children'] : [`has_${snakeCase(what)}`],
    // "Do I have a meeting?" is for the calendar.
    ifKnown: true,
  })),
  rule(
    'Do I live in Oslo',
    `(?:${DO} ${WHO} (?:still )?live|${BE} (?:i|we) (?:still )?(?:living|based)) in (?<what>.{2,60})`,
    ({ what = '' }) => ({ attributes: ['lives_in'], value: bare(what) }),
  ),
  rule('Do I work at Acme', `${DO} ${WHO} (?:still )?work (?:at|for) (?<what>.{2,60})`, ({ what = '' }) => ({
    attributes: ['employer'],
    value: bare(what),
  })),
  rule('Do I speak Polish', `${DO} ${WHO} (?:still )?speak (?<what>[\\p{L} ]{2,30})`, ({ what = '' }) => ({
    attributes: ['speaks'],
    value: bare(what),
  })),
  rule('Am I allergic to nuts', `${BE} ${WHO} (?:still )?allergic to (?<what>[\\p{L} ]{2,40})`, ({ what = '' }) => ({
    attributes: ['allergies'],
    value: bare(what),
  })),
  rule('Am I vegetarian', `${BE} ${WHO} (?:still )?(?:an? )?(?:vegetarian|vegan|pescatarian|flexitarian)`, () => ({
    attributes: ['diet', 'eats_meat'],
  })),
  rule('Am I married', `${BE} ${WHO} (?:still )?(?<what>married|single|engaged|divorced|widowed)`, ({ what = '' }) => ({
    attributes: ['marital_status'],
    value: what.toLowerCase(),
  })),
  fixed('Where am I', `where ${BE} ${WHO}`, ['location', 'lives_in']),
  fixed('Where will I be', `where will ${WHO} be`, ['location']),
  fixed('When did I move', `when ${DO} ${WHO} move(?: to .+| house)?`, ['lives_in'], { history: true }),
  fixed('When did I start at Acme', `when ${DO} ${WHO} (?:start(?: working)?|join|leave)(?: (?:at|for))? .+`, ['employer'], {
    history: true,
  }),
]
