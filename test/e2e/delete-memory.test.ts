/** Scenario 6: a memory that was closed, deleted and made again under its name is clean and new. On a real disk. */
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { serveTabs } from './fixtures/tab-server.ts'
import type { Tabs } from './fixtures/tab-server.ts'

let tabs: Tabs
beforeAll(async () => {
  tabs = await serveTabs()
})
afterAll(() => tabs?.close())
afterEach(() => Promise.all(tabs.browser.context.pages().map(page => page.close())))

/** What a memory holds, and who it is. */
function told(page: Page): Promise<{ value: unknown; facts: number; head: number }> {
  return page.evaluate(async () => {
    const mine = window.tab.memory.tenant('home')
    const [fact, all, { head }] = [await mine.get('mira', 'counter'), await mine.facts(), await window.tab.memory.health()]
    return { value: fact?.value, facts: all.facts.length, head }
  })
}

function say(page: Page, value: number): Promise<void> {
  return page.evaluate(async n => {
    await window.tab.memory.tenant('home').assert({ subject: 'mira', attribute: 'counter', value: n })
  }, value)
}

test('closed, deleted and opened again: clean and new, and so it stays', async () => {
  const page = await tabs.open('scenario six')
  await say(page, 7)
  const before = await told(page)
  expect(before).toMatchObject({ value: 7, facts: 1 })
  await page.evaluate(async () => {
    await window.tab.memory.close()
    await window.tab.deleteMemory({ name: 'scenario six' })
    await window.tab.open({ name: 'scenario six' })
  })
  expect(await told(page)).toMatchObject({ value: undefined, facts: 0 })
  await say(page, 8)
  const after = await told(page)
  expect(after).toMatchObject({ value: 8, facts: 1 })
  await page.close()
  // Nothing of the old one comes back with the next start either: no mirror, no witness.
  expect(await told(await tabs.open('scenario six'))).toEqual(after)
})

test('another memory keeps everything', async () => {
  const [one, other] = [await tabs.open('to go'), await tabs.open('to stay')]
  await say(one, 1)
  await say(other, 2)
  await one.evaluate(async () => {
    await window.tab.memory.close()
    await window.tab.deleteMemory({ name: 'to go' })
  })
  expect(await told(other)).toMatchObject({ value: 2, facts: 1 })
  await other.close()
  expect(await told(await tabs.open('to stay'))).toMatchObject({ value: 2, facts: 1 })
})

test('while another tab has it open it is not deleted, and that tab goes on', async () => {
  const [one, other] = [await tabs.open('in use'), await tabs.open('in use')]
  await say(other, 3)
  const code = await one.evaluate(async () => {
    await window.tab.memory.close()
    return window.tab.code(window.tab.deleteMemory({ name: 'in use', timeoutMs: 500 }))
  })
  expect(code).toBe('STORE_UNAVAILABLE')
  await say(other, 4)
  expect(await told(other)).toMatchObject({ value: 4 })
  await other.close()
  await one.evaluate(() => window.tab.deleteMemory({ name: 'in use' }))
  expect(await told(await tabs.open('in use'))).toMatchObject({ value: undefined, facts: 0 })
})

test('a tab that opens in the middle of a deletion gets the new memory, and brings nothing of the old one back', async () => {
  const [one, other] = [await tabs.open('met'), await tabs.blank()]
  await say(one, 5)
  // It stops where the mirror is gone and the database is not.
  await one.evaluate(() => {
    const { removeEntry } = FileSystemDirectoryHandle.prototype
    const goOn = new Promise<void>(resolve => Object.assign(window, { goOn: resolve }))
    FileSystemDirectoryHandle.prototype.removeEntry = async function removeAndWait(this: FileSystemDirectoryHandle, ...args) {
      await removeEntry.apply(this, args)
      Object.assign(window, { stopped: true })
      await goOn
    }
  })
  await one.evaluate(() => window.tab.memory.close())
  const deleted = one.evaluate(() => window.tab.deleteMemory({ name: 'met' }))
  await one.waitForFunction(() => 'stopped' in window)
  let isOpen = false
  const opened = other.evaluate(() => window.tab.open({ name: 'met' }).then(() => undefined)).then(() => (isOpen = true))
  await new Promise(resolve => setTimeout(resolve, 2_000))
  expect(isOpen).toBe(false)
  await one.evaluate(() => (window as Window & { goOn?: () => void }).goOn?.())
  await Promise.all([deleted, opened])
  expect(await told(other)).toMatchObject({ value: undefined, facts: 0 })
  await say(other, 6)
  await other.close()
  await one.evaluate(() => window.tab.open({ name: 'met' }))
  expect(await told(one)).toMatchObject({ value: 6, facts: 1 })
})
