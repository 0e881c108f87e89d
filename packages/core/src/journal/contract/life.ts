/** Identity, restarts, closing, size. */
import type { ContractApi, WithJournal } from './harness.ts'
import { bytesOf, entries, entry, noise, refusalCode, textsAfter } from './harness.ts'

export function describeLife(withJournal: WithJournal, { expect }: ContractApi): void {
  withJournal('initMeta: the first value wins, for each name', async ({ journal, reopen }) => {
    expect(await journal.getMeta('storeId')).toBe(undefined)
    expect(await journal.initMeta('storeId', 'first')).toBe('first')
    expect(await journal.initMeta('storeId', 'second')).toBe('first')
    expect(await journal.getMeta('deviceId')).toBe(undefined)
    const [a, b] = await Promise.all([journal.initMeta('deviceId', 'a'), journal.initMeta('deviceId', 'b')])
    expect(a).toBe(b)
    const again = await reopen()
    expect(await again.getMeta('storeId')).toBe('first')
    expect(await again.getMeta('deviceId')).toBe(a)
    expect(await again.initMeta('storeId', 'third')).toBe('first')
  })

  withJournal('everything survives a restart, and another', async ({ journal, reopen }) => {
    await journal.append(entries(1, 3))
    await journal.initMeta('storeId', 'the store')
    await journal.saveBase({ generation: 1, segments: [bytesOf('base')], floor: 2 })
    await journal.append([entry(4)])
    let now = await reopen()
    await now.append(entries(5, 6))
    now = await reopen()
    now = await reopen()
    expect(await now.state()).toEqual({ head: 6, floor: 2, generation: 1, deltas: 0 })
    expect(await textsAfter(now, 2)).toEqual(['entry 3', 'entry 4', 'entry 5', 'entry 6'])
    expect(await now.getMeta('storeId')).toBe('the store')
  })

  withJournal('after close every call says CLOSED, and closing again does nothing', async ({ journal }) => {
    await journal.append([entry(1)])
    await journal.close()
    await journal.close()
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      state: () => journal.state(),
      append: () => journal.append([entry(2)]),
      read: () => journal.read(0),
      image: () => journal.image(),
      saveDelta: () => journal.saveDelta({ generation: 1, n: 1, bytes: bytesOf('delta'), floor: 1 }),
      saveBase: () => journal.saveBase({ generation: 1, segments: [bytesOf('base')], floor: 1 }),
      dropBefore: () => journal.dropBefore(1, 1),
      getMeta: () => journal.getMeta('storeId'),
      initMeta: () => journal.initMeta('storeId', 'late'),
      readKeyring: () => journal.readKeyring(),
      writeKeyring: () => journal.writeKeyring({ revision: 1, bytes: bytesOf('late') }),
      sizeBytes: () => journal.sizeBytes(),
    }
    for (const [name, call] of Object.entries(calls)) expect(await refusalCode(call()), name).toBe('CLOSED')
    journal.announce({ head: 1 })
    journal.subscribe(() => {})()
  })

  withJournal('close waits for an append under way', async ({ journal, reopen }) => {
    const appended = journal.append(entries(1, 20))
    await journal.close()
    expect(await appended).toBe('appended')
    expect((await (await reopen()).state()).head).toBe(20)
  })

  withJournal('sizeBytes grows with entries, with images and with the keyring', async ({ journal }) => {
    const empty = await journal.sizeBytes()
    await journal.append([{ seq: 1, bytes: noise(500_000, 1) }])
    const withEntry = await journal.sizeBytes()
    expect(withEntry).toBeGreaterThan(empty)
    await journal.saveBase({ generation: 1, segments: [noise(500_000, 2)], floor: 1 })
    const withImage = await journal.sizeBytes()
    expect(withImage).toBeGreaterThan(withEntry)
    await journal.writeKeyring({ revision: 1, bytes: noise(100_000, 3) })
    expect(await journal.sizeBytes()).toBeGreaterThan(withImage)
  })
}
