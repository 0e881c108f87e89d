/**
 * A lost store whose logs cannot be read: it stays lost until they can be, and where it was opened without them, what only they
 * hold outlives whatever is written and folded meanwhile.
 */
import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client.ts'
import { MemoryError } from '../../src/errors.ts'
import { MemoryJournal, MemoryStore } from '../../src/journal/memory-journal.ts'
import { localTransport } from '../../src/local-transport.ts'
import type { Memory } from '../../src/memory.ts'
import { MemoryFiles, MemoryPlace } from '../../src/mirror/memory-place.ts'
import { openService } from '../../src/service.ts'

let mend = (): void => {}

/** Of which no log can be read from the `left`-th reading of one on. */
class UnreadablePlace extends MemoryPlace {
  left = Infinity

  override async read(name: string): Promise<Uint8Array | undefined> {
    if (name.startsWith('log') && --this.left < 0)
      throw new MemoryError('STORE_UNAVAILABLE', 'The mirror was not read', { reason: 'faulty' })
    return super.read(name)
  }
}

async function open(store: MemoryStore, files: MemoryFiles, left = Infinity): Promise<Memory> {
  // Every process before has ended.
  files.held.clear()
  const place = new UnreadablePlace(files)
  place.left = left
  mend = () => void (place.left = Infinity)
  const journal = new MemoryJournal(store)
  const service = await openService({ journal, mirror: place, atRest: { kind: 'device' }, durability: 'mirrored' })
  return createClient(localTransport(service))
}

async function say(memory: Memory, attribute: string): Promise<void> {
  await memory.tenant('home', { actor: 'user' }).assert({ subject: 'me', attribute, value: 1 })
}

async function said(memory: Memory): Promise<string[]> {
  const { facts } = await memory.tenant('home').facts({ limit: 100 })
  return facts.map(({ attribute }) => attribute).toSorted()
}

/** The mirror of a store of two facts, of which the first is in a base or both are in a log. */
async function written(hasBase: boolean): Promise<MemoryFiles> {
  const files = new MemoryFiles()
  const memory = await open(new MemoryStore(), files)
  await say(memory, 'first')
  if (hasBase) await memory.checkpoint()
  await say(memory, 'second')
  await memory.close()
  return files
}

describe.each(['with a base', 'without a base'])('a lost store %s', base => {
  // Without a base the logs are looked at once before the identity is put back.
  const left = base === 'with a base' ? 0 : 1

  test('whose logs cannot be read is refused as often as it is opened, and whole once they can be', async () => {
    const files = await written(base === 'with a base')
    const wiped = new MemoryStore()
    for (const opening of ['first', 'second']) {
      const shown = await open(wiped, files, opening === 'first' ? left : 0).then(said, (error: unknown) => error)
      expect(shown, opening).toMatchObject({ code: 'STORE_UNAVAILABLE' })
    }
    expect(await said(await open(wiped, files))).toEqual(['first', 'second'])
  })

  test('that is opened all the same, written to and folded into a base does not cost what only the logs hold', async () => {
    const files = await written(base === 'with a base')
    const wiped = new MemoryStore()
    await expect(open(wiped, files, left)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    // Readings fail for as long as it is being opened, and no longer.
    const half = await open(wiped, files, 0).catch(() => undefined)
    if (half !== undefined) {
      mend()
      for (const attribute of ['third', 'fourth', 'fifth']) await say(half, attribute)
      await half.checkpoint()
      await half.close()
    }
    const after = half === undefined ? [] : ['fifth', 'fourth', 'third']
    expect(await said(await open(wiped, files))).toEqual([...after, 'first', 'second'].toSorted())
  })
})
