/**
 * Any fault at any call of the journal, where most commits are longer than one entry and many longer than one append: the
 * limits are lowered, the code that meets them is the same.
 */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { LongCommit } from '../../src/journal/long-commit.ts'
import { explore } from './explore.ts'
import { FAULT_KINDS } from './fault-kinds.ts'
import { FULL, keepFigures, seeds } from '../../../../test/support/size.ts'

// A statement takes some 400 bytes: a batch is three entries under one id, and more than one append.
vi.mock('../../src/journal/limits.ts', () => ({ ENTRY_BYTES: 300, APPEND_BYTES: 700 }))

const parts = vi.spyOn(LongCommit.prototype, 'appendNext')

const STEPS = FULL ? 24 : 8

const CASES = [
  [1, 'one replica', 0],
  [2, 'beside another replica', 50],
] as const

let faults = 0
keepFigures('journal-long-commits', () => ({ faults }))
afterEach(() => {
  expect(parts.mock.calls.length).toBeGreaterThan(0)
  parts.mockClear()
})

describe.each(FAULT_KINDS)('%s', kind => {
  const every = FAULT_KINDS.indexOf(kind) * 100 + 70_001
  for (const [replicas, where, first] of CASES)
    test.each(seeds(every + first, { small: 1, full: 4 }))(
      `seed %i, ${where}: all of a commit or nothing, once`,
      { timeout: 3_600_000 },
      async seed => {
        const met = await explore({ seed, steps: STEPS, replicas, encrypted: false, overtaking: true }, kind)
        faults += met.length
        expect(met.length).toBeGreaterThan(3)
      },
    )
})
