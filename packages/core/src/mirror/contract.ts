/**
 * The contract of a mirror's place: the suite that every implementation runs, in a file of its own of about ten lines.
 *
 * ```ts
 * import { describe, expect, test } from 'vitest'
 * import { describeMirrorPlace } from '@palimpsest/core/mirror-contract'
 *
 * describeMirrorPlace('MyPlace', { open: async () => ({ place, second, reopen, cleanup }) }, { describe, test, expect })
 * ```
 *
 * It runs in Node and in a page: the test API is handed in.
 */
import type { ContractApi } from '../journal/contract/harness.ts'
import { bytesOf, noise, refusalCode, textOf } from '../journal/contract/harness.ts'
import { sameBytes } from '../journal/same-bytes.ts'
import type { MirrorPlace } from './port.ts'

export type { ContractApi, ContractTestContext, Matchers } from '../journal/contract/harness.ts'

/** The place of one new store, opened by one replica. */
export interface MirrorPlaceUnderTest {
  readonly place: MirrorPlace
  /** The same store, opened by another replica beside the first. */
  second(): Promise<MirrorPlace>
  /** Lets every replica die as it stands, nothing closed where that can be had, and opens the same store anew. */
  reopen(): Promise<MirrorPlace>
  /** Closes what is open and removes the store. */
  cleanup(): Promise<void>
}

export interface MirrorPlaces {
  open(): Promise<MirrorPlaceUnderTest>
}

