import { expect, test } from 'vitest'
import { type KnownSlot, type Question, readQuestion } from '../src/index.ts'
import { AT, said } from './told.ts'

const KNOWN: readonly KnownSlot[] = [
  ...[
    'passport_deadline',
    'lives_in',
    'name',
    'eats_meat',
    'likes',
    'dislikes',
    'employer',
    'birthday',
    'location',
    'favorite_color',
    'has_car',
  ].map(attribute => ({ subject: 'user', attribute })),
  { subject: 'sister', attribute: 'lives_in' },
  { subject: 'sister', attribute: 'name', value: 'Ann' },
  { subject: 'Bob', attribute: 'lives_in' },
]

function asked(text: string, previous: readonly string[] = [], known: readonly KnownSlot[] = KNOWN): Question | undefined {
  return readQuestion(text, { at: AT, timeZone: 'Europe/Oslo', previous: said(previous), known })
}

/** `subject.attributes`, the mode, its date, the value. */
function line(question: Question | undefined): string | undefined {
  if (question === undefined) return undefined
  if (question.kind === 'everything') return `${question.subject}: everything`
  const { subject, attributes, mode, at, until, value } = question
  return [
    `${subject}.${attributes.join('/')}`,
    mode,
    ...(at === undefined ? [] : [at]),
    ...(until === undefined ? [] : [`until ${until}`]),
    ...(value === undefined ? [] : [`= ${JSON.stringify(value)}`]),
  ].join(' ')
}

test.each<[text: string, question: string]>([
  ['When is my passport deadline?', 'user.passport_deadline now'],
  ['when is my passport deadline', 'user.passport_deadline now'],
  ['What is the deadline for my passport?', 'user.passport_deadline now'],
  ['When is the deadline?', 'user.passport_deadline now'],
  ['When does my passport expire?', 'user.passport_deadline now'],
  ['Can you tell me when my passport deadline is?', 'user.passport_deadline now'],
  ['Remind me what my passport deadline is', 'user.passport_deadline now'],
  ['What was my passport deadline on April 2?', 'user.passport_deadline as_of 2026-04-02'],
  ['On April 2, what was my passport deadline?', 'user.passport_deadline as_of 2026-04-02'],
  ['What was my passport deadline on June 2, 2026 at 9am?', 'user.passport_deadline as_of 2026-06-02T07:00:00Z'],
  ['What was my passport deadline?', 'user.passport_deadline history'],
  ['What was my passport deadline before?', 'user.passport_deadline history'],
  ['What was my passport deadline last month?', 'user.passport_deadline as_of 2026-04-01 until 2026-05-01'],
  ['How has my passport deadline changed?', 'user.passport_deadline history'],
  ['Show me the history of my passport deadline', 'user.passport_deadline history'],
  ['Is my passport deadline July 15?', 'user.passport_deadline now = "2026-07-15"'],
  ['What do you know about me?', 'user: everything'],
  ['Tell me everything you know about me', 'user: everything'],
  ['Who am I?', 'user: everything'],
  ['What do you know about my sister?', 'sister: everything'],
  ['Where do I live?', 'user.lives_in now'],
  ['So, where do I live now?', 'user.lives_in now'],
  ['What city do I live in?', 'user.lives_in now'],
  ['What did I live before', 'user.lives_in history'],
  ['Where did I live before?', 'user.lives_in history'],
  ['Where did I live in 2020?', 'user.lives_in as_of 2020-01-01 until 2021-01-01'],
  ['Where have I lived?', 'user.lives_in history'],
  ['Do I still live in Oslo?', 'user.lives_in now = "Oslo"'],
  ['Where am I?', 'user.location/lives_in now'],
  ['Where will I be on July 12?', 'user.location/lives_in as_of 2026-07-12'],
  ['What is my name?', 'user.name now'],
  ["what's my name", 'user.name now'],
  ['Is my name Mira?', 'user.name now = "Mira"'],
  ['Do I eat meat?', 'user.eats_meat now'],
  ['Did I eat meat in 2024?', 'user.eats_meat as_of 2024-01-01 until 2025-01-01'],
  ['Am I vegetarian?', 'user.eats_meat now'],
  ['What do I like?', 'user.likes now'],
  ['Do I like tea?', 'user.likes/dislikes now = "tea"'],
  ['What color do I like?', 'user.favorite_color/likes now'],
  ['What is my favourite colour?', 'user.favorite_color now'],
  ['Where do I work?', 'user.employer now'],
  ['When is my birthday?', 'user.birthday now'],
  ['How old am I?', 'user.birthday now'],
  ['Do I have a car?', 'user.has_car now'],
  ['Where does my sister live?', 'sister.lives_in now'],
  ['Where does Ann live?', 'sister.lives_in now'],
  ['Where does Bob live?', 'Bob.lives_in now'],
  ["What is my sister's name?", 'sister.name now'],
  ['What is my sister called?', 'sister.name now'],
  ['Who is my sister?', 'sister.name now'],
  // What memory does not have is asked under its own name.
  ['What is my email?', 'user.email now'],
  ['When is my dentist appointment?', 'user.dentist_appointment now'],
  ["When is my brother's birthday?", 'brother.birthday now'],
  ['I live in Oslo. Where does my sister live?', 'sister.lives_in now'],
])('%s', (text, question) => {
  expect(line(asked(text))).toBe(question)
})

