/** Everything that `health()` says, in every durability. */
import type { Health } from '@palimpsest/core'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { siteInChromium } from './fixtures/storage-site.ts'

const site = siteInChromium()

type Durability = Health['durability']

/** Opens a memory of its own, and asks after two writes, and after a checkpoint. */
function lifeIn(page: Page, durability: Durability): Promise<readonly [Health, Health]> {
  return page.evaluate(async how => {
    const memory = await window.storageTab.open({
      name: `health ${how}`,
      ...(how === 'ephemeral' ? { ephemeral: true } : { durability: how }),
    })
    await window.storageTab.write(1)
    await window.storageTab.write(2)
    const before = await memory.health()
    await memory.checkpoint()
    return [before, await memory.health()] as const
  }, durability)
}

/** What is the same in all that keep something. */
const kept = {
  engine: 'indexeddb',
  storeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  deviceId: expect.stringMatching(/^[0-9a-f]{12}$/),
  quarantine: [],
  atRest: { kind: 'device', isChanging: false },
  mirror: { kind: 'opfs', state: expect.stringMatching(/^(current|writing)$/) },
  isPersisted: false,
  sizeBytes: expect.any(Number),
}

test.each(['strict', 'mirrored', 'relaxed'] as const)('%s: every field', async durability => {
  const page = await site.page()
  const [before, after] = await lifeIn(page, durability)
  expect(before).toEqual({ ...kept, durability, head: 2, floor: 0, generation: 0, deltas: 0 })
  expect(after).toEqual({ ...kept, durability, head: 2, floor: 2, generation: 1, deltas: 0 })
  expect(after.storeId).toBe(before.storeId)
  expect(after.sizeBytes).toBeGreaterThan(before.sizeBytes)
  const appends = await page.evaluate(() => window.storageTab.make('none'))
  const asked = durability === 'relaxed' ? 'relaxed' : 'strict'
  expect(appends).toEqual(Array.from({ length: 2 }, () => ({ durability: asked, events: ['success', 'complete'] })))
  await page.close()
})

test('ephemeral: every field', async () => {
  const page = await site.page()
  const [before, after] = await lifeIn(page, 'ephemeral')
  const { mirror: _, ...fields } = kept
  const ephemeral = { ...fields, engine: 'memory', durability: 'ephemeral', atRest: { kind: 'off', isChanging: false } }
  expect(before).toEqual({ ...ephemeral, head: 2, floor: 0, generation: 0, deltas: 0 })
  expect(after).toEqual({ ...ephemeral, head: 2, floor: 2, generation: 1, deltas: 0 })
  expect(await page.evaluate(() => window.storageTab.make('none'))).toEqual([])
  await page.close()
})

test('an entry that was damaged stands in the quarantine, and comes back from the mirror; a promise of the browser is told', async () => {
  const page = await site.page()
  const session = await page.context().newCDPSession(page)
  const { origin } = new URL(page.url())
  const seen = await page.evaluate(async () => {
    await window.storageTab.open({ name: 'damaged' })
    await window.storageTab.write(1)
    await window.storageTab.write(2)
    await window.tab.memory.close()
    const request = indexedDB.open('palimpsest:damaged')
    await new Promise(resolve => (request.onsuccess = resolve))
    const damaging = request.result.transaction('journal', 'readwrite')
    damaging.objectStore('journal').put({ seq: 1, bytes: new Uint8Array(100) })
    await new Promise(resolve => (damaging.oncomplete = resolve))
    request.result.close()
    const memory = await window.storageTab.open({ name: 'damaged' })
    return { health: await memory.health(), read: await window.storageTab.read() }
  })
  expect(seen).toMatchObject({
    health: { quarantine: [{ what: expect.stringContaining('1'), reason: expect.any(String) }], isPersisted: false },
    read: { value: 2 },
  })
  const head = (): Promise<number> => page.evaluate(async () => (await window.tab.memory.health()).head)
  await expect.poll(head, { timeout: 60_000 }).toBe(3)
  expect(await page.evaluate(() => window.storageTab.read())).toEqual({ value: 2 })
  await session.send('Browser.grantPermissions', { origin, permissions: ['durableStorage'] })
  const isPersisted = await page.evaluate(async () => {
    await navigator.storage.persist()
    return (await window.tab.memory.health()).isPersisted
  })
  expect(isPersisted).toBe(true)
  await page.close()
})
