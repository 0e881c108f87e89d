/** The user, or the browser, clears the site's data while a memory is open: all of it, or only a part. */
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { siteInChromium } from './fixtures/storage-site.ts'
import type { Told } from './fixtures/storage.page.ts'

const site = siteInChromium()

/** A page with a memory in which something stands, and its site's data cleared. */
async function cleared(name: string, storageTypes: string): Promise<Page> {
  const page = await site.page()
  await page.evaluate(async store => void (await window.storageTab.open({ name: store })), name)
  expect(await page.evaluate(() => window.storageTab.write(1))).toEqual({ value: 'accepted' })
  expect(await page.evaluate(() => window.storageTab.write(2))).toEqual({ value: 'accepted' })
  const session = await page.context().newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes })
  return page
}

interface Opened {
  readonly told: Told
  readonly value?: Told
  readonly wasEmpty?: boolean | undefined
}

/** What somebody is told who opens the memory afterwards, in a page of its own. */
async function openAgain(name: string): Promise<Opened> {
  const page = await site.page()
  const opened = await page.evaluate(async store => {
    const opening = window.storageTab.open({ name: store })
    const told = await window.storageTab.told(opening.then(() => 'opened'))
    if ('code' in told) return { told }
    const { restored } = await window.tab.memory.health()
    return { told, value: await window.storageTab.read(), wasEmpty: restored?.wasEmpty }
  }, name)
  await page.close()
  return opened
}

/** Its store is gone, which it says at every write, and it shows what it knew. */
async function expectGone(page: Page): Promise<void> {
  for (const value of [3, 4]) {
    expect(await page.evaluate(n => window.storageTab.write(n), value)).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      details: { reason: 'deleted' },
    })
  }
  expect(await page.evaluate(() => window.storageTab.read())).toEqual({ value: 2 })
  const message = await page.evaluate(() =>
    window.tab.memory.checkpoint().then(
      () => 'done',
      (error: unknown) => (error as Error).message,
    ),
  )
  expect(message).toMatch(/open the memory again/)
}

test('only IndexedDB: the open tab says it, and who opens the memory again has all of it from the mirror', async () => {
  const page = await cleared('only indexeddb', 'indexeddb')
  await expectGone(page)
  expect(await openAgain('only indexeddb')).toEqual({ told: { value: 'opened' }, value: { value: 2 }, wasEmpty: true })
  // The tab that saw it happen is not at home in the store that came back; opened again, it is.
  await expectGone(page)
  await page.evaluate(async () => {
    await window.tab.memory.close()
    await window.storageTab.open({ name: 'only indexeddb' })
  })
  expect(await page.evaluate(() => window.storageTab.write(5))).toEqual({ value: 'accepted' })
  await page.close()
})

test('IndexedDB and the mirror: STORE_LOST while the page remembers the store, and an empty one only by request', async () => {
  const page = await cleared('no mirror', 'indexeddb,file_systems')
  await expectGone(page)
  const lost = { code: 'STORE_LOST', retryable: false }
  expect((await openAgain('no mirror')).told).toMatchObject(lost)
  expect((await openAgain('no mirror')).told).toMatchObject(lost)
  const seen = await page.evaluate(async () => {
    await window.tab.memory.close()
    await window.storageTab.open({ name: 'no mirror', ifLost: 'startNew' })
    return [await window.storageTab.read(), await window.storageTab.write(6)]
  })
  expect(seen).toEqual([{ value: 'nothing' }, { value: 'accepted' }])
  await page.close()
  expect(await openAgain('no mirror')).toMatchObject({ told: { value: 'opened' }, value: { value: 6 } })
})

test('everything: the open tab says it, and as nothing knows of the store any more, the next one is new', async () => {
  const page = await cleared('everything', 'all')
  await expectGone(page)
  expect(await openAgain('everything')).toEqual({ told: { value: 'opened' }, value: { value: 'nothing' } })
  await page.close()
})
