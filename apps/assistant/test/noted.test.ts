import { describe, expect, test } from 'vitest'
import { answeredBy, marksOf, replySummary, replyTags, type Mark } from '../src/talk/marks.ts'
import { ended, held, known, noted, refused } from '../src/talk/noted.ts'
import { fact, frame } from './facts.ts'

const deadline = fact('passport_deadline', '2026-06-30', { validFrom: '2026-06-10T10:00:00Z' })

describe('what was noted', () => {
  test('says what holds, from when, and what it was before', () => {
    const before = fact('passport_deadline', '2026-07-15', { validTo: '2026-06-10T10:00:00Z' })
    expect(noted(deadline, frame, { before }).text).toBe(
      'Noted: your passport deadline is June 30, 2026, from today. It was July 15, 2026 before.',
    )
    expect(noted(deadline, frame).text).toBe('Noted: your passport deadline is June 30, 2026, from today.')
    expect(noted(deadline, frame, { again: true, before }).text).toBe(
      'Noted once more: your passport deadline is June 30, 2026, from today.',
    )
  })

  test('a flag that turned says itself what was before', () => {
    const before = fact('eats_meat', true)
    expect(noted(fact('eats_meat', false, { validFrom: '2026-03-01T00:00:00Z' }), frame, { before }).text).toBe(
      'Noted: you do not eat meat, since March 1.',
    )
  })

  test('what is to come does not replace anything yet', () => {
    const before = fact('lives_in', 'Bergen')
    expect(noted(fact('lives_in', 'Berlin', { validFrom: '2026-08-01T00:00:00Z' }), frame, { before }).text).toBe(
      'Noted: you will live in Berlin, from August 1 on. Until then it is Bergen.',
    )
  })

  test('what ended, what was known, what waits and what was refused', () => {
    expect(ended(fact('employer', 'Acme', { validTo: '2026-06-10T11:00:00Z' }), frame).text).toBe(
      'Noted: you worked at Acme, until today. It stays in the history.',
    )
    expect(known(deadline, frame).text).toBe('I know that already: your passport deadline is June 30, 2026, from today.')
    expect(held({ subject: 'user', attribute: 'lives_in', value: 'Oslo' }).text).toContain('waits for you to confirm it')
    expect(refused('conflict').text).toContain('Another value already starts at the same second')
  })
})

describe('a reply is kept as marks', () => {
  const marks: readonly Mark[] = [
    { kind: 'stored', id: '0199:x' },
    { kind: 'ended', id: '0199@2026-06-03T10:00:00Z' },
    { kind: 'refused', code: 'conflict' },
    { kind: 'asked' },
  ]

  test('which come back from the tags of its episode', () => {
    const tags = replyTags('episode', marks)
    expect(answeredBy(tags)).toBe('episode')
    expect(marksOf(tags)).toEqual(marks)
    expect(answeredBy(['talk', 'other'])).toBeUndefined()
    expect(marksOf(['talk', 'answers:e', 'else'])).toEqual([])
  })

  test('and whose text names nothing that could have to be forgotten', () => {
    expect(replySummary(marks)).toBe('Answered from memory.')
    expect(replySummary([{ kind: 'stored', id: 'a' }])).toBe('Noted.')
    expect(replySummary([{ kind: 'unclear' }])).toBe('Nothing was noted.')
  })
})
