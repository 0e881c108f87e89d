import { describe, expect, test } from 'vitest'
import { clause, clauseAt, topicWords } from '../src/talk/clauses.ts'
import { heading, plainWords, whom, whose } from '../src/talk/names.ts'
import { valueWords } from '../src/talk/values.ts'
import { fact, frame } from './facts.ts'

describe('clauses', () => {
  test.each([
    ['lives_in', 'Oslo', 'you live in Oslo', 'your sister lived in Oslo', 'Ann Lee will live in Oslo'],
    ['location', 'Paris', 'you are in Paris', 'your sister was in Paris', 'Ann Lee will be in Paris'],
    ['field_of_study', 'law', 'you study law', 'your sister studied law', 'Ann Lee will study law'],
    ['allergies', 'nuts', 'you are allergic to nuts', 'your sister was allergic to nuts', 'Ann Lee will be allergic to nuts'],
    ['eats_meat', false, 'you do not eat meat', 'your sister did not eat meat', 'Ann Lee will not eat meat'],
    ['smokes', true, 'you smoke', 'your sister smoked', 'Ann Lee will smoke'],
    [
      'has_electric_car',
      true,
      'you have an electric car',
      'your sister had an electric car',
      'Ann Lee will have an electric car',
    ],
    ['children_count', 1, 'you have 1 child', 'your sister had 1 child', 'Ann Lee will have 1 child'],
    ['age', 40, 'you are 40 years old', 'your sister was 40 years old', 'Ann Lee will be 40 years old'],
    [
      'passport_deadline',
      '2026-06-30',
      'your passport deadline is June 30, 2026',
      'your sister\u2019s passport deadline was June 30, 2026',
      'Ann Lee\u2019s passport deadline will be June 30, 2026',
    ],
  ])('%s', (attribute, value, you, sister, ann) => {
    expect(clause({ subject: 'user', attribute, value })).toBe(you)
    expect(clause({ subject: 'sister', attribute, value }, 'past')).toBe(sister)
    expect(clause({ subject: 'ann lee', attribute, value }, 'future')).toBe(ann)
  })

  test('others speak, study and have in the third person', () => {
    expect(clause({ subject: 'ann', attribute: 'speaks', value: 'Polish' })).toBe('Ann speaks Polish')
    expect(clause({ subject: 'ann', attribute: 'school', value: 'NTNU' })).toBe('Ann studies at NTNU')
    expect(clause({ subject: 'ann', attribute: 'has_car', value: true })).toBe('Ann has a car')
    expect(clause({ subject: 'ann', attribute: 'drinks_alcohol', value: false })).toBe('Ann does not drink alcohol')
  })

  test('names of the prototype are attributes like any other', () => {
    expect(clause({ subject: 'user', attribute: 'constructor', value: 'x' })).toBe('your constructor is x')
  })

  test('the tense is that of the moment', () => {
    const lived = fact('lives_in', 'Oslo', { validFrom: '2019-01-01T00:00:00Z', validTo: '2023-01-01T00:00:00Z' })
    expect(clauseAt(lived, frame.now)).toBe('you lived in Oslo')
    expect(clauseAt(lived, '2020-01-01T00:00:00Z')).toBe('you live in Oslo')
    expect(clauseAt(lived, '2018-01-01T00:00:00Z')).toBe('you will live in Oslo')
  })
})

test('what a question is about is worded after its attribute', () => {
  expect(topicWords('user', 'lives_in')).toBe('where you live')
  expect(topicWords('user', 'origin')).toBe('where you come from')
  expect(topicWords('sister', 'allergies')).toBe('what your sister is allergic to')
  expect(topicWords('user', 'eats_meat')).toBe('whether you eat meat')
  expect(topicWords('user', 'car_insurance_expiry')).toBe('your car insurance expiry')
})

test('names come back from their normal form', () => {
  expect(plainWords('passport_deadline')).toBe('passport deadline')
  expect([whom('user'), whose('user'), heading('user')]).toEqual(['you', 'your', 'You'])
  expect([whom('older sister'), heading('older sister')]).toEqual(['your older sister', 'Your older sister'])
  expect(whom('jean-luc o\u2019brien')).toBe('Jean-Luc O\u2019brien')
  expect(whom('\u674e\u96f7')).toBe('\u674e\u96f7')
})

test.each([
  ['2026-06-30', 'June 30, 2026'],
  ['2026-06-30T09:05', 'June 30, 2026, 09:05'],
  ['2026-06', 'June 2026'],
  ['--06-30', 'June 30'],
  ['2026-13-01', '2026-13-01'],
  ['555-12-34', '555-12-34'],
  ['', ''],
  [true, 'yes'],
  [0, '0'],
  [null, 'null'],
  [{ a: [1] }, '{"a":[1]}'],
])('the value %j is "%s"', (value, words) => {
  expect(valueWords(value)).toBe(words)
})
