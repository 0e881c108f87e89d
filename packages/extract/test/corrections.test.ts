import { expect, test } from 'vitest'
import { extract, holds, told } from './told.ts'

const DEADLINE = 'My passport deadline is July 15, 2026'
const JUNE_30 = ['user.passport_deadline = 2026-06-30']

test.each([
  'Actually it moved to June 30',
  'It moved to June 30.',
  'It changed to June 30',
  "It's been moved to June 30",
  'It got pushed from July 15 to June 30',
  'No, I meant June 30',
  'Sorry, June 30',
  'wait, no, june 30',
  "No. It's June 30.",
  "It's June 30 now",
  "It's not July 15, it's June 30",
  'Not July 15 but June 30',
  'Make it June 30',
  'They moved it to June 30',
  "I made a mistake, it's June 30",
  'The deadline moved to June 30',
  'My passport deadline moved to June 30',
  'My passport deadline is June 30 now',
])('%j after the deadline', async text => {
  expect(await told(text, { previous: [DEADLINE] })).toEqual(JUNE_30)
})

test('the same in one text says only what holds', async () => {
  expect(await told(`${DEADLINE}. Actually it moved to June 30.`)).toEqual(JUNE_30)
  expect(await told("My passport deadline isn't July 15, it's June 30")).toEqual(JUNE_30)
  expect(await told('I moved to Oslo in 2020. Sorry, I meant Bergen.')).toEqual(['user.lives_in = Bergen [2020-01-01..]'])
  expect(await told('I like tea. No, I meant coffee.')).toEqual(['user.likes = coffee'])
})

test('a date without a year takes the year nearest to what it corrects', async () => {
  const year = (value: string, text: string): Promise<string[]> =>
    told(text, { current: [holds('user', 'passport_deadline', value)] })
  expect(await year('2031-07-15', 'Actually it moved to June 30')).toEqual(['user.passport_deadline = 2031-06-30'])
  expect(await year('2026-12-28', 'It moved to January 5')).toEqual(['user.passport_deadline = 2027-01-05'])
  expect(await year('2026-07-15', 'It moved to January 30')).toEqual(['user.passport_deadline = 2027-01-30'])
  expect(await year('2026-07-15', 'It moved to the 20th')).toEqual(['user.passport_deadline = 2026-07-20'])
})

test('"it" is what was talked about last', async () => {
  expect(await told('It moved to June 30', { previous: [DEADLINE, 'My lease ends on May 31'] })).toEqual([
    'user.lease_end = 2026-06-30',
  ])
  expect(await told('It moved to June 30', { previous: ['When is my passport deadline?'] })).toEqual(JUNE_30)
  expect(
    await told('It moved to June 30', {
      previous: [DEADLINE, 'Assistant: Noted: your passport deadline is July 15, 2026.', 'Thanks!'],
    }),
  ).toEqual(JUNE_30)
  expect(await told('My dentist appointment got complicated. It moved to June 3.', { previous: [DEADLINE] })).toEqual([
    'user.dentist_appointment = 2026-06-03',
  ])
  expect(await told('She moved to Rome', { previous: ["My sister's name is Ann"] })).toEqual(['sister.lives_in = Rome'])
  expect(await told('He moved to Rome', { previous: ["My sister's name is Ann"] })).toEqual([])
  expect(await told('Ann moved to Rome', { previous: ["My sister's name is Ann"] })).toEqual(['sister.lives_in = Rome'])
})

test('"it" passes over what cannot hold the value, and stops at what is not known', async () => {
  expect(await told('It moved to June 30', { previous: [DEADLINE, 'My name is Mira'] })).toEqual(JUNE_30)
  expect(await told('It moved to June 30', { previous: [DEADLINE, 'My head hurts because of my roof'] })).toEqual([])
  expect(await told('No, I meant June 30', { previous: [DEADLINE, 'My name is Mira'] })).toEqual([])
})

test('without a talk, "it" is the fact learned last, or the only date', async () => {
  const deadline = holds('user', 'passport_deadline', '2026-07-15')
  expect(await told('Actually it moved to June 30', { current: [holds('user', 'name', 'Mira'), deadline] })).toEqual(JUNE_30)
  expect(await told('Actually it moved to June 30', { current: [deadline, holds('user', 'name', 'Mira')] })).toEqual(JUNE_30)
  expect(
    await told('Actually it moved to June 30', {
      current: [deadline, holds('user', 'exam', '2026-06-01'), holds('user', 'name', 'Mira')],
    }),
  ).toEqual([])
  const [update] = await extract('Actually it moved to June 30', { current: [deadline] })
  expect(update).toEqual({
    evidence: 'Actually it moved to June 30',
    subject: 'user',
    attribute: 'passport_deadline',
    current_value: '2026-07-15',
    change: 'update',
    value: '2026-06-30',
    valid_from: null,
    valid_until: null,
    confidence: 0.7,
  })
})

test('corrections of other things than dates', async () => {
  expect(await told('No, I meant Bergen', { previous: ['I live in Oslo'] })).toEqual(['user.lives_in = Bergen'])
  expect(await told('I meant June, not July', { previous: [DEADLINE] })).toEqual(['user.passport_deadline = 2026-06-15'])
  expect(await told('My email changed to mira@new.org')).toEqual(['user.email = mira@new.org'])
  expect(await told('My favorite color changed to green')).toEqual(['user.favorite_color = green'])
  expect(await told('No, I meant coffee', { previous: ['I like tea'], current: [holds('user', 'likes', 'tea')] })).toEqual([
    'user.likes = coffee',
    '-user.likes = tea',
  ])
})

test('what is cancelled ends, if it was there', async () => {
  expect(await told('It was cancelled', { previous: ['My dentist appointment is on June 3'] })).toEqual([
    '-user.dentist_appointment = null',
  ])
  expect(
    await told('My dentist appointment was cancelled', { current: [holds('user', 'dentist_appointment', '2026-06-03')] }),
  ).toEqual(['-user.dentist_appointment = null'])
  expect(await told('My dentist appointment was cancelled')).toEqual([])
  expect(await told('It is not cancelled', { previous: ['My dentist appointment is on June 3'] })).toEqual([])
})
