import { expect, test } from 'vitest'
import { nextBoundary, slotsBySubject } from '../src/memory-panel/slots.ts'
import { fact, frame } from './facts.ts'

const oslo = fact('lives_in', 'Oslo', { validFrom: '2019-01-01T00:00:00Z', validTo: '2023-01-01T00:00:00Z' })
const bergen = fact('lives_in', 'Bergen', { validFrom: '2023-03-01T00:00:00Z', validTo: '2026-08-01T00:00:00Z' })
const berlin = fact('lives_in', 'Berlin', { validFrom: '2026-08-01T00:00:00Z' })

test('a slot has what holds, what held and what is to hold', () => {
  const [own] = slotsBySubject([berlin, oslo, bergen], frame.now)
  expect(own?.slots).toEqual([{ subject: 'user', attribute: 'lives_in', current: [bergen], later: [berlin], earlier: [oslo] }])
})

test('an interval begins with its first second and ends before its last', () => {
  const at = (now: string): readonly unknown[] => slotsBySubject([bergen, berlin], now)[0]?.slots[0]?.current ?? []
  expect(at('2026-07-31T23:59:59Z')).toEqual([bergen])
  expect(at('2026-08-01T00:00:00Z')).toEqual([berlin])
})

test('the person comes first, then the others by name', () => {
  const facts = [fact('age', 3, { subject: 'zoe' }), fact('age', 4, { subject: 'ann' }), fact('likes', 'tea'), fact('age', 40)]
  const groups = slotsBySubject(facts, frame.now)
  expect(groups.map(({ subject }) => subject)).toEqual(['user', 'ann', 'zoe'])
  expect(groups[0]?.slots.map(({ attribute }) => attribute)).toEqual(['age', 'likes'])
})

test('the next boundary is the nearest that is still to come', () => {
  expect(nextBoundary([oslo, bergen, berlin], frame.now)).toBe(Date.parse('2026-08-01T00:00:00Z'))
  expect(nextBoundary([oslo], frame.now)).toBeUndefined()
})
