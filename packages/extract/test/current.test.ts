import { expect, test } from 'vitest'
import { builtIn, builtInAttributes, builtInDefinitions } from '../src/index.ts'
import { AT, extract, holds, told } from './told.ts'

test('the candidate shows what memory holds', async () => {
  const update = {
    evidence: 'I live in Bergen',
    subject: 'user',
    attribute: 'lives_in',
    value: 'Bergen',
    valid_from: null,
    valid_until: null,
    confidence: 0.9,
  }
  expect(await extract('Well, so: I live in Bergen.')).toMatchObject([
    { ...update, evidence: 'I live in Bergen', current_value: null, change: 'new' },
  ])
  expect(await extract('I live in Bergen', { current: [holds('user', 'lives_in', 'Oslo')] })).toEqual([
    { ...update, current_value: 'Oslo', change: 'update' },
  ])
  expect(await extract('I live in Bergen', { current: [holds('user', 'lives_in', 'bergen')] })).toEqual([
    { ...update, current_value: 'bergen', change: 'no_change' },
  ])
})

test('the same value from earlier, or to an end, is a change', async () => {
  const current = [holds('user', 'lives_in', 'Oslo', '2026-01-01T00:00:00Z')]
  expect(await extract('I live in Oslo since 2024', { current })).toMatchObject([{ change: 'update', valid_from: '2024-01-01' }])
  expect(await extract('I live in Oslo since March', { current })).toMatchObject([{ change: 'no_change' }])
  expect(await extract('I live in Oslo until July 1', { current })).toMatchObject([
    { change: 'update', valid_until: '2026-07-02' },
  ])
})

test('a value of many has a slot of its own', async () => {
  const current = [holds('user', 'likes', 'Tea')]
  expect(await extract('I like tea and jazz', { current })).toMatchObject([
    { value: 'tea', current_value: 'Tea', change: 'no_change' },
    { value: 'jazz', current_value: null, change: 'new' },
  ])
  expect(await extract('I no longer like tea', { current })).toMatchObject([
    { value: 'Tea', current_value: 'Tea', change: 'retract' },
  ])
})

test('what the application declares goes before', async () => {
  const current = [holds('user', 'lives_in', 'Oslo')]
  expect(await extract('I live in Bergen', { current, attributes: { lives_in: { many: true } } })).toMatchObject([
    { current_value: null, change: 'new' },
  ])
  expect(
    await extract('I like jazz', { current: [holds('user', 'likes', 'tea')], attributes: { likes: { many: false } } }),
  ).toMatchObject([{ current_value: 'tea', change: 'update' }])
})

test('a retraction ends only what holds', async () => {
  const current = [holds('user', 'lives_in', 'Bergen')]
  expect(await told('I no longer live in Oslo', { current })).toEqual([])
  expect(await told('I no longer live in Bergen', { current })).toEqual(['-user.lives_in = null'])
  expect(await told("I don't live in Bergen", { current })).toEqual(['-user.lives_in = null'])
  expect(await told('I used to live in Bergen', { current })).toEqual(['-user.lives_in = null'])
  expect(await told('I left Acme last week', { current: [holds('user', 'employer', 'Acme', '2020-01-01T00:00:00Z')] })).toEqual([
    '-user.employer = null [2026-04-27..]',
  ])
  expect(await told('I left Acme', { current: [holds('user', 'employer', 'Umbrella')] })).toEqual([])
})

test('a dislike ends the liking of the same', async () => {
  expect(await told('I hate coffee now', { current: [holds('user', 'likes', 'coffee')] })).toEqual([
    'user.dislikes = coffee',
    '-user.likes = coffee',
  ])
})

