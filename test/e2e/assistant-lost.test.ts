/** What a person is told whose browser lost the memory: that it came back, or that it did not and what to do. */
import type { Page } from 'playwright'
import { expect, test, vi } from 'vitest'
import { exported, importBytes } from './assistant-files.ts'
import { assistantForFile } from './assistant-page.ts'

// A real browser on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 180_000 })

const assistant = assistantForFile()

/** Leaves the assistant, has the browser lose something of its site, and comes back. */
async function loseAndReturn(page: Page, storageTypes: string): Promise<void> {
  await page.goto('about:blank')
  const session = await page.context().newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin: new URL(assistant.url).origin, storageTypes })
  await page.goto(assistant.url)
}

test('a database that was lost comes back from the copy, which is said once', async () => {
  const { page, memory, say, lastReply, trouble } = await assistant.open()
  await say('Call me Mira')
  await loseAndReturn(page, 'indexeddb')
  const notice = page.getByRole('status').filter({ hasText: 'Your memory was restored' })
  await notice.waitFor()
  expect(await notice.innerText()).toContain('The browser had lost it; it was brought back from its copy on this device.')
  expect(await memory.innerText()).toContain('Mira')
  await say('What is my name?')
  expect(await lastReply()).toContain('Mira')
  await notice.getByRole('button', { name: 'Close' }).click()
  await notice.waitFor({ state: 'detached' })
  await page.reload()
  await expect.poll(() => memory.innerText()).toContain('Mira')
  expect(await page.getByText('Your memory was restored').count()).toBe(0)
  expect(trouble).toEqual([])
})

test('a memory of which nothing is left is not begun anew in silence, and comes back from an exported file', async () => {
  const { page, memory, say } = await assistant.open()
  await say('Call me Mira')
  const { bytes } = await exported(page)
  await loseAndReturn(page, 'indexeddb,file_systems')
  const notice = page.getByRole('alert')
  await notice.waitFor()
  expect(await notice.innerText()).toContain('The browser has lost your memory')
  expect(await notice.innerText()).toContain('Begin an empty memory, then bring yours back with Import')
  // Nor by trying again.
  await page.reload()
  await notice.waitFor()
  await notice.getByRole('button', { name: 'Begin an empty memory' }).click()
  await expect.poll(() => memory.innerText()).toContain('No facts yet')
  await importBytes(page, bytes)
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
  await page.getByRole('dialog', { name: 'Imported' }).getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => memory.innerText()).toContain('Mira')
})