/** Defines the suite. `places.open` is called once a test and gives a new, empty store each time. */
export function describeMirrorPlace(name: string, places: MirrorPlaces, { describe, test, expect }: ContractApi): void {
  const withPlace = (title: string, body: (under: MirrorPlaceUnderTest) => Promise<void>): void =>
    test(
      title,
      async () => {
        const under = await places.open()
        try {
          await body(under)
        } finally {
          await under.cleanup()
        }
      },
      TIMEOUT_MS,
    )
  const textIn = async (place: MirrorPlace, file: string): Promise<string | undefined> => {
    const bytes = await place.read(file)
    return bytes && textOf(bytes)
  }
  const listed = async (place: MirrorPlace): Promise<readonly string[]> => (await place.list()).toSorted()

  describe(`${name} keeps the contract of a mirror's place`, () => {
    withPlace('where nothing was written nothing is there, and nothing to remove is fine', async ({ place }) => {
      expect(await place.list()).toEqual([])
      expect(await place.read('log-1')).toBe(undefined)
      expect(await place.remove('log-1')).toBe(true)
    })

    withPlace('a new file is empty, and there at once', async ({ place, second }) => {
      const file = await place.create('log-1')
      for (const from of [place, await second()]) {
        expect(await listed(from)).toEqual(['log-1'])
        expect((await from.read('log-1'))?.byteLength).toBe(0)
      }
      await file.close()
    })

    withPlace('appends follow each other, flushed or not, waited for or not', async ({ place, reopen }) => {
      const file = await place.create('log-1')
      await file.append(bytesOf('one '))
      await file.append(bytesOf('two '), { flush: true })
      await file.append(bytesOf(''), { flush: true })
      await Promise.all(['three ', 'four ', 'five'].map((text, i) => file.append(bytesOf(text), { flush: i === 1 })))
      expect(await textIn(place, 'log-1')).toBe('one two three four five')
      expect(await textIn(await reopen(), 'log-1')).toBe('one two three four five')
    })

    withPlace('bytes come back unchanged: every value, megabytes, a view into a larger buffer', async ({ place, reopen }) => {
      const every = Uint8Array.from({ length: 256 }, (_, i) => i)
      const large = noise(3_000_000, 7)
      const around = Uint8Array.from([9, 9, 1, 2, 3, 9, 9])
      const file = await place.create('base-1')
      for (const bytes of [every, large, around.subarray(2, 5)]) await file.append(bytes)
      const wanted = new Uint8Array(every.length + large.length + 3)
      wanted.set(every)
      wanted.set(large, every.length)
      wanted.set([1, 2, 3], every.length + large.length)
      // What is changed outside afterwards, in what was given or in what is read, does not change what is stored.
      around.fill(0)
      ;(await place.read('base-1'))?.fill(0)
      for await (const from of beforeAndAfter(place, reopen)) {
        const stored = await from.read('base-1')
        expect(stored instanceof Uint8Array).toBe(true)
        expect(sameBytes(stored, wanted)).toBe(true)
      }
    })

    withPlace('files are told apart by their names, the longest too', async ({ place, reopen }) => {
      const names = ['0', 'a', 'a-b', 'a.b', 'b', `${'l'.repeat(94)}.12-34`]
      for (const each of names) {
        const file = await place.create(each)
        await file.append(bytesOf(`in ${each}`))
      }
      for await (const from of beforeAndAfter(place, reopen)) {
        expect(await listed(from)).toEqual(names.toSorted())
        for (const each of names) expect(await textIn(from, each)).toBe(`in ${each}`)
      }
    })

    withPlace('a name that is there is refused, and what it holds stays', async ({ place, second, reopen }) => {
      const other = await second()
      const file = await place.create('log-1')
      await file.append(bytesOf('mine'))
      for (const from of [place, other]) expect(await refusalCode(from.create('log-1'))).toBe('NOT_STORED')
      await file.append(bytesOf(' still'))
      await file.close()
      for await (const from of beforeAndAfter(other, reopen)) {
        expect(await refusalCode(from.create('log-1'))).toBe('NOT_STORED')
        expect(await textIn(from, 'log-1')).toBe('mine still')
      }
    })

    withPlace('of two that create a file at once one does', async ({ place, second }) => {
      const other = await second()
      const outcomes = await Promise.all([place, other].map(from => from.create('log-1').catch(() => undefined)))
      expect(outcomes.filter(file => file !== undefined).length).toBe(1)
      await outcomes.find(file => file !== undefined)?.append(bytesOf('the one'))
      expect(await textIn(other, 'log-1')).toBe('the one')
    })

    withPlace('a file that is held is not removed, by nobody; one that was let go is', async ({ place, second }) => {
      const other = await second()
      const file = await place.create('log-1')
      await file.append(bytesOf('held'))
      for (const from of [place, other]) expect(await from.remove('log-1')).toBe(false)
      await file.append(bytesOf(' on'))
      expect(await textIn(other, 'log-1')).toBe('held on')
      await file.close()
      await file.close()
      expect(await other.remove('log-1')).toBe(true)
      for (const from of [place, other]) {
        expect(await from.list()).toEqual([])
        expect(await from.read('log-1')).toBe(undefined)
      }
      const again = await place.create('log-1')
      await again.append(bytesOf('new'))
      expect(await textIn(other, 'log-1')).toBe('new')
    })

    withPlace('of a file that is let go and has another size than was read, nothing is removed', async ({ place, second }) => {
      const other = await second()
      const file = await place.create('log-1')
      await file.append(bytesOf('read'))
      const sizeBytes = (await other.read('log-1'))?.length ?? 0
      expect(await other.remove('log-1', sizeBytes)).toBe(false)
      await file.append(bytesOf(' and more'))
      await file.close()
      for (const from of [place, other]) expect(await from.remove('log-1', sizeBytes)).toBe(false)
      expect(await textIn(other, 'log-1')).toBe('read and more')
      expect(await other.remove('log-1', 'read and more'.length)).toBe(true)
      expect(await place.list()).toEqual([])
      expect(await place.remove('log-1', sizeBytes)).toBe(true)
    })

    withPlace('a file that was let go takes no more', async ({ place }) => {
      const file = await place.create('log-1')
      await file.append(bytesOf('all of it'))
      await file.close()
      expect(await refusalCode(file.append(bytesOf(' and more')))).toBe('NOT_STORED')
      expect(await textIn(place, 'log-1')).toBe('all of it')
    })

    withPlace('a replica that closes lets go of what it held, and of nothing else', async ({ place, second }) => {
      const other = await second()
      const [first, next] = [await place.create('log-1'), await place.create('log-2')]
      const theirs = await other.create('log-3')
      await first.append(bytesOf('kept'))
      await place.close()
      await place.close()
      expect(await refusalCode(next.append(bytesOf('late')))).toBe('NOT_STORED')
      expect(await textIn(other, 'log-1')).toBe('kept')
      for (const each of ['log-1', 'log-2']) expect(await other.remove(each)).toBe(true)
      expect(await other.remove('log-3')).toBe(false)
      await theirs.append(bytesOf('mine'))
      expect(await textIn(other, 'log-3')).toBe('mine')
    })

    withPlace('what a replica that died held is free, and keeps what was appended', async ({ place, reopen }) => {
      await (await place.create('log-1')).append(bytesOf('acknowledged'))
      const after = await reopen()
      expect(await listed(after)).toEqual(['log-1'])
      expect(await textIn(after, 'log-1')).toBe('acknowledged')
      // That it has died may take a moment to get around.
      for (let waitedMs = 0; waitedMs < 5_000 && !(await after.remove('log-1')); waitedMs += 20) await delay(20)
      expect(await after.list()).toEqual([])
    })

    withPlace('replicas read files of each other while they grow', async ({ place, second }) => {
      const other = await second()
      const file = await place.create('log-1')
      const whole = noise(400_000, 3)
      let acknowledged = 0
      const write = async (): Promise<void> => {
        for (let at = 0; at < whole.length; at += 4_000) {
          await file.append(whole.subarray(at, at + 4_000), { flush: at % 40_000 === 0 })
          acknowledged = at + 4_000
        }
      }
      let reads = 0
      const read = async (from: MirrorPlace): Promise<void> => {
        while (acknowledged < whole.length) {
          const atLeast = acknowledged
          const found = await from.read('log-1')
          expect(found !== undefined && found.length >= atLeast).toBe(true)
          expect(sameBytes(found, whole.subarray(0, found?.length))).toBe(true)
          reads += 1
        }
      }
      await Promise.all([write(), read(place), read(other)])
      expect(reads).toBeGreaterThan(1)
      expect(sameBytes(await other.read('log-1'), whole)).toBe(true)
    })
  })
}

/** For what must hold before a restart and after it: until then the first place is there, afterwards only the second. */
async function* beforeAndAfter(place: MirrorPlace, reopen: () => Promise<MirrorPlace>): AsyncGenerator<MirrorPlace> {
  yield place
  yield await reopen()
}

// The one thing beyond the language that the suite uses, and every surrounding has it.
declare function setTimeout(callback: () => void, delayMs: number): unknown

function delay(delayMs: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, delayMs))
}

const TIMEOUT_MS = 60_000
