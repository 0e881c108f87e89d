/** What breaks the rules of the mirror. */
import { testsOf } from './mutation.ts'
import type { Mutation } from './mutation.ts'

const MIRROR = 'packages/core/src/mirror/mirror.ts'
const MIRRORED_JOURNAL = 'packages/core/src/mirror/mirrored-journal.ts'

const restore = testsOf('unit', 'packages/core/test/mirror/restore.test.ts')
const mirrored = testsOf('unit', 'packages/core/test/mirror/mirrored-journal.test.ts')
const twoMirrors = testsOf('unit', 'packages/core/test/mirror/two-mirrors.test.ts')
const noRoom = testsOf('unit', 'packages/core/test/mirror/no-room.test.ts')
const interleaved = testsOf('unit', 'packages/core/test/mirror/interleaved.test.ts')

export const mirrorMutations: readonly Mutation[] = [
  {
    name: 'not-mirrored',
    breaks: 'what was committed is copied',
    file: MIRRORED_JOURNAL,
    find: 'const mirrored = this.#mirror.log(entries, { flush: this.#wait })',
    replace: 'const mirrored = Promise.resolve()',
    caughtBy: [restore('a store that was wiped comes back from its log')],
  },
  {
    name: 'mirror-not-waited-for',
    breaks: 'mirrored: acknowledged when the mirror has it too',
    file: MIRRORED_JOURNAL,
    find: 'if (this.#wait) await mirrored',
    replace: 'void mirrored',
    caughtBy: [mirrored('settles when the mirror has flushed it, where it was asked to wait: true')],
  },
  {
    name: 'mirror-not-flushed',
    breaks: 'mirrored: acknowledged when the mirror has flushed it',
    file: MIRRORED_JOURNAL,
    find: '{ flush: this.#wait }',
    replace: '{ flush: false }',
    caughtBy: [mirrored('settles when the mirror has flushed it, where it was asked to wait: true')],
  },
  {
    name: 'failed-mirror-ignored',
    breaks: 'mirrored: nothing is acknowledged while the mirror cannot be written',
    file: MIRRORED_JOURNAL,
    find: 'if (this.#wait && this.#mirror.failure !== undefined) {',
    replace: 'if (this.#wait && this.#mirror.failure === null) {',
    caughtBy: [mirrored('that met a failing mirror counts; later ones are refused until it works again')],
  },
  {
    name: 'lost-store-taken-for-a-new-one',
    breaks: 'a journal that came back empty is restored, never taken for a new one',
    file: 'packages/core/src/open-journal.ts',
    find: 'const witness = elsewhere[0] ?? known',
    replace: 'const witness = [elsewhere[0] ?? known].find(() => false)',
    caughtBy: [restore('a store that was wiped comes back from its log')],
  },
  {
    name: 'base-not-restored',
    breaks: 'the copy of the base comes back',
    file: 'packages/core/src/mirror/restore-base.ts',
    find: "if (!('reason' in image)) return { segments, image }",
    replace: "if ('reason' in image) return undefined",
    caughtBy: [restore('a store that was wiped comes back from its log')],
  },
  {
    name: 'damaged-mirrors-ignored',
    breaks: 'a store whose mirrors cannot be read is STORE_LOST',
    file: 'packages/core/src/mirror/restore-base.ts',
    find: 'if (files.length > 0)',
    replace: 'if (files.length < 0)',
    caughtBy: [restore('without readable mirrors it is STORE_LOST')],
  },
  {
    name: 'lost-end-not-taken-back',
    breaks: 'a journal that lost its end takes it back',
    file: 'packages/core/src/mirror/recover.ts',
    find: 'const appended = await store.place(entries)',
    replace: 'const appended = entries.length',
    caughtBy: [restore('a journal that lost only its end takes it back')],
  },
  {
    name: 'mirror-not-levelled',
    breaks: 'what a dead tab did not mirror is mirrored before anything new is acknowledged',
    file: 'packages/core/src/mirror/recover.ts',
    find: 'await mirror.bringLevel(() => levelMirror(bare, now, mirror, mirrored))',
    replace: '',
    caughtBy: [restore('what was not mirrored when its tab died is mirrored')],
  },
  {
    name: 'half-a-base-counts',
    breaks: 'the copy of a base counts when it is whole',
    file: 'packages/core/src/mirror/read-mirror.ts',
    find: '.filter(name => whole.has(name))',
    replace: ".filter(name => !whole.has(''))",
    caughtBy: [mirrored('of which the file whole cannot be made counts for nothing')],
  },
  {
    name: 'keys-dropped-without-the-copy',
    breaks: 'older keys stay until the mirror has a copy of the base under the new one',
    file: 'packages/core/src/at-rest/change-keys.ts',
    find: 'if (mirror !== undefined && !(await isBaseCopied(bare, mirror)))',
    replace: 'if (mirror !== undefined && !(await isBaseCopied(bare, mirror)) && id < 0)',
    caughtBy: [noRoom('no base: keys are not changed to the end')],
  },
  {
    name: 'mirror-without-identity',
    breaks: 'an identity or keyring that could not be written is written later',
    file: MIRROR,
    find: 'this.#due.set(name, write)\n    return this.#queue(() => this.#payDue())',
    replace: 'return this.#queue(write)',
    caughtBy: [noRoom('no identity while a store is made')],
  },
  {
    name: 'logs-removed-before-the-base',
    breaks: 'a log goes when the base that covers it is whole',
    file: MIRROR,
    find: 'await this.#writeWhole(`base-${id}`, [header, ...segments.map(encodeFrame)])',
    replace:
      'await this.#removeCovered(floor).catch(() => undefined)\n      await this.#writeWhole(`base-${id}`, [header, ...segments.map(encodeFrame)])',
    caughtBy: [mirrored('of which the file base cannot be made counts for nothing')],
  },
  {
    name: 'logs-not-covered-removed',
    breaks: 'a log stays while it holds what no base covers',
    file: MIRROR,
    find: 'if (last <= floor && (await this.place.remove(name, sizeBytes)))',
    replace: 'if (await this.place.remove(name, sizeBytes))',
    caughtBy: [twoMirrors('a log that grew after it was found level keeps what came later')],
  },
  {
    name: 'grown-logs-removed',
    breaks: 'a log that grew and was let go since it was read stays',
    file: MIRROR,
    find: 'this.place.remove(name, sizeBytes)',
    replace: 'this.place.remove(name)',
    caughtBy: [interleaved('seed 20: nothing that was copied is ever without a copy')],
  },
  {
    name: 'other-bases-removed',
    breaks: 'a base goes only for one that everybody takes for newer',
    file: MIRROR,
    find: 'if (newestFirst(newest, baseNamed(name)) < 0)',
    replace: 'if (baseNamed(name).name !== newest.name)',
    caughtBy: [interleaved('seed 59: nothing that was copied is ever without a copy')],
  },
  {
    name: 'base-mirrored-before-it-was-read-back',
    breaks: 'a base stands for the entries in it when it has been read back',
    file: MIRRORED_JOURNAL,
    find: 'this.#unverified = saved ? base : undefined',
    replace: 'if (saved) void this.#mirror.writeBase(base)',
    caughtBy: [mirrored('is made when the base has been read back')],
  },
]
