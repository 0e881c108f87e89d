/** What breaks the rules of commits, checkpoints, opening and encryption, whatever the journal. */
import { testsOf } from './mutation.ts'
import type { Mutation } from './mutation.ts'

const COMMIT_QUEUE = 'packages/core/src/journal/commit-queue.ts'
const CHECKPOINT = 'packages/core/src/journal/checkpoint.ts'
const REPLICA = 'packages/core/src/journal/replica.ts'
const MEMORY_JOURNAL = 'packages/core/src/journal/memory-journal.ts'

const durability = testsOf('unit', 'packages/core/test/memory/durability.test.ts')
const contract = testsOf('unit', 'packages/core/test/journal/memory-journal.test.ts')
const heldAppend = testsOf('unit', 'packages/core/test/journal/held-append.test.ts')
const checkpoint = testsOf('unit', 'packages/core/test/journal/checkpoint.test.ts')
const chain = testsOf('unit', 'packages/core/test/journal/chain.test.ts')
const quarantine = testsOf('unit', 'packages/core/test/journal/quarantine.test.ts')
const longCommit = testsOf('unit', 'packages/core/test/journal/long-commit.test.ts')
const encryption = testsOf('unit', 'packages/core/test/at-rest/encryption.test.ts')
const sealedBlob = testsOf('unit', 'packages/core/test/at-rest/sealed-blob.test.ts')

