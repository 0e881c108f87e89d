import { rm } from 'node:fs/promises'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeJournal } from '@palimpsest/core/journal-contract'
import { describe, expect, test } from 'vitest'
import type { DirectoryJournalOptions } from '../../src/index.ts'
import { openDirectoryJournal } from '../../src/index.ts'

const placeWith = (options: DirectoryJournalOptions) => ({
  open: async () => {
    const directory = mkdtempSync(join(tmpdir(), 'palimpsest-'))
    let journal = await openDirectoryJournal(directory, options)
    return {
      journal,
      reopen: async () => {
        await journal.close()
        return (journal = await openDirectoryJournal(directory, options))
      },
      second: () => undefined,
      cleanup: async () => {
        await journal.close()
        await rm(directory, { recursive: true })
      },
    }
  },
})

describeJournal('the directory journal', placeWith({}), { describe, test, expect })
describeJournal('the relaxed directory journal', placeWith({ relaxed: true }), { describe, test, expect })
