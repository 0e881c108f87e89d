/** What breaks the rules of the IndexedDB journal. */
import { testsOf } from './mutation.ts'
import type { Mutation } from './mutation.ts'

const APPEND = 'packages/browser/src/journal/append.ts'
const ONE_SHOT = 'packages/browser/src/journal/one-shot.ts'
const IMAGES = 'packages/browser/src/journal/images.ts'

const journal = testsOf('chromium', 'packages/browser/test/indexeddb-journal.browser.test.ts')

const oneTransaction = testsOf('chromium', 'packages/browser/test/one-transaction.browser.test.ts')

export const browserMutations: readonly Mutation[] = [
  {
    name: 'indexeddb-put-for-add',
    breaks: 'an entry is added, never overwritten',
    file: APPEND,
    find: 'const add = journal.add(row)',
    replace: 'const add = journal.put(row)',
    caughtBy: [journal('a number that is taken is a collision and is not overwritten')],
  },
  {
    name: 'indexeddb-no-floor-check',
    breaks: 'a replica below the floor is behind',
    file: APPEND,
    find: "if (floor >= first) control.refuse('behind')",
    replace: '',
    caughtBy: [journal('an entry below the floor is `behind`')],
  },
  {
    name: 'indexeddb-floor-remembered',
    breaks: 'the floor is read in the transaction of the append',
    file: APPEND,
    find: 'floor = imageState(image.result).floor',
    replace:
      "floor = Object.assign(tx.db, { floor: Number(Reflect.get(tx.db, 'floor') ?? imageState(image.result).floor) }).floor",
    caughtBy: [journal('below the floor a replica is behind')],
  },
  {
    name: 'indexeddb-gap',
    breaks: 'an entry follows the last one',
    file: APPEND,
    find: 'if (first - 1 > seenUpTo) {',
    replace: 'if (first - 1 > seenUpTo && first < 0) {',
    caughtBy: [journal('an entry that would leave a gap is refused')],
  },
  {
    name: 'indexeddb-acknowledged-at-success',
    breaks: 'acknowledged when the transaction is complete, not when its request succeeds',
    file: ONE_SHOT,
    find: 'tx.oncomplete = () => {',
    replace: `tx.addEventListener('success', ({ target }) => {
      const { source } = target as IDBRequest<unknown>
      if (tx.mode === 'readwrite' && result && source instanceof IDBObjectStore && source.name === 'journal') resolve(result())
    }, true)
    tx.oncomplete = () => {`,
    caughtBy: [journal('an abort after every `success` is not an append')],
  },
  {
    name: 'indexeddb-refused-without-abort',
    breaks: 'of a refused append nothing is written',
    file: ONE_SHOT,
    find: 'if (abort()) refused = { outcome }',
    replace: 'resolve(outcome)',
    caughtBy: [journal('nothing of several entries is written when the first collides')],
  },
  {
    name: 'indexeddb-abort-taken-for-certain',
    breaks: 'a write that may have landed is told to be unknown',
    file: ONE_SHOT,
    find: 'DEFINITE.has(reason)',
    replace: 'true',
    caughtBy: [journal('an abort after every `success` is not an append')],
  },
  {
    name: 'indexeddb-timeout-taken-for-certain',
    breaks: 'a write that may have landed is told to be unknown',
    file: ONE_SHOT,
    find: "reject(new TransactionFailure('timeout', abort()))",
    replace: "abort(); reject(new TransactionFailure('timeout', true))",
    caughtBy: [{ project: 'unit', file: 'packages/browser/test/one-shot.test.ts', test: 'was committing already' }],
  },
  {
    name: 'indexeddb-relaxed',
    breaks: 'a strict journal flushes before it acknowledges',
    file: 'packages/browser/src/journal/transactions.ts',
    find: 'durability: this.#options.durability',
    replace: "durability: 'relaxed'",
    caughtBy: [journal('strict unless relaxed is asked for')],
  },
  {
    name: 'indexeddb-relaxed-by-default',
    breaks: 'a journal is strict unless relaxed is asked for',
    file: 'packages/browser/src/journal/indexeddb-journal.ts',
    find: "durability = 'strict'",
    replace: "durability = 'relaxed'",
    caughtBy: [journal('strict unless relaxed is asked for')],
  },
  {
    name: 'indexeddb-state-written-apart',
    breaks: 'a base and the state that names it are one transaction',
    file: IMAGES,
    find: 'const next: ImageState = { generation, deltas: 0, floor, sizesBytes: { ...state.sizesBytes, [generation]: sizeBytes } }\n    meta.put(',
    replace:
      "const next: ImageState = { generation, deltas: 0, floor, sizesBytes: { ...state.sizesBytes, [generation]: sizeBytes } }\n    tx.db.transaction(META, 'readwrite').objectStore(META).put(",
    caughtBy: [oneTransaction('saveBase, aborted after add'), oneTransaction('saveBase, aborted after put')],
  },
  {
    name: 'indexeddb-delta-of-another-image',
    breaks: 'a delta is refused where another one was faster',
    file: IMAGES,
    find: '!isCurrent || n !== state.deltas + 1 ||',
    replace: '!isCurrent ||',
    caughtBy: [journal('a delta is refused, and nothing changes')],
  },
  {
    name: 'indexeddb-base-of-another-generation',
    breaks: 'a base is refused where another one was faster',
    file: IMAGES,
    find: 'if (generation !== state.generation + 1 || floor < state.floor) return',
    replace: 'if (floor < state.floor) return',
    caughtBy: [journal('a base is refused, and nothing changes')],
  },
  {
    name: 'indexeddb-drops-the-tail',
    breaks: 'entries that no image holds stay, whatever is to be dropped',
    file: IMAGES,
    find: 'Math.min(dropUpTo, state.floor)',
    replace: 'dropUpTo',
    caughtBy: [journal('the current generation and the entries above the floor stay')],
  },
]