test('a change that began before the current value is also stated from now on', async () => {
  // What starts latest holds: from April 27 alone, Oslo (from May 1) would still be current.
  const current = [holds('user', 'lives_in', 'Oslo', '2026-05-01T09:00:00Z')]
  expect(await told('I moved to Bergen last week', { current })).toEqual([
    'user.lives_in = Bergen [2026-04-27..]',
    'user.lives_in = Bergen',
  ])
  const eats = [holds('user', 'eats_meat', true, '2026-05-01T09:00:00Z')]
  expect(await told('I no longer eat meat since March', { current: eats })).toEqual([
    'user.eats_meat = false [2026-03-01..]',
    'user.eats_meat = false',
  ])
  expect(await told('I lived in Bergen from 2010 to 2015', { current })).toEqual([
    'user.lives_in = Bergen [2010-01-01..2016-01-01]',
  ])
})

test('a person keeps one subject', async () => {
  expect(
    await told('My sister moved to Rome', { current: [holds('sister', 'name', 'Ann'), holds('Ann', 'lives_in', 'Paris')] }),
  ).toEqual(['Ann.lives_in = Rome'])
  expect(await told('My sister Ann moved to Rome', { current: [holds('sister', 'name', 'Ann')] })).toEqual([
    'sister.lives_in = Rome',
  ])
  expect(await told('Ann moved to Rome', { current: [holds('sister', 'name', 'Ann')] })).toEqual(['sister.lives_in = Rome'])
  expect(await told('Ann moved to Rome', { current: [holds('ann', 'lives_in', 'Paris')] })).toEqual(['ann.lives_in = Rome'])
})

test('dates are those of the zone in which it was said', async () => {
  const at = '2026-03-31T22:30:00.000Z'
  expect(await told('I moved to Bergen yesterday', { at, timeZone: 'Europe/Oslo' })).toEqual([
    'user.lives_in = Bergen [2026-03-31..]',
  ])
  expect(await told('I moved to Bergen yesterday', { at, timeZone: 'America/Los_Angeles' })).toEqual([
    'user.lives_in = Bergen [2026-03-30..]',
  ])
  expect(await told('I no longer eat meat since April', { at, timeZone: 'Europe/Oslo' })).toEqual([
    'user.eats_meat = false [2026-03-31T22:30:00Z..]',
  ])
  expect(await told('I no longer eat meat since April', { at, timeZone: 'America/Los_Angeles' })).toEqual([
    'user.eats_meat = false [2025-04-01..]',
  ])
})

test('attributes made from words can be left out', async () => {
  const text = 'My passport deadline is July 15, 2026. I like tea. I have a dog. My locker number is 42.'
  const base = { text, author: 'user', at: AT, timeZone: 'UTC', previous: [], current: [] } as const
  const names = async (attributes: Record<string, { many: boolean }>): Promise<string[]> =>
    (await builtIn({ openAttributes: false }).extract({ ...base, attributes })).map(update => update.attribute)
  expect(await names({})).toEqual(['likes', 'has_dog'])
  expect(await names({ passport_deadline: { many: false } })).toEqual(['passport_deadline', 'likes', 'has_dog'])
  expect(
    Object.entries(builtInAttributes)
      .filter(([, { many }]) => many)
      .map(([name]) => name)
      .toSorted(),
  ).toEqual(['allergies', 'dislikes', 'hobbies', 'likes', 'prefers', 'speaks'])
})

test('a signal that is aborted stops it', async () => {
  const input = {
    text: 'I like tea',
    author: 'user',
    at: AT,
    timeZone: 'UTC',
    previous: [],
    current: [],
    attributes: {},
    signal: AbortSignal.abort(),
  } as const
  await expect(builtIn().extract(input)).rejects.toThrow()
})

test('the attributes as a schema takes them', () => {
  const definitions = builtInDefinitions({ text: 'a text', date: 'a date', flag: 'a flag', count: 'a count' })
  expect(Object.keys(definitions)).toEqual(Object.keys(builtInAttributes))
  expect(definitions.likes).toMatchObject({ value: 'a text', many: true, type: 'preference' })
  expect(definitions.birthday).toMatchObject({ value: 'a date', many: false, type: 'fact' })
  const many: true = definitions.likes.many
  expect(many).toBe(true)
})
