/** Two versions of the code on one store: the older one becomes read-only, says so, and loses nothing that the newer one wrote. */
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Plugin } from 'vite'
import { PATIENT, count, counted, expectSame, expectWhole, range, say } from './fixtures/counting.ts'
import { serveTabs } from './fixtures/tab-server.ts'
import type { Tabs } from './fixtures/tab-server.ts'

/** Replaces what must be there, so that a version that is not newer after all does not pass for one. */
function replaced(code: string, from: string, to: string): string {
  if (!code.includes(from)) throw new Error(`there is no ${from}`)
  return code.replace(from, to)
}

/** The code as it may be one day: entries of version 2, beside the old ones, and another table. */
const newer: Plugin = {
  name: 'newer',
  enforce: 'pre',
  transform(code, id) {
    if (id.endsWith('/core/src/journal/entry.ts')) {
      const writes = replaced(code, 'const ENTRY_VERSION = 1', 'const ENTRY_VERSION = 2')
      return replaced(writes, 'entry.v !== ENTRY_VERSION', 'entry.v > ENTRY_VERSION')
    }
    if (id.endsWith('/core/src/sql/migrate.ts'))
      return replaced(
        code,
        '[LEDGER_TABLES, STAGED_PARTS, FACT_SLOT]',
        "[LEDGER_TABLES, STAGED_PARTS, FACT_SLOT, 'create table later (x)']",
      )
    return undefined
  },
}

let tabs: Tabs
beforeAll(async () => {
  tabs = await serveTabs({ builds: { newer } })
})
afterAll(() => tabs?.close())
afterEach(() => Promise.all(tabs.browser.context.pages().map(page => page.close())))

async function openNewer(store: string, page?: Page): Promise<Page> {
  const newerPage = page ?? (await tabs.browser.context.newPage())
  await newerPage.goto(new URL('newer/tabs.html', tabs.url).href)
  await newerPage.waitForFunction(() => 'tab' in window)
  await newerPage.evaluate(async name => void (await window.tab.open({ name })), store)
  return newerPage
}

/** What a call is refused with. */
function refusal(page: Page, call: 'assert' | 'checkpoint' | 'rekey'): Promise<unknown> {
  return page.evaluate(async name => {
    const { memory } = window.tab
    const calls = {
      assert: () => memory.tenant('home').assert({ subject: 'mira', attribute: 'counter', value: -1 }),
      checkpoint: () => memory.checkpoint(),
      rekey: () => memory.rekey(),
    }
    return calls[name]().then(
      () => 'settled',
      ({ name: error, code, retryable }: { name: string; code: string; retryable: boolean }) => ({ error, code, retryable }),
    )
  }, call)
}

const READ_ONLY = { error: 'MemoryError', code: 'READ_ONLY', retryable: false }

test('newer code writes beside an older tab: that one reads on, writes nothing more, and all is there for the newer', async () => {
  const old = await tabs.open('beside')
  await count(old, 'mira', 0, 20)
  const late = await openNewer('beside')
  expect(await counted(late, 'mira')).toEqual(range(20))
  await count(old, 'mira', 20, 30)
  await count(late, 'mira', 30, 40)
  // At its next write at the latest it meets what it does not know.
  for (const call of ['assert', 'checkpoint', 'rekey', 'assert'] as const) expect(await refusal(old, call)).toEqual(READ_ONLY)
  expect(await counted(old, 'mira')).toEqual(range(30))
  const health = await old.evaluate(() => window.tab.memory.health())
  expect(health.quarantine.length).toBeGreaterThan(0)
  for (const { reason } of health.quarantine) expect(reason).toBe('entry version 2')
  // A refused change of keys has begun nothing.
  expect(health.atRest.isChanging).toBe(false)
  // The newer one is not held up by it, and folds its entries in.
  await count(late, 'mira', 40, 50)
  await late.evaluate(() => window.tab.memory.checkpoint())
  expect(await refusal(old, 'assert')).toEqual(READ_ONLY)
  expect(await counted(old, 'mira')).toEqual(expect.arrayContaining(range(30)))
  // Updated, which is to say loaded again, it has everything and writes.
  await openNewer('beside', old)
  await count(old, 'mira', 50, 60)
  for (const page of [old, late]) {
    await expect.poll(() => counted(page, 'mira'), PATIENT).toEqual(range(60))
    await expectWhole(page, 'beside')
  }
  await expectSame([old, late])
})

test('an older tab opens what newer code has written: entries are passed over, tables refused; nothing is changed', async () => {
  const first = await tabs.open('after')
  await count(first, 'mira', 0, 20)
  await first.evaluate(() => window.tab.memory.checkpoint())
  await first.close()
  const late = await openNewer('after')
  await count(late, 'mira', 20, 30)
  const old = await tabs.open('after')
  expect(await counted(old, 'mira')).toEqual(range(20))
  expect(await refusal(old, 'assert')).toEqual(READ_ONLY)
  await late.evaluate(() => window.tab.memory.rekey())
  const before = await late.evaluate(() => window.tab.memory.health())
  // Tables that it does not know are no tables that it could read.
  const page = await tabs.blank()
  expect(await page.evaluate(() => window.tab.code(window.tab.open({ name: 'after' })))).toBe('READ_ONLY')
  expect(await counted(old, 'mira')).toEqual(range(20))
  expect(await refusal(old, 'assert')).toEqual(READ_ONLY)
  const after = await late.evaluate(() => window.tab.memory.health())
  expect([after.head, after.floor, after.generation, after.deltas]).toEqual([
    before.head,
    before.floor,
    before.generation,
    before.deltas,
  ])
  for (const each of [old, page]) await openNewer('after', each)
  await count(old, 'mira', 30, 40)
  await count(page, 'mira', 40, 50)
  for (const each of [old, page, late]) {
    await expect.poll(() => counted(each, 'mira'), PATIENT).toEqual(range(50))
    await expectWhole(each, 'after')
  }
})

test('newer code gives the database a new version: an open tab is not in its way, reads on, and says so when it writes', async () => {
  const old = await tabs.open('database')
  await count(old, 'mira', 0, 20)
  const other = await tabs.blank()
  const blocked = await other.evaluate(
    () =>
      new Promise<boolean>((resolve, reject) => {
        const request = indexedDB.open('palimpsest:database', 20)
        request.onblocked = () => resolve(true)
        request.onerror = () => reject(request.error ?? new Error('it does not open'))
        request.onsuccess = () => {
          request.result.close()
          resolve(false)
        }
      }),
  )
  expect(blocked).toBe(false)
  expect(await counted(old, 'mira')).toEqual(range(20))
  expect(await say(old, 'mira', -1)).toBe('STORE_UNAVAILABLE')
  expect(await counted(old, 'mira')).toEqual(range(20))
  // Nor is it opened, restored from a mirror, or taken for an empty one.
  expect(await other.evaluate(() => window.tab.code(window.tab.open({ name: 'database' })))).toBe('STORE_UNAVAILABLE')
  expect(await other.evaluate(() => window.tab.journal('database'))).toEqual(range(20).map(n => n + 1))
})
