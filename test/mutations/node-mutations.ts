/** What breaks the rules of the journal in a directory. */
import { testsOf } from './mutation.ts'
import type { Catcher, Mutation } from './mutation.ts'

const DIRECTORY_JOURNAL = 'packages/node/src/journal/directory-journal.ts'
const WRITER = 'packages/node/src/journal/journal-writer.ts'

const contract = (test: string): Catcher => ({
  project: 'unit',
  file: 'packages/node/test/journal/directory-journal.test.ts',
  test: `the directory journal keeps the contract of a journal ${test}`,
})
const tornFile = testsOf('unit', 'packages/node/test/faults/torn-file.test.ts')
const failingDisk = testsOf('unit', 'packages/node/test/journal/failing-disk.test.ts')
const takenBack = testsOf('unit', 'packages/node/test/journal/taken-back.test.ts')
const POWER_CUT: Catcher = {
  project: 'unit',
  file: 'packages/node/test/journal/power-cut.test.ts',
  test: 'each call is done or was never made; restarts: never',
}

export const nodeMutations: readonly Mutation[] = [
  {
    name: 'directory-no-quarantine-file',
    breaks: 'damaged bytes are kept beside the journal',
    file: 'packages/node/src/journal/quarantine.ts',
    find: 'if (!there.has(name)) await replaceFile(this.#disk, this.#directory, name, bytes)',
    replace: '',
    caughtBy: [tornFile('what is quarantined outlives the journal file, and goes when the keys are changed')],
  },
  {
    name: 'quarantine-outlives-the-keys',
    breaks: 'what replaces everything that was written takes the quarantine with it',
    file: 'packages/core/src/journal/checkpoint.ts',
    find: 'dropBefore(generation, point.head, quarantineToo)',
    replace: 'dropBefore(generation, point.head, false)',
    caughtBy: [tornFile('what is quarantined outlives the journal file, and goes when the keys are changed')],
  },
  {
    name: 'directory-put-for-add',
    breaks: 'an entry is added, never overwritten',
    file: DIRECTORY_JOURNAL,
    find: "if (first.seq <= head) return 'collision'",
    replace: '',
    caughtBy: [contract('a number that is taken is a collision and is not overwritten')],
  },
  {
    name: 'directory-no-floor-check',
    breaks: 'a replica below the floor is behind',
    file: DIRECTORY_JOURNAL,
    find: "if (first.seq <= this.#meta.floor) return 'behind'",
    replace: '',
    caughtBy: [contract('below the floor a replica is behind')],
  },
  {
    name: 'directory-no-flush-of-appends',
    breaks: 'acknowledged when it is flushed, not when it is written',
    file: WRITER,
    find: 'if (flush) await this.#handle.sync()',
    replace: '',
    caughtBy: [POWER_CUT],
  },
  {
    name: 'directory-no-flush-of-a-new-name',
    breaks: 'the name of a journal file is flushed before an append in it is acknowledged',
    file: WRITER,
    find: 'await disk.syncDirectory(directory)',
    replace: '',
    caughtBy: [POWER_CUT],
  },
  {
    name: 'directory-no-flush-of-whole-files',
    breaks: 'a file is flushed before it gets its name',
    file: 'packages/node/src/journal/replace-file.ts',
    find: 'await file.sync()',
    replace: '',
    caughtBy: [POWER_CUT],
  },
  {
    name: 'directory-no-flush-of-image-names',
    breaks: 'the names of an image are flushed before meta.json names it',
    file: 'packages/node/src/journal/image-files.ts',
    find: 'await disk.syncDirectory(directory)',
    replace: '',
    caughtBy: [POWER_CUT],
  },
  {
    name: 'directory-failed-append-stays',
    breaks: 'an append that failed is taken back',
    file: WRITER,
    find: 'await this.#handle.truncate(this.#end)',
    replace: 'await Promise.resolve()',
    caughtBy: [takenBack('after 0 appends that were flushed'), takenBack('after 1 appends that were flushed')],
  },
  {
    name: 'directory-writes-on-after-an-unknown',
    breaks: 'nothing is written while it is not known what the disk holds',
    file: DIRECTORY_JOURNAL,
    find: 'if (isUnknown(failure)) this.#stuck = failure',
    replace: '',
    caughtBy: [failingDisk('its outcome is unknown and nothing more is written')],
  },
  {
    name: 'directory-state-written-first',
    breaks: 'meta.json names an image when it is there',
    file: DIRECTORY_JOURNAL,
    find: 'await writeBase(this.#disk, this.#directory, base)',
    replace:
      'await this.#commit({ ...this.#meta, floor, generations: [...generations, { generation, segments: segments.length, deltas: 0 }] })\n      await writeBase(this.#disk, this.#directory, base)',
    caughtBy: [POWER_CUT],
  },
  {
    name: 'directory-half-an-append',
    breaks: 'an append that is not whole is not there at all',
    file: 'packages/node/src/journal/journal-file.ts',
    find: 'if (parts.length === newest.parts)',
    replace: 'if (parts.length > 0)',
    caughtBy: [
      {
        project: 'unit',
        file: 'packages/node/test/journal/torn-append.test.ts',
        test: 'of 3 entries, was torn by a crash at every length',
      },
    ],
  },
  {
    name: 'directory-lock-not-looked-at',
    breaks: 'nothing is written once another process has taken the lock',
    file: DIRECTORY_JOURNAL,
    find: 'await this.#lock.verify()\n        return await body()',
    replace: 'return await body()',
    caughtBy: [
      { project: 'unit', file: 'packages/node/test/journal/lock.test.ts', test: 'a lock that was taken away stops every write' },
    ],
  },
]
