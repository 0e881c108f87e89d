/**
 * One reading of the mirror that fails while a store is opened, which is not lost itself: it opens, and its mirror is not called
 * current before it has been read and made level.
 */
import { expect, test } from 'vitest'
import { createClient } from '../../src/client.ts'
import { MemoryError } from '../../src/errors.ts'
import { MemoryJournal, MemoryStore } from '../../src/journal/memory-journal.ts'
import { localTransport } from '../../src/local-transport.ts'
import type { Memory } from '../../src/memory.ts'
import { MemoryFiles, MemoryPlace } from '../../src/mirror/memory-place.ts'
import { openService } from '../../src/service.ts'

/** Fails to list its files once, the `at`-th time. */
class UnlistedPlace extends MemoryPlace {
  at = Infinity
  lists = 0

  override async list(): Promise<readonly string[]> {
    this.lists += 1
    if (this.lists === this.at) throw new MemoryError('STORE_UNAVAILABLE', 'The mirror was not read', { reason: 'faulty' })
    return super.list()
  }
}

async function open(store: MemoryStore, place: MemoryPlace | undefined): Promise<Memory> {
  const mirrored = place === undefined ? {} : { mirror: place, durability: 'mirrored' as const }
  return createClient(
    localTransport(await openService({ journal: new MemoryJournal(store), atRest: { kind: 'device' }, ...mirrored })),
  )
}

async function say(memory: Memory, attribute: string): Promise<void> {
  await memory.tenant('home', { actor: 'user' }).assert({ subject: 'me', attribute, value: 1 })
}

async function said(memory: Memory): Promise<string[]> {
  const { facts } = await memory.tenant('home').facts({ limit: 100 })
  return facts.map(({ attribute }) => attribute).toSorted()
}

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
  'the list that fails is number %i of an opening: what a dead tab did not mirror is mirrored, or it is not called current',
  async at => {
    const [store, files] = [new MemoryStore(), new MemoryFiles()]
    await (await open(store, new MemoryPlace(files))).close()
    // Without its mirror, as if it had died before it came to it.
    const dying = await open(store, undefined)
    await say(dying, 'first')
    await dying.close()
    const place = new UnlistedPlace(files)
    place.at = at
    const memory = await open(store, place)
    // Refused or said: a mirror that lacks something may refuse it.
    const isSaid = await say(memory, 'second').then(
      () => true,
      () => false,
    )
    expect(place.lists).toBeGreaterThanOrEqual(at)
    const { mirror } = await memory.health()
    files.held.clear()
    if (mirror?.state !== 'current') return
    expect(await said(await open(new MemoryStore(), new MemoryPlace(files)))).toEqual(isSaid ? ['first', 'second'] : ['first'])
  },
)