test.each<[text: string, previous: readonly string[], question: string | undefined]>([
  ['What was it on April 2?', ['When is my passport deadline?'], 'user.passport_deadline as_of 2026-04-02'],
  [
    'What was it on April 2?',
    ['My passport deadline is July 15, 2026', 'Actually it moved to June 30'],
    'user.passport_deadline as_of 2026-04-02',
  ],
  [
    'What was it on April 2?',
    ['My passport deadline is July 15', 'Assistant: Noted: your passport deadline is July 15, 2026.'],
    'user.passport_deadline as_of 2026-04-02',
  ],
  [
    'And on April 2?',
    ['When is my passport deadline?', 'Assistant: On June 30, 2026.'],
    'user.passport_deadline as_of 2026-04-02',
  ],
  ['What about last week?', ['When is my passport deadline?'], 'user.passport_deadline as_of 2026-04-27 until 2026-05-04'],
  ['Has it changed?', ['When is my passport deadline?'], 'user.passport_deadline history'],
  ['And before that?', ['Where do I live?'], 'user.lives_in history'],
  ['Where does she live?', ["My sister's name is Ann"], 'sister.lives_in now'],
  ['What was it on April 2?', [], undefined],
])('%s after %j', (text, previous, question) => {
  expect(line(asked(text, previous))).toBe(question)
})

test('the best name that memory has comes first', () => {
  const under = (...attributes: string[]): readonly KnownSlot[] => attributes.map(attribute => ({ subject: 'user', attribute }))
  expect(line(asked('Where do I live?', [], under('home_city', 'address')))).toBe('user.home_city/address now')
  expect(line(asked('When does my passport expire?', [], under('passport_expiry', 'passport_deadline')))).toBe(
    'user.passport_expiry/passport_deadline now',
  )
  expect(line(asked('Do I eat meat?', [], under('diet')))).toBe('user.diet now')
  expect(line(asked('Do I eat meat?', [], []))).toBe('user.eats_meat/diet now')
  expect(line(asked('When is my deadline?', [], under('passport_deadline', 'tax_deadline')))).toBe(
    'user.passport_deadline/tax_deadline now',
  )
})

test('a person known by relation and by name is one', () => {
  const known: readonly KnownSlot[] = [
    { subject: 'sister', attribute: 'name', value: 'Ann' },
    { subject: 'ann', attribute: 'lives_in' },
  ]
  expect(line(asked('Where does my sister live?', [], known))).toBe('Ann.lives_in now')
})

test.each([
  'I live in Oslo',
  'My passport deadline is July 15',
  'Thanks!',
  'How are you?',
  'What is the capital of France?',
  'When is Christmas?',
  'What time is it?',
  'What is the weather in Oslo?',
  'What should I cook tonight?',
  'Can you book a table?',
  'Do you like tea?',
  "What's up?",
  'Where does Macron live?',
  'Do I have a meeting?',
  'What is my best option for dinner?',
  'Why is my code broken?',
  'What is this?',
  'Remind me to call my sister',
  '',
  '???',
  '\u0413\u0434\u0435 \u044f \u0436\u0438\u0432\u0443?',
])('%j is no question to memory that is understood', text => {
  expect(asked(text)).toBeUndefined()
})

test.each([
  ['2026-06-04T12:00:00.000Z', '2026-06-02'],
  // In December the next June 2 is nearer than the last one, and still nobody asks what it was then.
  ['2026-12-02T12:00:00.000Z', '2026-06-02'],
  ['2027-06-01T12:00:00.000Z', '2026-06-02'],
])('"What was it on June 2?" asked at %s means %s', (at, day) => {
  const question = readQuestion('What was it on June 2?', {
    at,
    timeZone: 'UTC',
    previous: said(['When is my passport deadline?']),
    known: KNOWN,
  })
  expect(question).toMatchObject({ kind: 'value', attributes: ['passport_deadline'], mode: 'as_of', at: day })
})
