/** Any fault at any call of one of two replicas that write in turn: the other is not harmed, and both end up with the same. */
import { describe, expect, test } from 'vitest'
import { explore } from './explore.ts'
import { FAULT_KINDS } from './fault-kinds.ts'
import { FULL, keepFigures, seeds } from '../../../../test/support/size.ts'

const STEPS = FULL ? 24 : 8

let faults = 0
keepFigures('journal-two-replicas', () => ({ faults }))

describe.each(FAULT_KINDS)('%s', kind => {
  test.each(seeds(FAULT_KINDS.indexOf(kind) * 100 + 50_001, { small: 1, full: 4 }))(
    'seed %i: what was acknowledged is there once, what was refused is not',
    { timeout: 3_600_000 },
    async seed => {
      const met = await explore({ seed, steps: STEPS, replicas: 2, encrypted: false }, kind)
      faults += met.length
      expect(met.length).toBeGreaterThan(3)
    },
  )
})
