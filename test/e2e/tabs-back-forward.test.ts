/**
 * A page that was left comes back from the back/forward cache, with the memory that it had open. Chromium does keep such a page:
 * a worker, an open IndexedDB connection, files that it holds in the origin's private file system, a BroadcastChannel and the
 * Web Lock that it waits for as its worker's pulse are no reasons against it. The worker stands still with its page.
 *
 * | another tab meanwhile                                      | going back                                             |
 * |------------------------------------------------------------|--------------------------------------------------------|
 * | reads, writes, forgets, opens the memory                   | shows the page as it was: `persisted`                  |
 * | writes a base, and would remove the log of the page's tab  | loads it anew: Chromium let the page go, so that nobody |
 * | asks for another version of the database, or deletes it    | waits for it (`IgnoreEventAndEvict`)                   |
 */
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { PATIENT, count, counted, expectSame, expectWhole, range } from './fixtures/counting.ts'
import { openPlainBrowser } from './fixtures/plain-chromium.ts'
import { serveTabs } from './fixtures/tab-server.ts'
import type { Tabs } from './fixtures/tab-server.ts'

let tabs: Tabs
beforeAll(async () => {
  tabs = await serveTabs({ openBrowser: openPlainBrowser })
})
afterAll(() => tabs?.close())
afterEach(() => Promise.all(tabs.browser.context.pages().map(page => page.close())))

interface Left {
  /** Goes back, and waits until the page is shown. @returns `persisted` of its `pageshow`; undefined where it was loaded anew */
  back(): Promise<boolean | undefined>
  /** Why Chromium did not use its cache, as it says. */
  readonly reasons: readonly string[]
}

/** Goes on to another page of the site. What the page was told when it went and came is kept in it. */
async function leave(page: Page): Promise<Left> {
  const session = await page.context().newCDPSession(page)
  const reasons: string[] = []
  session.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) => {
    reasons.push(...notRestoredExplanations.map(({ reason }) => reason))
  })
  await session.send('Page.enable')
  await page.evaluate(url => {
    const shown = Object.assign(window, { shown: [] as boolean[] }).shown
    window.addEventListener('pageshow', event => void shown.push(event.persisted))
    location.href = url
  }, `${tabs.url}?elsewhere`)
  await expect.poll(() => page.evaluate(() => location.search).catch(() => ''), PATIENT).toBe('?elsewhere')
  const { entries, currentIndex } = await session.send('Page.getNavigationHistory')
  const before = entries[currentIndex - 1]
  if (!before) throw new Error('there is nothing to go back to')
  return {
    reasons,
    back: async () => {
      await session.send('Page.navigateToHistoryEntry', { entryId: before.id })
      // The page's own scripts are needed, so that it is the page and not what is left of the other one.
      const told = (): Promise<string> =>
        page
          .evaluate(() => {
            if (location.search !== '' || !('tab' in window)) return 'not yet'
            const { shown } = window as Window & { shown?: readonly boolean[] }
            return shown ? `${shown[0]}` : 'loaded anew'
          })
          .catch(() => 'not yet')
      await expect.poll(told, PATIENT).toMatch(/^(?:true|false|loaded anew)$/u)
      const answer = await told()
      return answer === 'loaded anew' ? undefined : answer === 'true'
    },
  }
}

test('it comes back as it was, and knows what was written and forgotten meanwhile', async () => {
  const [page, other] = [await tabs.open('left'), await tabs.open('left')]
  await count(page, 'mira', 0, 20)
  await count(page, 'gone', 0, 3)
  await expectSame([page, other])
  const left = await leave(page)
  await count(other, 'mira', 20, 60)
  await other.evaluate(async () => {
    const plan = await window.tab.memory.tenant('home').forget({ subject: 'gone' })
    await plan.apply()
  })
  expect([await left.back(), left.reasons]).toEqual([true, []])
  // Its first calls after it came back, whatever it has heard by then.
  expect(await Promise.all([counted(page, 'mira'), counted(page, 'gone')])).toEqual([range(60), []])
  await count(page, 'mira', 60, 70)
  await other.evaluate(() => window.tab.memory.rekey())
  await count(page, 'mira', 70, 71)
  const all = [page, other, await tabs.open('left')]
  await expectSame(all)
  for (const each of all) {
    expect(await counted(each, 'mira')).toEqual(range(71))
    await expectWhole(each, 'left')
  }
})

test('left in the middle of its writes: each is there once, and every call of it settles if it comes back', async () => {
  const [page, other] = [await tabs.open('busy'), await tabs.open('busy')]
  await page.evaluate(() => {
    const mine = window.tab.memory.tenant('home')
    const second = (n: number): Date => new Date(Date.UTC(2026, 0, 1) + n * 1_000)
    const calls = Array.from({ length: 60 }, (_, n) =>
      window.tab.code(mine.assert({ subject: 'mira', attribute: 'counter', value: n, validFrom: second(n) })),
    )
    Object.assign(window, { calls })
  })
  const left = await leave(page)
  await count(other, 'mira', 60, 100)
  // A transaction under way may be a reason for Chromium to let the page go; either is right.
  const persisted = await left.back()
  if (persisted === true) {
    const codes = await page.evaluate(() => Promise.all((window as Window & { calls?: Promise<string>[] }).calls ?? []))
    expect(codes).toEqual(range(60).map(() => 'settled'))
    await expect.poll(() => counted(other, 'mira'), PATIENT).toEqual(range(100))
  } else await page.evaluate(async () => void (await window.tab.open({ name: 'busy' })))
  const all = [page, other, await tabs.open('busy')]
  await expectSame(all)
  for (const each of all) {
    const values = await counted(each, 'mira')
    expect(values).toEqual([...new Set(values)])
    expect(values).toEqual(expect.arrayContaining(range(40).map(n => 60 + n)))
    await expectWhole(each, 'busy')
  }
})

/** Taken back again, so that the store stays what it is; everybody had to let go of the database. */
function askForNewVersion(page: Page, store: string): Promise<void> {
  return page.evaluate(async name => {
    const request = indexedDB.open(`palimpsest:${name}`, 20)
    await new Promise<void>((resolve, reject) => {
      request.onupgradeneeded = () => request.transaction?.abort()
      request.onblocked = () => reject(new Error('a page that nobody sees holds up the others'))
      request.onerror = () => resolve()
    })
  }, store)
}

test.each([
  ['writes a new base', (page: Page) => page.evaluate(() => window.tab.memory.rekey())],
  ['asks for a new version', (page: Page) => askForNewVersion(page, 'asks for a new version')],
])('another tab %s and is not held up; going back gives the same memory', async (store, act) => {
  const [page, other] = [await tabs.open(store), await tabs.open(store)]
  await count(page, 'mira', 0, 20)
  await expectSame([page, other])
  const left = await leave(page)
  await act(other)
  await count(other, 'mira', 20, 30)
  const persisted = await left.back()
  // Kept or not is for the browser to say, and it gives its reason; the memory must be right either way.
  expect(persisted === true || left.reasons.length > 0).toBe(true)
  if (persisted !== true) await page.evaluate(async name => void (await window.tab.open({ name })), store)
  expect(await counted(page, 'mira')).toEqual(range(30))
  await count(page, 'mira', 30, 31)
  await expectSame([page, other])
  expect(await counted(other, 'mira')).toEqual(range(31))
  for (const each of [page, other]) await expectWhole(each, store)
})
