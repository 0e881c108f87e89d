/** The keyring: replaced wholly and by its revision, so that two who change it at once cannot undo each other. */
import type { Journal, StoredKeyring } from '../port.ts'
import type { ContractApi, WithJournal } from './harness.ts'
import { beforeAndAfter, bytesOf, entries, noise, seqsAfter, textOf } from './harness.ts'
import { sameBytes } from '../same-bytes.ts'

const KEYRING_BYTES = 100 * 1024

export function describeKeyring(withJournal: WithJournal, { expect }: ContractApi): void {
  const keyring = (revision: number, text: string = `keys ${revision}`): StoredKeyring => ({ revision, bytes: bytesOf(text) })
  const told = async (journal: Journal): Promise<unknown> => {
    const stored = await journal.readKeyring()
    return stored && { revision: stored.revision, text: textOf(stored.bytes) }
  }

  withJournal('a new store has no keyring, and its first one has revision 1', async ({ journal, reopen }) => {
    expect(await journal.readKeyring()).toBe(undefined)
    for (const revision of [0, 2, -1, Number.NaN])
      expect(await journal.writeKeyring(keyring(revision)), `${revision}`).toBe(false)
    expect(await journal.readKeyring()).toBe(undefined)
    expect(await journal.writeKeyring(keyring(1))).toBe(true)
    for await (const from of beforeAndAfter(journal, reopen)) expect(await told(from)).toEqual({ revision: 1, text: 'keys 1' })
  })

  withJournal('a keyring is replaced wholly, by the next revision alone', async ({ journal, reopen }) => {
    await journal.writeKeyring(keyring(1, 'a long keyring, of which nothing may stay behind the next one'))
    expect(await journal.writeKeyring(keyring(2, 'short'))).toBe(true)
    for (const revision of [1, 2, 4, 0]) {
      expect(await journal.writeKeyring(keyring(revision, 'refused')), `revision ${revision}`).toBe(false)
    }
    for await (const from of beforeAndAfter(journal, reopen)) expect(await told(from)).toEqual({ revision: 2, text: 'short' })
    const again = await reopen()
    expect(await again.writeKeyring(keyring(2, 'refused'))).toBe(false)
    expect(await again.writeKeyring(keyring(3))).toBe(true)
    expect(await told(await reopen())).toEqual({ revision: 3, text: 'keys 3' })
  })

  withJournal(
    '100 KiB come back unchanged across restarts, given as a view into a larger buffer',
    async ({ journal, reopen }) => {
      const around = noise(KEYRING_BYTES + 20, 1)
      const wanted = around.slice(10, 10 + KEYRING_BYTES)
      await journal.writeKeyring({ revision: 1, bytes: noise(KEYRING_BYTES, 2) })
      await journal.writeKeyring({ revision: 2, bytes: around.subarray(10, 10 + KEYRING_BYTES) })
      // What is changed outside afterwards, in what was given or in what is read, does not change what is stored.
      around.fill(0)
      ;(await journal.readKeyring())?.bytes.fill(0)
      for await (const from of beforeAndAfter(journal, reopen)) {
        const stored = await from.readKeyring()
        expect(stored?.revision).toBe(2)
        expect(stored?.bytes instanceof Uint8Array).toBe(true)
        expect(sameBytes(stored?.bytes, wanted)).toBe(true)
      }
    },
  )

  withJournal('keyring, entries, images and names leave each other alone', async ({ journal, reopen }) => {
    await journal.initMeta('storeId', 'the store')
    await journal.append(entries(1, 4))
    await journal.writeKeyring(keyring(1))
    await journal.saveBase({ generation: 1, segments: [bytesOf('base')], floor: 2 })
    await journal.writeKeyring(keyring(2))
    await journal.dropBefore(1, 2)
    for await (const from of beforeAndAfter(journal, reopen)) {
      expect(await told(from)).toEqual({ revision: 2, text: 'keys 2' })
      expect(await from.state()).toEqual({ head: 4, floor: 2, generation: 1, deltas: 0 })
      expect(await seqsAfter(from, 0)).toEqual([3, 4])
      expect(await from.getMeta('storeId')).toBe('the store')
    }
  })

  withJournal('of several that write one revision at once, one does', async ({ journal }) => {
    const outcomes = await Promise.all(['a', 'b', 'c'].map(text => journal.writeKeyring(keyring(1, text))))
    expect(outcomes.filter(written => written).length).toBe(1)
    expect(await told(journal)).toEqual({ revision: 1, text: ['a', 'b', 'c'][outcomes.indexOf(true)] })
  })

  withJournal('two replicas that race change it one after the other, none of them lost', async ({ journal, second }, skip) => {
    const other = await second()
    if (!other) return skip('this journal takes one replica at a time')
    await Promise.all([addAll(journal, 'a', 10), addAll(other, 'b', 10)])
    const stored = await other.readKeyring()
    expect(stored?.revision).toBe(20)
    const names = textOf(stored?.bytes ?? bytesOf('')).split(' ')
    for (const name of ['a', 'b']) {
      expect(names.filter(added => added.startsWith(name))).toEqual(Array.from({ length: 10 }, (_, i) => `${name}${i}`))
    }
    expect(await told(journal)).toEqual(await told(other))
  })
}

/** As whoever changes keys does it: read, change, write; and again from the start where somebody was faster. */
async function addAll(journal: Journal, name: string, count: number): Promise<void> {
  for (let i = 0; i < count;) {
    const stored = await journal.readKeyring()
    const text = stored === undefined ? '' : `${textOf(stored.bytes)} `
    if (await journal.writeKeyring({ revision: (stored?.revision ?? 0) + 1, bytes: bytesOf(`${text}${name}${i}`) })) i += 1
  }
}
