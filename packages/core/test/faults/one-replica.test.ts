/** Any fault at any call of the journal, in lives at random of one replica. */
import { describe, expect, test } from 'vitest'
import { explore } from './explore.ts'
import { FAULT_KINDS, READ_FAULTS, type FaultKind } from './fault-kinds.ts'
import { FULL, keepFigures, seeds } from '../../../../test/support/size.ts'

const STEPS = FULL ? 24 : 8

let faults = 0
keepFigures('journal-one-replica', () => ({ faults }))

describe.each(FAULT_KINDS)('%s', kind => {
  test.each(seeds(FAULT_KINDS.indexOf(kind) * 100 + 1, { small: 1, full: 6 }))(
    'seed %i: what was acknowledged is there once, what was refused is not',
    { timeout: 3_600_000 },
    async seed => {
      const met = await explore({ seed, steps: STEPS, replicas: 1, encrypted: false }, kind)
      faults += met.length
      const every = isReading(kind) ? ['state', 'read', 'image'] : ['append', 'saveBase', 'dropBefore', 'saveDelta']
      expect([...new Set(met)]).toEqual(expect.arrayContaining(every))
    },
  )
})

function isReading(kind: FaultKind): boolean {
  return (READ_FAULTS as readonly FaultKind[]).includes(kind)
}
