import { expect, test } from 'vitest'
import { readQuestion } from '../src/index.ts'
import { AT, extract, told } from './told.ts'

const TEXTS = [
  "Hi! I'm Zo\u00eb \u{1f44b} \u2014 I live in S\u00e3o Paulo\u2026 and work at Nubank since March 2023!!",
  'My name\u2019s \u201cMira\u201d. My e\u0301mail is mira@example.com',
  'I moved to Bergen \u{1f3d4}\ufe0f last week; my deadline is July 15, 2026.\r\n\r\nActually, it moved to June 30 :)',
  'I like tea,\tcoffee   and\u00a0jazz. I hate  Mondays .',
]

test.each(TEXTS)('evidence of %j stands in the text', async text => {
  const updates = await extract(text)
  expect(updates.length).toBeGreaterThan(0)
  for (const { evidence } of updates) {
    expect(text).toContain(evidence)
    expect(evidence).toBe(evidence.trim())
  }
})

test('the same text gives the same candidates', async () => {
  for (const text of TEXTS) expect(await extract(text)).toEqual(await extract(text))
})

test('a long text is read, a sentence without end is not', async () => {
  const noise = 'The weather was mild and the train was late again. '.repeat(400)
  expect(await told(`${noise}My name is Mira. ${noise}`)).toEqual(['user.name = Mira'])
  expect(await told(`I like tea and ${'very '.repeat(2000)}good things`)).toEqual([])
  expect(await told('My name is Mira. '.repeat(5000))).toEqual([])
})

test.each([
  '"',
  "'",
  ' ',
  '.',
  '?',
  '(',
  'I ',
  'my ',
  'a, ',
  '\n',
  'and ',
  'July ',
  '1',
  '> ',
  '```',
  '\u{1f600}',
  '\ud800',
  'I like ',
  'is ',
  ', and my ',
])('%j repeated is no trouble', async part => {
  const text = part.repeat(Math.floor(20_000 / part.length))
  expect(await told(text)).toEqual([])
  expect(await told('It moved to June 30', { previous: [text] })).toEqual([])
  expect(readQuestion(`${text} where do I live?`, { at: AT, timeZone: 'UTC', previous: [], known: [] })?.kind).not.toBe(
    'everything',
  )
})

test('random word salad neither throws nor invents evidence', async () => {
  const words =
    `I my sister she it is was no longer not don't like live in Oslo to moved from since March 2024 until Friday July 15 , . ? ! ; " and but name Mira work at as a the of for deadline passport 10th 20th actually meant`.split(
      ' ',
    )
  let seed = 42
  const next = (n: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return Math.floor((seed / 2147483648) * n)
  }
  for (let round = 0; round < 1500; round++) {
    const text = Array.from({ length: 2 + next(12) }, () => words[next(words.length)]).join(' ')
    for (const update of await extract(text, { previous: ['My passport deadline is July 15, 2026'] })) {
      expect(text).toContain(update.evidence)
      expect(update.attribute).toMatch(/^[\p{L}\p{N}_]+$/u)
      const [from, until] = [update.valid_from ?? AT, update.valid_until]
      if (until !== null) expect(until.slice(0, 10) > from.slice(0, 10) || from.startsWith(AT.slice(0, 10))).toBe(true)
    }
    readQuestion(text, { at: AT, timeZone: 'Asia/Tokyo', previous: [], known: [] })
  }
})
