import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { clockBound, clockMs, formatClock, HybridClock, isClock, type ClockValue } from '../../src/time/hybrid-clock.ts'
import { cases } from '../oracle/soak.ts'

const device = fc.string({ unit: fc.constantFrom(...'0189az'), minLength: 1, maxLength: 4 })
const value: fc.Arbitrary<ClockValue> = fc.record({
  ms: fc.oneof(fc.nat(5), fc.integer({ min: 0, max: 0xffff_ffff_fffe })),
  counter: fc.oneof(fc.nat(3), fc.constantFrom(0xffff, 0xfffe)),
  device,
})

test('the order of the texts is the order of the values', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      const byValue = a.ms - b.ms || a.counter - b.counter || (a.device < b.device ? -1 : a.device > b.device ? 1 : 0)
      const [left, right] = [formatClock(a), formatClock(b)]
      expect(Math.sign(byValue)).toBe(left < right ? -1 : left > right ? 1 : 0)
      expect(clockMs(left)).toBe(a.ms)
    }),
    cases(5000, 100_000),
  )
}, 600_000)

test('ticks rise, whatever the wall clock does and whatever is observed', () => {
  const step = fc.oneof(
    fc.record({ wall: fc.oneof(fc.integer({ min: -5, max: 20 }), fc.double({ min: 0, max: 2e12, noNaN: true })) }),
    fc.record({ observed: value }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), device, (steps, own) => {
      let wall = 0
      const clock = new HybridClock(own, () => wall)
      let highest = ''
      for (const one of steps) {
        if ('wall' in one) wall = one.wall
        else {
          const seen = formatClock(one.observed)
          clock.observe(seen)
          // What lies beyond the year 9999 is no time, and is not followed.
          if (isClock(seen) && seen > highest) highest = seen
        }
        const tick = clock.tick()
        expect(tick > highest, `${tick} after ${highest}`).toBe(true)
        expect(isClock(tick)).toBe(true)
        expect(clockMs(tick)).toBeGreaterThanOrEqual(Math.floor(wall))
        expect(clock.nowMs()).toBeGreaterThanOrEqual(clockMs(tick))
        highest = tick
      }
    }),
    cases(2000, 50_000),
  )
}, 600_000)

test('a full counter carries into the millisecond', () => {
  const clock = new HybridClock('a', () => 5)
  clock.observe('000000000005-ffff-b')
  expect(clock.tick()).toBe('000000000006-0000-a')
})

test('what is not a clock value is not observed', () => {
  const clock = new HybridClock('a', () => 5)
  for (const text of ['', 'fffffffffffff-0000-a', 'FFFFFFFFFFFF-0000-A', '00000000ffff-0000-', '00000000ffff-0000-a\n'])
    clock.observe(text)
  expect(clock.tick()).toBe('000000000005-0000-a')
})

test('the greatest value that a record may carry leaves the clock able to go on', () => {
  const clock = new HybridClock('a', () => 5)
  const greatest = formatClock({ ms: 253402214400000, counter: 0xffff, device: 'z' })
  expect(isClock(greatest)).toBe(true)
  clock.observe(greatest)
  const [first, second] = [clock.tick(), clock.tick()]
  expect(first > greatest).toBe(true)
  expect(second > first).toBe(true)
  // From further on nothing is followed: it would leave the clock where no record could carry its values.
  const beyond = 'ffffffffffff-ffff-z'
  expect(isClock(beyond)).toBe(false)
  clock.observe(beyond)
  expect(clock.tick() < beyond).toBe(true)
})

test('the bound of a millisecond is above all its clock values and below those of the next', () => {
  fc.assert(
    fc.property(value, other => {
      const clock = formatClock(other)
      expect(clock < clockBound(other.ms)).toBe(true)
      expect(formatClock({ ms: other.ms + 1, counter: 0, device: '0' }) > clockBound(other.ms)).toBe(true)
    }),
    cases(1000, 20_000),
  )
}, 600_000)