export const coreMutations: readonly Mutation[] = [
  {
    name: 'memory-put-for-add',
    breaks: 'an entry is added, never overwritten',
    file: MEMORY_JOURNAL,
    find: "if (first.seq <= head) return 'collision'",
    replace: '',
    caughtBy: [contract('a number that is taken is a collision and is not overwritten')],
  },
  {
    name: 'memory-no-floor-check',
    breaks: 'a replica below the floor is behind',
    file: MEMORY_JOURNAL,
    find: "if (first.seq <= store.floor) return 'behind'",
    replace: '',
    caughtBy: [contract('below the floor a replica is behind')],
  },
  {
    name: 'acknowledged-before-the-append',
    breaks: 'nothing is acknowledged before the append has settled',
    file: COMMIT_QUEUE,
    find: 'outcome = await this.#host.journal.append(attempt.entries)',
    replace: "outcome = 'appended' as const; void this.#host.journal.append(attempt.entries).catch(() => undefined)",
    caughtBy: [durability('a failed append is a typed error and leaves nothing')],
  },
  {
    name: 'read-past-the-queue',
    breaks: 'nothing is read that is not durable',
    file: COMMIT_QUEUE,
    find: "return this.#other('read', run)",
    replace: 'return Promise.resolve().then(run)',
    caughtBy: [heldAppend('waits for what becomes of it; refused: true')],
  },
  {
    name: 'no-rollback',
    breaks: 'what was not appended is taken back',
    file: COMMIT_QUEUE,
    find: "replica.db.run('rollback')",
    replace: "replica.db.run('commit')",
    caughtBy: [durability('a failed append is a typed error and leaves nothing')],
  },
  {
    name: 'no-rollback-after-a-failure',
    breaks: 'what was not appended is taken back',
    file: COMMIT_QUEUE,
    find: 'this.#rollBack(replica)\n        // A lost answer',
    replace: "replica.db.run('commit')\n        // A lost answer",
    caughtBy: [durability('a failed append is a typed error and leaves nothing')],
  },
  {
    name: 'no-rollback-after-a-collision',
    breaks: 'what was not appended is taken back',
    file: COMMIT_QUEUE,
    find: "this.#rollBack(replica)\n      if (outcome === 'behind')",
    replace: "replica.db.run('commit')\n      if (outcome === 'behind')",
    caughtBy: [durability('a failed append is a typed error and leaves nothing')],
  },
  {
    name: 'caches-outlive-a-rollback',
    breaks: 'what was cached of an uncommitted transaction is void',
    file: COMMIT_QUEUE,
    find: "replica.db.run('rollback')\n    this.#host.forgetUncommitted()",
    replace: "replica.db.run('rollback')",
    caughtBy: [durability('a failed append is a typed error and leaves nothing')],
  },
  {
    name: 'no-commit-id-look-up',
    breaks: 'an operation whose commit is in the journal is not done twice',
    file: COMMIT_QUEUE,
    find: 'if (task.last === undefined || replica.findCommit(task.commit) === undefined) return true',
    replace: "if (task.commit !== '') return true",
    caughtBy: [durability('a failed append is a typed error and leaves nothing')],
  },
  {
    name: 'another-run-of-a-commit-in-doubt',
    breaks: 'a write of unknown fate is tried again with the same records',
    file: COMMIT_QUEUE,
    find: 'if (isUnknown(failure)) for (const task of unanswered) doubt(task, failure)',
    replace: '',
    caughtBy: [
      testsOf('unit', 'packages/core/test/faults/same-records.test.ts')('what was told of a statement without an id of its own'),
    ],
  },
  {
    name: 'own-hashes',
    breaks: 'a delta is made against the image that is persisted, whoever wrote it',
    file: CHECKPOINT,
    find: 'if (known.generation === generation && known.deltas === deltas) return known',
    replace: 'if (known.generation === generation) return { ...known, deltas }',
    caughtBy: [checkpoint('a delta is made against what another replica has written since')],
  },
  {
    name: 'hashes-of-the-image-in-memory',
    breaks: 'a delta is made against the image that is persisted, not against the one that was made of it',
    file: CHECKPOINT,
    find: 'this.#persisted = image === undefined || image.damaged.length > 0 ? undefined : this.#known(image)',
    replace:
      'this.#persisted = image === undefined || image.damaged.length > 0 ? undefined : { ...this.#known(image), hashes: this.#hash(replica.db.export()) }',
    caughtBy: [checkpoint('a delta is made against what was read, not against what has become of it since')],
  },
  {
    name: 'base-not-read-back',
    breaks: 'a base is verified before what it replaces is dropped',
    file: CHECKPOINT,
    find: "if (readBack === undefined || 'reason' in readBack || changedPages(hashes, this.#hash(readBack.bytes)).length > 0) {",
    replace: 'if (readBack === undefined) {',
    caughtBy: [checkpoint('where the new base cannot be read, the one before it and the entries stay')],
  },
  {
    name: 'entries-dropped-at-a-delta',
    breaks: 'entries stay until the next base is written and read back',
    file: CHECKPOINT,
    find: "if (!saved) return { done: false, why: 'raced' }\n        this.#persisted = { ...persisted, deltas: n, hashes, deltaBytes }",
    replace:
      "if (!saved) return { done: false, why: 'raced' }\n        await this.#journal.dropBefore(state.generation, point.head)\n        this.#persisted = { ...persisted, deltas: n, hashes, deltaBytes }",
    caughtBy: [durability('a damaged delta costs nothing')],
  },
  {
    name: 'no-generation-before',
    breaks: 'where a base is damaged the generation before it is read',
    file: REPLICA,
    find: 'for (const candidate of [generation, generation - 1]) {',
    replace: 'for (const candidate of [generation]) {',
    caughtBy: [durability('a bad base falls back a generation')],
  },
  {
    name: 'a-new-store-for-a-damaged-one',
    breaks: 'a store that cannot be read is never taken for a new one',
    file: REPLICA,
    find: 'if (image === undefined && before.generation > 0)',
    replace: 'if (image === undefined && before.generation < 0)',
    caughtBy: [durability('a store whose every generation is damaged is STORE_CORRUPT')],
  },
  {
    name: 'generation-not-read-again',
    breaks: 'image and tail that were read are of one moment',
    file: REPLICA,
    find: 'if (after.generation !== before.generation || after.deltas !== before.deltas) continue',
    replace: '',
    caughtBy: [checkpoint('a base that another replica writes while one opens')],
  },
  {
    name: 'no-hash-chain',
    breaks: 'an entry names the one before it, and another one is reported',
    file: REPLICA,
    find: 'if (entry.prev !== follows && ',
    replace: "if (entry.prev === '' && ",
    caughtBy: [chain('in the tail'), chain('right behind the image')],
  },
  {
    name: 'no-checksum',
    breaks: 'an entry that is not as it was written is set aside',
    file: 'packages/core/src/journal/entry.ts',
    find: 'if (bytes.length < 34 || hash !== bytesToHex(bytes.subarray(0, 32)))',
    replace: 'if (bytes.length < 34)',
    caughtBy: [durability('a damaged entry is set aside and reported')],
  },
  {
    name: 'report-of-loss-forgotten',
    breaks: 'that an entry could not be read is said as long as it is missing',
    file: REPLICA,
    find: 'replica.recallReports()',
    replace: '',
    caughtBy: [quarantine('is reported by every opening, also when an image has taken its place')],
  },
  {
    name: 'parts-effective-at-once',
    breaks: 'parts of a commit have no effect before the last',
    file: REPLICA,
    find: 'if (entry.parts === 1 && entry.part === 1) return [entry.items]',
    replace: 'if (entry.part > 0) return [entry.items]',
    caughtBy: [durability('a commit larger than one entry is several entries without effect before the last')],
  },
  {
    name: 'last-part-not-waited-for',
    breaks: 'a commit of several parts is acknowledged with its last',
    file: COMMIT_QUEUE,
    find: 'const { last } = task\n',
    replace: 'const { last } = task\n    if (last !== undefined) task.settle(last)\n',
    caughtBy: [longCommit('aborted between two parts it says ABORTED')],
  },
  {
    name: 'long-commits-under-one-key',
    breaks: 'of two long commits under one key, one counts',
    file: 'packages/core/src/journal/staging.ts',
    find: 'if (!isAnswered(itemsOfPart(db, commit, attempt, parts))) return',
    replace: 'if (isAnswered([]) || parts > 0) return',
    caughtBy: [longCommit('asked for in two tabs at once under one key')],
  },
  {
    name: 'abandoned-parts-acknowledged',
    breaks: 'a long commit is acknowledged when it has taken effect',
    file: 'packages/core/src/journal/commit-queue.ts',
    find: 'last !== undefined && this.#host.replica().findCommit(task.commit) !== undefined',
    replace: 'last !== undefined',
    caughtBy: [longCommit('parts that another tab takes for abandoned are written again')],
  },
  {
    name: 'one-nonce',
    breaks: 'no nonce is used twice under one key',
    file: 'packages/core/src/at-rest/cipher.ts',
    find: 'const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))',
    replace: 'const iv = new Uint8Array(NONCE_BYTES)',
    caughtBy: [sealedBlob('no nonce comes twice')],
  },
  {
    name: 'place-left-out',
    breaks: 'a blob opens at its own place alone',
    file: 'packages/core/src/at-rest/sealed-blob.ts',
    find: 'return utf8ToBytes(`palimpsest v1 ${storeId} ${place.kind} ${where}`)',
    replace: 'return utf8ToBytes(`palimpsest v1 ${storeId} ${where.slice(0, 0)}`)',
    caughtBy: [sealedBlob('it opens at its own place alone')],
  },
  {
    name: 'store-left-out',
    breaks: 'a blob opens in its own store alone',
    file: 'packages/core/src/at-rest/sealed-blob.ts',
    find: 'palimpsest v1 ${storeId} ${place.kind}',
    replace: 'palimpsest v1 ${place.kind}',
    caughtBy: [sealedBlob('it does not open in another store')],
  },
  {
    name: 'base-not-compared',
    breaks: 'a base is compared with the image that it was made of before what it replaces is dropped',
    file: CHECKPOINT,
    find: ' || changedPages(hashes, this.#hash(readBack.bytes)).length > 0) {',
    replace: ') {',
    caughtBy: [checkpoint('where the new base is another one, the one before it and the entries stay')],
  },
  {
    name: 'plain-bytes-believed',
    breaks: 'what nobody encrypted is not read in an encrypted store',
    file: 'packages/core/src/at-rest/sealed-blob.ts',
    find: 'if (!isSealed(bytes)) return (await keys.find(0)) === undefined ? NOTHING : bytes',
    replace: 'if (!isSealed(bytes)) return bytes',
    caughtBy: [sealedBlob('bytes without its header are nothing')],
  },
  {
    name: 'old-key-dropped-too-early',
    breaks: 'a key stays until nothing is under it',
    file: 'packages/core/src/at-rest/change-keys.ts',
    find: 'await store.rebase()',
    replace: '',
    caughtBy: [encryption('from device to key: everything is rewritten')],
  },
  {
    name: 'no-marker-of-a-new-key',
    breaks: 'a replica that does not know the new key cannot append',
    file: 'packages/core/src/at-rest/change-keys.ts',
    find: 'await store.place([{ commit: uuidv7(), part: 1, parts: 1, items: [] }])',
    replace: 'uuidv7()',
    caughtBy: [encryption('another replica that is open goes on')],
  },
]
