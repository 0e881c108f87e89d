/**
 * A disk that is really full, under the profile of a browser. A value that Chromium keeps in a file of its own is refused
 * when it commits, after every `success`. A smaller one makes it give up the whole database: then it is opened again when
 * there is room, or Chromium throws it away as damaged, at once or at its next start, and the mirror brings it back.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'
import { FULL } from './fixtures/size.ts'
import { chromiumOn, serveSite } from './fixtures/storage-site.ts'
import type { Site } from './fixtures/storage-site.ts'
import type { Told } from './fixtures/storage.page.ts'

const DISK_MEGABYTES = 100
/** What is left of it while it is nearly full. */
const LEFT_BYTES = 400_000

/** undefined where we may not make one. */
function smallDisk(): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'palimpsest-disk-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', directory], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', ['-l', directory]))
  return directory
}

/** Takes all but a little of the disk. Returns the way to give it back. */
function takeRoom(disk: string): () => void {
  const filler = join(disk, 'filler')
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(filler, Buffer.alloc(bavail * bsize - LEFT_BYTES))
  return () => rmSync(filler)
}

interface Written {
  /** Sessions of the episodes that were acknowledged, and of those of which nobody knows. */
  readonly acknowledged: readonly string[]
  readonly unknown: readonly string[]
  /** What was said to the first that was refused, and to three that came after. */
  readonly refusals: readonly Told[]
}

/** Keeps episodes of about `sizeBytes` until four have been refused. */
function writeUntilFull(page: Page, round: string, sizeBytes: number): Promise<Written> {
  return page.evaluate(
    async ([name, size]) => {
      const written = { acknowledged: [] as string[], unknown: [] as string[], refusals: [] as Told[] }
      const mine = window.tab.memory.tenant('home')
      for (let n = 0; written.refusals.length < 4; n += 1) {
        const session = `${name}.${n}`
        const told = await window.storageTab.told(mine.record({ text: 'x'.repeat(size), author: 'user', session }))
        if ('value' in told) {
          written.acknowledged.push(session)
          continue
        }
        written.refusals.push(told)
        if (told.details['outcome'] === 'unknown') written.unknown.push(session)
      }
      return written
    },
    [round, sizeBytes] as const,
  )
}

/** The sessions of every episode that is there, once for each. */
function sessionsIn(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const sessions: string[] = []
    for (let after: string | null = ''; after !== null;) {
      const found = await window.tab.memory.tenant('home').episodes({ limit: 1_000, ...(after === '' ? {} : { after }) })
      sessions.push(...found.episodes.map(({ session = 'none' }) => session))
      after = found.next
    }
    return sessions
  })
}

function open(page: Page): Promise<Told> {
  return page.evaluate(() => window.storageTab.told(window.storageTab.open({ name: 'full' }).then(() => 'opened')))
}

/** Opens it, again where the browser is still sorting out what the full disk left. It may fail, and never says that all is lost. */
async function opened(page: Page): Promise<void> {
  await expect
    .poll(
      async () => {
        const told = await open(page)
        if ('code' in told) expect(['NOT_STORED', 'STORE_UNAVAILABLE']).toContain(told.code)
        return told
      },
      { timeout: 60_000 },
    )
    .toEqual({ value: 'opened' })
}

/** With room again: in the same tab, or, where the browser threw the database away, after it was opened again. */
async function goOn(page: Page, value: number): Promise<void> {
  const told = await page.evaluate(n => window.storageTab.write(n), value)
  if ('code' in told) {
    expect(told).toMatchObject({ code: 'STORE_UNAVAILABLE', details: { reason: 'deleted' } })
    await page.evaluate(() => window.tab.memory.close())
    await opened(page)
    const { restored, quarantine } = await page.evaluate(() => window.tab.memory.health())
    // Nothing of it where the page that was opened meanwhile has brought everything back.
    expect(restored?.damaged ?? 0).toBe(0)
    expect(quarantine).toEqual([])
    expect(await page.evaluate(n => window.storageTab.write(n), value)).toEqual({ value: 'accepted' })
  }
  expect(await page.evaluate(() => window.storageTab.read())).toEqual({ value })
}

async function start(site: Site, disk: string): Promise<{ context: BrowserContext; page: Page }> {
  // The browser's own caches are kept away from the disk: it is the memory's writes that are to fill it.
  const cache = mkdtempSync(join(tmpdir(), 'palimpsest-cache-'))
  onTestFinished(() => rmSync(cache, { recursive: true, force: true, maxRetries: 5 }))
  const context = await chromiumOn(join(disk, 'profile'), [`--disk-cache-dir=${cache}`])
  onTestFinished(() => context.close())
  const page = await site.page(context)
  await opened(page)
  return { context, page }
}

// It failed once in a busy run, and why is not known yet: see the issue.
test.runIf(FULL)(
  'a full disk: writes are refused, reads go on, and with room again nothing that was acknowledged is missing',
  async context => {
    const disk = smallDisk()
    if (disk === undefined) return context.skip('mounting a small tmpfs needs root')
    const site = await serveSite()
    onTestFinished(() => site.close())
    const { context: browser, page } = await start(site, disk)
    const acknowledged: string[] = []
    const unknown: string[] = []
    for (const [round, sizeBytes] of [90_000, 40_000, 5_000].entries()) {
      const giveBack = takeRoom(disk)
      const written = await writeUntilFull(page, `${round}`, sizeBytes)
      acknowledged.push(...written.acknowledged)
      unknown.push(...written.unknown)
      const [first, ...later] = written.refusals
      expect(first).toMatchObject({ code: 'NOT_STORED', retryable: true, details: { reason: expect.any(String) } })
      for (const told of later) expect(told).toMatchObject({ code: expect.stringMatching(/^(NOT_STORED|STORE_UNAVAILABLE)$/) })
      // What was refused is not read, whatever becomes of it later.
      expect(await sessionsIn(page)).toEqual(acknowledged)
      const second = await site.page(browser)
      const opening = await open(second)
      if ('code' in opening) expect(['NOT_STORED', 'STORE_UNAVAILABLE']).toContain(opening.code)
      await second.close()
      giveBack()
      await goOn(page, round)
      // What two pages bring back between them may come after the memory has opened.
      await expect.poll(() => sessionsIn(page), { timeout: 60_000 }).toEqual(expect.arrayContaining(acknowledged))
      const found = await sessionsIn(page)
      expect(new Set(found).size).toBe(found.length)
      expect([...acknowledged, ...unknown]).toEqual(expect.arrayContaining(found))
      acknowledged.splice(0, Number.POSITIVE_INFINITY, ...found)
    }
    await browser.close()
    const { page: again } = await start(site, disk)
    // What the browser lost of the middle is brought back after the memory has opened.
    await expect.poll(async () => (await sessionsIn(again)).toSorted(), { timeout: 60_000 }).toEqual(acknowledged.toSorted())
    expect(await again.evaluate(() => window.storageTab.read())).toEqual({ value: 2 })
    expect((await again.evaluate(() => window.tab.memory.health())).quarantine).toEqual([])
  },
  300_000,
)
