/**
 * The contract of the journal port: the suite that every implementation runs, in a file of its own of about ten lines.
 *
 * ```ts
 * import { describe, expect, test } from 'vitest'
 * import { describeJournal } from '@palimpsest/core/journal-contract'
 *
 * describeJournal('MyJournal', { open: async () => ({ journal, reopen, second, cleanup }) }, { describe, test, expect })
 * ```
 *
 * It runs in Node and in a page: the test API is handed in, and nothing else is asked of the surroundings.
 */
import { describeAppend } from './contract/append.ts'
import { describeCheckpoint } from './contract/checkpoint.ts'
import { describeDropping } from './contract/dropping.ts'
import type { ContractApi, JournalPlace, JournalUnderTest } from './contract/harness.ts'
import { describeKeyring } from './contract/keyring.ts'
import { describeLife } from './contract/life.ts'
import { describeReplicas } from './contract/replicas.ts'

export type { ContractApi, ContractTestContext, JournalPlace, JournalUnderTest, Matchers } from './contract/harness.ts'

/** Defines the suite. `place.open` is called once a test and gives a new, empty store each time. */
export function describeJournal(name: string, place: JournalPlace, api: ContractApi): void {
  api.describe(`${name} keeps the contract of a journal`, () => {
    const withJournal = (title: string, body: (under: JournalUnderTest, skip: (why: string) => void) => Promise<void>): void =>
      api.test(
        title,
        async context => {
          const under = await place.open()
          try {
            await body(under, why => context.skip(why))
          } finally {
            await under.cleanup()
          }
        },
        TIMEOUT_MS,
      )
    describeAppend(withJournal, api)
    describeCheckpoint(withJournal, api)
    describeDropping(withJournal, api)
    describeKeyring(withJournal, api)
    describeLife(withJournal, api)
    describeReplicas(withJournal, api)
  })
}

/** A strict commit takes milliseconds on a slow disk, and the longest test does some hundred. */
const TIMEOUT_MS = 60_000
