/** What a memory stands on is not there: no IndexedDB at all, or no SQLite this time. */
import { ERROR_CODES } from '@palimpsest/core'
import type { Page, Route } from 'playwright'
import { expect, test } from 'vitest'
import { siteInChromium } from './fixtures/storage-site.ts'
import type { Told } from './fixtures/storage.page.ts'

const site = siteInChromium()

function open(page: Page, name: string): Promise<Told> {
  return page.evaluate(store => window.storageTab.told(window.storageTab.open({ name: store }).then(() => 'opened')), name)
}

test('without IndexedDB: STORE_UNAVAILABLE, never a memory that keeps nothing in silence; one by request works', async () => {
  const page = await site.page()
  const refused = await page.evaluate(() =>
    window.storageTab.told(window.storageTab.open({ name: 'nowhere', trouble: 'no indexeddb' })),
  )
  expect(refused).toMatchObject({
    code: 'STORE_UNAVAILABLE',
    retryable: false,
    details: { reason: 'no IndexedDB' },
  })
  expect(ERROR_CODES.STORE_UNAVAILABLE.reasons?.['no IndexedDB']?.todo).toMatch('ephemeral: true')
  const seen = await page.evaluate(async () => {
    const memory = await window.storageTab.open({ name: 'nowhere', trouble: 'no indexeddb', ephemeral: true })
    const { engine, durability } = await memory.health()
    return { engine, durability, written: await window.storageTab.write(1), read: await window.storageTab.read() }
  })
  expect(seen).toEqual({ engine: 'memory', durability: 'ephemeral', written: { value: 'accepted' }, read: { value: 1 } })
  // Neither left anything behind that the real store, where there is IndexedDB again, could be missed by.
  expect(await open(page, 'nowhere')).toEqual({ value: 'opened' })
  expect(await page.evaluate(() => window.storageTab.read())).toEqual({ value: 'nothing' })
  await page.close()
})

test.each<readonly [string, (route: Route) => Promise<void>]>([
  ['cannot be fetched', route => route.abort()],
  ['is not there', route => route.fulfill({ status: 404, body: 'not here' })],
  [
    'is cut off',
    async route => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.body()).subarray(0, 1_000) })
    },
  ],
])('a wasm that %s: STORE_UNAVAILABLE, and the next worker opens, in the same page', async (how, trouble) => {
  const page = await site.page()
  const requests: string[] = []
  const fail = (route: Route): Promise<void> => {
    requests.push(route.request().url())
    return trouble(route)
  }
  const expectRefused = async (): Promise<void> => {
    const before = requests.length
    await page.route('**/*.wasm', fail)
    expect(await open(page, how)).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      retryable: true,
      details: { reason: 'sqlite' },
    })
    await page.unroute('**/*.wasm', fail)
    expect(requests.length).toBeGreaterThan(before)
  }
  // A new store: what the failure left is not taken for one that was lost.
  await expectRefused()
  expect(await open(page, how)).toEqual({ value: 'opened' })
  expect(await page.evaluate(() => window.storageTab.write(1))).toEqual({ value: 'accepted' })
  await page.evaluate(() => window.tab.memory.close())
  // One that is there: it is not touched.
  await expectRefused()
  expect(await open(page, how)).toEqual({ value: 'opened' })
  expect(await page.evaluate(() => window.storageTab.read())).toEqual({ value: 1 })
  const { restored, quarantine } = await page.evaluate(() => window.tab.memory.health())
  expect([restored, quarantine]).toEqual([undefined, []])
  await page.close()
})
