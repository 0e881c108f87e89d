import type { Journal } from '@palimpsest/core'
import { expect, test } from 'vitest'
import { openJournalOn } from '../../src/journal/open-directory.ts'
import type { Change } from './disks.ts'
import { watchedDisk } from './disks.ts'
import { entries, entry } from './entries.ts'
import { memoryDisk } from './memory-disk.ts'
import { DiskModel, UNFLUSHED_CONTENT, UNFLUSHED_NAMES } from './power-cut.ts'

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text))

/** Every call that changes a store, some of them on files that hold more than is dropped. */
const LIFE: readonly (readonly [string, (journal: Journal) => Promise<unknown>])[] = [
  ['append 1', journal => journal.append([entry(1)])],
  ['name', journal => journal.initMeta('storeId', 'the store')],
  ['append 2-4', journal => journal.append(entries(2, 4))],
  ['base 1', journal => journal.saveBase({ generation: 1, segments: [bytes('base 1a'), bytes('base 1b')], floor: 3 })],
  ['append 5', journal => journal.append([entry(5)])],
  ['keyring 1', journal => journal.writeKeyring({ revision: 1, bytes: bytes('keys 1') })],
  ['delta 1.1', journal => journal.saveDelta({ generation: 1, n: 1, bytes: bytes('delta 1'), floor: 5 })],
  ['drop within a file', journal => journal.dropBefore(1, 3)],
  ['append 6-7', journal => journal.append(entries(6, 7))],
  ['delta 1.2', journal => journal.saveDelta({ generation: 1, n: 2, bytes: bytes('delta 2'), floor: 7 })],
  ['drop at the end of a file', journal => journal.dropBefore(1, 5)],
  ['keyring 2', journal => journal.writeKeyring({ revision: 2, bytes: bytes('keys 2') })],
  ['base 2', journal => journal.saveBase({ generation: 2, segments: [bytes('base 2')], floor: 7 })],
  ['append 8-9', journal => journal.append(entries(8, 9))],
  ['drop a generation', journal => journal.dropBefore(2, 7)],
  ['append 10', journal => journal.append([entry(10)])],
]

async function told(journal: Journal): Promise<unknown> {
  const text = (part: Uint8Array): string => Buffer.from(part).toString()
  const images = await Promise.all([1, 2].map(generation => journal.image(generation)))
  const keyring = await journal.readKeyring()
  return {
    state: await journal.state(),
    id: await journal.getMeta('storeId'),
    keyring: keyring && `${keyring.revision}: ${text(keyring.bytes)}`,
    entries: (await journal.read(0)).map(({ seq, bytes: content }) => `${seq}: ${text(content)}`),
    images: images.map(image => image && [image.segments.map(text), image.deltas.map(text)]),
  }
}

interface Step {
  readonly what: string
  readonly changes: readonly Change[]
  /** What the store tells before the step, and after it. */
  readonly before: unknown
  readonly after: unknown
}

const DIRECTORY = '/in/memory'

const EMPTY = {
  state: { head: 0, floor: 0, generation: 0, deltas: 0 },
  id: undefined,
  keyring: undefined,
  entries: [],
  images: [undefined, undefined],
}

/** Lives the life; `restart` closes or kills and opens again before every step. */
async function live(restart: 'never' | 'close' | 'kill'): Promise<Step[]> {
  let changes: Change[] = []
  const disk = watchedDisk(change => changes.push(change), memoryDisk())
  const steps: Step[] = []
  let now: unknown = EMPTY
  const step = async (what: string, run: () => Promise<Journal>): Promise<Journal> => {
    changes = []
    const journal = await run()
    const made = changes
    const after = await told(journal)
    steps.push({ what, changes: made, before: now, after })
    now = after
    return journal
  }
  const open = (): Promise<Journal> => openJournalOn(disk, DIRECTORY, {})
  let journal = await step('open', open)
  for (const [what, call] of LIFE) {
    const last = journal
    if (restart === 'close') {
      journal = await step(`close and open before ${what}`, async () => {
        await last.close()
        return open()
      })
    } else if (restart === 'kill') {
      journal = await step(`kill and open before ${what}`, async () => {
        await disk.remove(`${DIRECTORY}/lock.json`)
        return open()
      })
    }
    const current = journal
    await step(what, async () => {
      expect(await call(current)).not.toBe(false)
      return current
    })
  }
  await journal.close()
  return steps
}

test.each(['never', 'close', 'kill'] as const)(
  'whenever the power goes, each call is done or was never made; restarts: %s',
  { timeout: 300_000 },
  async restart => {
    const model = new DiskModel()
    let cuts = 0
    // Many cuts leave the same files.
    const known = new Map<string, unknown>()
    const toldBy = async (left: ReadonlyMap<string, Uint8Array>): Promise<unknown> => {
      const key = JSON.stringify(
        [...left].map(([name, content]) => `${name} ${Buffer.from(content).toString('latin1')}`).toSorted(),
      )
      const found = known.get(key) ?? (await told(await openJournalOn(memoryDisk(left), DIRECTORY, {})))
      known.set(key, found)
      return found
    }
    for (const { what, changes, before, after } of await live(restart)) {
      const expectOneOf = async (allowed: readonly unknown[], hint: string): Promise<void> => {
        for (const content of UNFLUSHED_CONTENT) {
          for (const names of UNFLUSHED_NAMES) {
            const found = await toldBy(model.left({ content, names }))
            cuts += 1
            const position = allowed.findIndex(state => JSON.stringify(state) === JSON.stringify(found))
            if (position === -1) expect(found, `${hint}, content ${content}, names ${names}`).toEqual(allowed.at(-1))
          }
        }
      }
      for (const [i, change] of changes.entries()) {
        model.apply(change)
        await expectOneOf([before, after], `${what}, after change ${i + 1} of ${changes.length} (${change.op})`)
      }
      await expectOneOf([after], `${what}, acknowledged`)
    }
    expect(cuts).toBeGreaterThan(1_000)
  },
)
