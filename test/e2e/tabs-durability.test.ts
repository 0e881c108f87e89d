/** What a page is told when its disk is full, and when its store is taken away. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveTabs } from './fixtures/tab-server.ts'
import type { Tabs } from './fixtures/tab-server.ts'

let tabs: Tabs
beforeAll(async () => {
  tabs = await serveTabs()
})
afterAll(() => tabs?.close())

test('a full disk: NOT_STORED, reads show what is stored, and writing goes on when there is room', async () => {
  const page = await tabs.blank()
  const session = await tabs.browser.context.newCDPSession(page)
  const { origin } = new URL(page.url())
  await page.evaluate(async () => {
    const memory = await window.tab.open({ name: 'full' })
    await memory.tenant('home').assert({ subject: 'mira', attribute: 'counter', value: 1 })
  })
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 })
  // What Chromium had allotted before runs out by itself, in half a minute.
  const failed = await page.evaluate(async () => {
    const mine = window.tab.memory.tenant('home')
    for (let n = 0; n < 90; n += 1) {
      try {
        await mine.record({ text: 'One more.', author: 'user', session: `${n}` })
      } catch (error) {
        const { code, details } = error as { code: string; details: { reason?: string; outcome?: string } }
        const { episodes } = await mine.episodes({ session: `${n}` })
        return { code, reason: details.reason, outcome: details.outcome, seen: episodes.length }
      }
      await new Promise(resolve => setTimeout(resolve, 1_000))
    }
    return 'nothing failed'
  })
  expect(failed).toEqual({ code: 'NOT_STORED', reason: 'QuotaExceededError', outcome: undefined, seen: 0 })
  await session.send('Storage.overrideQuotaForOrigin', { origin })
  const after = await page.evaluate(async () => {
    const mine = window.tab.memory.tenant('home')
    for (let tries = 0; tries < 100; tries += 1) {
      if ((await window.tab.code(mine.assert({ subject: 'mira', attribute: 'counter', value: 2 }))) === 'settled') break
      await new Promise(resolve => setTimeout(resolve, 500))
    }
    return (await mine.get('mira', 'counter'))?.value
  })
  expect(after).toBe(2)
}, 180_000)

test('a store deleted under an open memory: STORE_UNAVAILABLE, and no empty one in its place', async () => {
  const page = await tabs.open('deleted')
  const codes = await page.evaluate(async () => {
    const mine = window.tab.memory.tenant('home')
    await mine.assert({ subject: 'mira', attribute: 'counter', value: 1 })
    const request = indexedDB.deleteDatabase('palimpsest:deleted')
    await new Promise((resolve, reject) => {
      request.onsuccess = resolve
      request.onblocked = () => reject(new Error('the memory holds up the deletion'))
    })
    const code = await window.tab.code(mine.assert({ subject: 'mira', attribute: 'counter', value: 2 }))
    const names = (await indexedDB.databases()).map(database => database.name)
    return { code, there: names.includes('palimpsest:deleted') }
  })
  expect(codes).toEqual({ code: 'STORE_UNAVAILABLE', there: false })
})

test('a database that is gone when the store opens again is restored from the mirror, and said', async () => {
  const page = await tabs.open('again')
  const seen = await page.evaluate(async () => {
    await window.tab.memory.tenant('home').assert({ subject: 'mira', attribute: 'counter', value: 1 })
    const before = await window.tab.memory.health()
    await window.tab.memory.close()
    const request = indexedDB.deleteDatabase('palimpsest:again')
    await new Promise(resolve => (request.onsuccess = resolve))
    const memory = await window.tab.open({ name: 'again' })
    const after = await memory.health()
    const value = (await memory.tenant('home').get('mira', 'counter'))?.value
    return { value, sameStore: before.storeId === after.storeId, before: before.restored, after: after.restored?.wasEmpty }
  })
  expect(seen).toEqual({ value: 1, sameStore: true, before: undefined, after: true })
})

test('an ephemeral memory writes nothing to the disk', async () => {
  const page = await tabs.blank()
  const seen = await page.evaluate(async () => {
    const memory = await window.tab.open({ name: 'ephemeral', ephemeral: true })
    await memory.tenant('home').assert({ subject: 'mira', attribute: 'counter', value: 1 })
    const value = (await memory.tenant('home').get('mira', 'counter'))?.value
    const { engine, durability } = await memory.health()
    const names = (await indexedDB.databases()).map(database => database.name)
    return { value, engine, durability, there: names.includes('palimpsest:ephemeral') }
  })
  expect(seen).toEqual({ value: 1, engine: 'memory', durability: 'ephemeral', there: false })
})
