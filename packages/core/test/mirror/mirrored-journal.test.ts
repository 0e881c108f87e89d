/** When a mirrored journal acknowledges, and when the copy of a base may stand for the entries in it. */
import { describe, expect, test } from 'vitest'
import { MemoryError } from '../../src/errors.ts'
import { MemoryJournal } from '../../src/journal/memory-journal.ts'
import { MemoryFiles, MemoryPlace } from '../../src/mirror/memory-place.ts'
import { Mirror } from '../../src/mirror/mirror.ts'
import { MirroredJournal } from '../../src/mirror/mirrored-journal.ts'
import type { MirrorFile } from '../../src/mirror/port.ts'
import { findBases, readLogs } from '../../src/mirror/read-mirror.ts'
import { IDENTITY, base, entry } from './samples.ts'

/** A place whose files wait, fail or cannot be made as the test says, and that notes what was flushed. */
class StubbornPlace extends MemoryPlace {
  readonly shared: MemoryFiles
  /** What appends wait for. */
  gate: Promise<void> = Promise.resolve()
  isFull = false
  /** Files whose names begin so cannot be made. */
  refused = '?'
  lastFlushed = false

  constructor(shared: MemoryFiles = new MemoryFiles()) {
    super(shared)
    this.shared = shared
  }

  override async create(name: string): Promise<MirrorFile> {
    if (name.startsWith(this.refused)) throw full()
    const file = await super.create(name)
    return {
      append: async (bytes, options) => {
        await this.gate
        if (this.isFull) throw full()
        await file.append(bytes, options)
        this.lastFlushed = options?.flush === true
      },
      close: () => file.close(),
    }
  }
}

function full(): MemoryError {
  return new MemoryError('NOT_STORED', 'There is no room', { reason: 'quota' })
}

const loggedIn = async (place: MemoryPlace): Promise<number[]> =>
  (await readLogs(place, IDENTITY.storeId)).flatMap(({ entries }) => entries.map(({ seq }) => seq))

function opened(wait: boolean): { place: StubbornPlace; inner: MemoryJournal; mirror: Mirror; journal: MirroredJournal } {
  const place = new StubbornPlace()
  const inner = new MemoryJournal()
  const mirror = new Mirror(place, IDENTITY)
  return { place, inner, mirror, journal: new MirroredJournal(inner, mirror, { wait }) }
}

/** More than any call in memory takes. */
async function someTurns(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise(resolve => void setImmediate(resolve))
}

describe('an append', () => {
  test.each([true, false])('settles when the mirror has flushed it, where it was asked to wait: %s', async wait => {
    const { place, journal, inner } = opened(wait)
    let release = (): void => {}
    place.gate = new Promise(resolve => (release = resolve))
    let told: unknown
    const appending = journal.append([entry(1), entry(2)]).then(outcome => (told = outcome))
    await someTurns()
    expect((await inner.state()).head).toBe(2)
    expect(told).toBe(wait ? undefined : 'appended')
    release()
    await appending
    if (wait) {
      expect(await loggedIn(place)).toEqual([1, 2])
      expect(place.lastFlushed).toBe(true)
    }
    await journal.close()
  })

  test('that met a failing mirror counts; later ones are refused until it works again', async () => {
    const { place, journal, inner } = opened(true)
    place.isFull = true
    expect(await journal.append([entry(1)])).toBe('appended')
    await expect(journal.append([entry(2)])).rejects.toMatchObject({ code: 'NOT_STORED', details: { reason: 'mirror' } })
    expect((await inner.state()).head).toBe(1)
    place.isFull = false
    expect(await journal.append([entry(2)])).toBe('appended')
    expect(await loggedIn(place)).toContain(2)
    await journal.close()
  })
})

describe('the copy of a base', () => {
  test('is made when the base has been read back, and takes the place of the logs then', async () => {
    const { place, journal, mirror } = opened(true)
    await journal.append([entry(1), entry(2)])
    await journal.saveBase(base(1, 2))
    await mirror.log([], { flush: true })
    expect(await findBases(place)).toEqual([])
    expect(await loggedIn(place)).toEqual([1, 2])
    await journal.dropBefore(1, 2)
    await mirror.log([], { flush: true })
    expect(await findBases(place)).toMatchObject([{ generation: 1, floor: 2 }])
    expect(await loggedIn(place)).toEqual([])
  })

  test.each(['base', 'whole'])('of which the file %s cannot be made counts for nothing, and the logs stay', async refused => {
    const { place, journal } = opened(true)
    await journal.append([entry(1), entry(2)])
    await journal.close()
    const after = new StubbornPlace(place.shared)
    after.refused = refused
    await new Mirror(after, IDENTITY).writeBase(base(1, 2))
    expect(await findBases(after)).toEqual([])
    expect(await loggedIn(after)).toEqual([1, 2])
  })
})
