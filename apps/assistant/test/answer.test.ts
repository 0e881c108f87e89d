import { describe, expect, test } from 'vitest'
import { answerEverything, answerHistory, answerNow, answerSpan, answerWhether } from '../src/talk/answer.ts'
import type { Reply } from '../src/talk/reply.ts'
import { fact, frame, said } from './facts.ts'

const slot = { subject: 'user', attribute: 'passport_deadline' }
const june = fact('passport_deadline', '2026-06-30')
const july = fact('passport_deadline', '2026-07-15', {
  validFrom: '2026-06-01T09:00:00Z',
  validTo: '2026-06-03T10:00:00Z',
  sources: [said('My passport deadline is July 15', '2026-06-01T09:00:00.000Z')],
})

function text(reply: Reply): string {
  return reply
    .map(line => [`${line.item === true ? '- ' : ''}${line.text}`, ...line.citations.map(({ words }) => words)].join(' '))
    .join('\n')
}

describe('what holds now', () => {
  test('is said with its source', () => {
    expect(text(answerNow(slot, { state: 'known', facts: [june] }, frame))).toBe(
      'June 30, 2026. You said on June 3: \u201cActually it moved to June 30\u201d',
    )
    expect(
      text(answerNow({ subject: 'user', attribute: 'eats_meat' }, { state: 'known', facts: [fact('eats_meat', false)] }, frame)),
    ).toContain('No: you do not eat meat, since June 3.')
  })

  test('of several values each', () => {
    const likes = [fact('likes', 'tea'), fact('likes', 'coffee')]
    expect(text(answerNow({ subject: 'user', attribute: 'likes' }, { state: 'known', facts: likes }, frame))).toMatch(
      /^- You like tea\..*\n- You like coffee\./u,
    )
  })

  test('a value with a rival names the rival', () => {
    const contested = { ...june, contested: [{ assertion: 'b', value: '2026-07-15', trust: 'user' as const }] }
    expect(text(answerNow(slot, { state: 'contested', facts: [contested] }, frame))).toContain(
      'Also said for the same moment: July 15, 2026.',
    )
  })

  test.each([
    ['never', [], 'I know nothing about your passport deadline.'],
    ['withheld', [], 'Something about your passport deadline waits for you to confirm it'],
    ['erased', [], 'What I knew about your passport deadline was forgotten, and nothing has been said since.'],
    ['ended', [july], 'Nothing now. What I know is over: your passport deadline was July 15, 2026, until June 3.'],
  ] as const)('where nothing does: %s', (state, facts, words) => {
    expect(text(answerNow(slot, { state, facts }, frame))).toContain(words)
  })
})

describe('whether something is so', () => {
  const likes = { subject: 'user', attribute: 'likes' }
  test('yes and no only where it was said', () => {
    const tea = { state: 'known' as const, facts: [fact('likes', 'tea')] }
    expect(text(answerWhether(likes, 'Tea', tea, [], frame))).toMatch(/^Yes: you like tea, since June 3\./u)
    expect(text(answerWhether(likes, 'fish', tea, [fact('dislikes', 'fish')], frame))).toMatch(/^No: you dislike fish/u)
    expect(text(answerWhether(likes, 'rum', tea, [], frame))).toMatch(/^Nobody said that to me\. What I know:\n- You like tea/u)
    expect(text(answerWhether(likes, 'rum', { state: 'never', facts: [] }, [], frame))).toBe('I do not know: nobody said so.')
  })
})

describe('what held then', () => {
  test('one value, several, none', () => {
    expect(text(answerSpan(slot, [july], [july, june], 'on June 2', frame))).toBe(
      'On June 2: July 15, 2026. You said on June 1: \u201cMy passport deadline is July 15\u201d',
    )
    expect(text(answerSpan(slot, [july, june], [july, june], 'on June 3', frame))).toMatch(
      /^On June 3:\n- July 15, 2026, from June 1 to June 3\..*\n- June 30, 2026, since June 3\./u,
    )
    expect(text(answerSpan(slot, [], [july, june], 'on May 2', frame))).toBe(
      'On May 2: nothing that I know about your passport deadline. What I know begins on June 1.',
    )
  })

  test('everything there was', () => {
    const found = { state: 'known' as const, facts: [june] }
    expect(text(answerHistory(slot, [july, june], found, frame)).split('\n')).toHaveLength(2)
    expect(text(answerHistory(slot, [june], found, frame))).toMatch(
      /^Only one value was ever said: June 30, 2026, since June 3\./u,
    )
    expect(text(answerHistory(slot, [], { state: 'never', facts: [] }, frame))).toBe(
      'I know nothing about your passport deadline.',
    )
  })
})

describe('everything about somebody', () => {
  test('is a list, and says whom else it knows', () => {
    expect(text(answerEverything('user', [june], ['sister', 'ann'], frame))).toMatch(
      /^This is what I know about you:\n- Your passport deadline is June 30, 2026, since June 3\..*\nI also know something about your sister, Ann\.$/u,
    )
    expect(text(answerEverything('ann', [], [], frame))).toBe('I know nothing about Ann yet.')
  })

  test('is cut where nobody would read it, and says by how much', () => {
    const many = Array.from({ length: 33 }, (_, n) => fact('likes', `thing ${n}`))
    const lines = text(answerEverything('user', many, [], frame)).split('\n')
    expect(lines).toHaveLength(32)
    expect(lines.at(-1)).toBe('And 3 more facts, listed under Memory.')
  })
})

describe('citations', () => {
  test('quote the latest evidence that is here, and shorten it between characters', () => {
    const long = '\u{1f600}'.repeat(400)
    const sources = [said(long, '2026-06-02T10:00:00.000Z'), said(undefined)]
    const words = answerNow(slot, { state: 'known', facts: [{ ...june, sources }] }, frame)[0]?.citations[0]?.words ?? ''
    expect(words).toMatch(/^You said on June 2: \u201c\u{1f600}{159}\u2026\u201d$/u)
    expect(words.isWellFormed()).toBe(true)
  })

  test('say who spoke', () => {
    const sources = [said('Flight moved', '2026-06-03T10:00:00.000Z', { author: 'tool' })]
    expect(text(answerNow(slot, { state: 'known', facts: [{ ...june, sources }] }, frame))).toContain(
      'A tool reported on June 3: \u201cFlight moved\u201d',
    )
  })
})
