/** The same in a store whose journal keeps what it is given, so that entries, images and the keyring are encrypted. */
import { describe, expect, test } from 'vitest'
import { explore } from './explore.ts'
import { FAULT_KINDS, type FaultKind } from './fault-kinds.ts'
import { FULL, keepFigures, seeds } from '../../../../test/support/size.ts'

/** Encryption takes its time: those that differ most. */
const SMALL: readonly FaultKind[] = ['aborted after success', 'timed out, lands late', 'unreadable once', 'connection lost after']

let faults = 0
keepFigures('journal-encrypted', () => ({ faults }))

describe.each(FULL ? FAULT_KINDS : SMALL)('%s', kind => {
  const index = FAULT_KINDS.indexOf(kind)
  test.each(seeds(index * 100 + 80_001, { small: 1, full: 3 }))(
    'seed %i: what was acknowledged is there once, what was refused is not',
    { timeout: 3_600_000 },
    async seed => {
      const met = await explore({ seed, steps: FULL ? 20 : 7, replicas: index % 2 === 0 ? 1 : 2, encrypted: true }, kind)
      faults += met.length
      expect(met).toContain(kind.startsWith('unreadable') ? 'readKeyring' : 'writeKeyring')
    },
  )
})
