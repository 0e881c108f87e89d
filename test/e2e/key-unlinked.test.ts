/**
 * After a change of keys the old keyring is in no file of the profile, neither where Chromium keeps IndexedDB nor where it
 * keeps the mirror: whatever else of the old store lingers on the disk, nothing there opens it.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { chromiumOn, serveSite } from './fixtures/storage-site.ts'
import type { Site } from './fixtures/storage-site.ts'

/** So many bytes are found by no chance, */
const PIECE_BYTES = 32
/** and one from every page of a disk leaves no part of the keyring out. Its first page says what every keyring says. */
const PAGE_BYTES = 4096

let site: Site
beforeAll(async () => {
  site = await serveSite()
})
afterAll(() => site?.close())

/** The folders of the profile in whose files something of `keyring` stands, and how many pieces of it. */
async function search(profile: string, keyring: Buffer): Promise<Record<string, number>> {
  const found = new Map<string, Set<number>>()
  for (const entry of await readdir(profile, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    // What the browser removes meanwhile is not there.
    const bytes = await readFile(path).catch(() => Buffer.alloc(0))
    const [folder = ''] = relative(join(profile, 'Default'), path).split('/')
    for (const at of pagesOf(keyring))
      if (bytes.includes(keyring.subarray(at, at + PIECE_BYTES))) found.set(folder, (found.get(folder) ?? new Set()).add(at))
  }
  return Object.fromEntries([...found].map(([folder, { size }]) => [folder, size]))
}

function pagesOf(keyring: Buffer): number[] {
  return Array.from({ length: Math.floor((keyring.length - PIECE_BYTES) / PAGE_BYTES) }, (_, i) => (i + 1) * PAGE_BYTES)
}

/** All of it, where Chromium keeps IndexedDB and where it keeps the mirror, and nowhere else. */
function inBoth(keyring: Buffer): Record<string, number> {
  return { IndexedDB: pagesOf(keyring).length, 'File System': pagesOf(keyring).length }
}

async function open(context: BrowserContext): Promise<Page> {
  const page = await site.page(context)
  await page.evaluate(() => window.storageTab.open({ name: 'unlinked', durability: 'mirrored' }))
  return page
}

/** The keyring as it stands in IndexedDB. */
async function keyringIn(page: Page): Promise<Buffer> {
  const hex = await page.evaluate(async () => {
    const request = indexedDB.open('palimpsest:unlinked')
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('it does not open'))
    })
    const row = database.transaction('meta').objectStore('meta').get('keyring') as IDBRequest<{ readonly value: Uint8Array }>
    await new Promise(resolve => (row.onsuccess = resolve))
    database.close()
    return Array.from(row.result.value, byte => byte.toString(16).padStart(2, '0')).join('')
  })
  return Buffer.from(hex, 'hex')
}

test('the old keyring is in both places before a change of keys, and in no file of the profile after it', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'palimpsest-unlinked-'))
  onTestFinished(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }))
  const before = await chromiumOn(profile)
  onTestFinished(() => before.close())
  let page = await open(before)
  for (const value of [1, 2, 3])
    expect(await page.evaluate(n => window.storageTab.write(n), value)).toEqual({ value: 'accepted' })
  const old = await keyringIn(page)
  expect(old.length).toBeGreaterThan(65_536)
  await before.close()
  expect(await search(profile, old)).toEqual(inBoth(old))

  const after = await chromiumOn(profile)
  onTestFinished(() => after.close())
  page = await open(after)
  await page.evaluate(() => window.tab.memory.rekey())
  // Chromium 156 has removed both files by now; when it does so is its own affair.
  await expect.poll(() => search(profile, old), { timeout: 60_000 }).toEqual({})
  const fresh = await keyringIn(page)
  await page.evaluate(() => window.tab.memory.close())
  await after.close()
  expect(await search(profile, old)).toEqual({})
  expect(await search(profile, fresh)).toEqual(inBoth(fresh))

  const next = await chromiumOn(profile)
  onTestFinished(() => next.close())
  page = await open(next)
  expect(await page.evaluate(() => window.storageTab.read())).toEqual({ value: 3 })
  expect(await search(profile, old)).toEqual({})
})
