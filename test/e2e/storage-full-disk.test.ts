/**
 * A disk that is really full, under the profile of a browser. A value that Chromium keeps in a file of its own is refused
 * when it commits, after every `success`. A smaller one makes it give up the whole database: then it is opened again when
 * there is room, or Chromium throws it away as damaged, at once or at its next start, and the mirror brings it back.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'
import { FULL } from '../support/size.ts'
import { chromiumOn, serveSite } from './fixtures/storage-site.ts'
import type { Site } from './fixtures/storage-site.ts'
import type { Told } from './fixtures/storage.page.ts'

type Durability = 'strict' | 'mirrored'

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
  /** Sessions of the episodes that were acknowledged, in their order, and of those of which nobody knows. */
  readonly acknowledged: string[]
  readonly unknown: Set<string>
  /** What was said to the first that was refused, and to three that came after. */
  readonly refusals: Told[]
}

/** Keeps episodes of about `sizeBytes` until four have been refused. What was told is in `written`, also where the browser dies. */
async function writeUntilFull(page: Page, round: string, sizeBytes: number, written: Written): Promise<void> {
  for (let n = 0; written.refusals.length < 4; n += 1) {
    const session = `${round}.${n}`
    written.unknown.add(session)
    const told = await page.evaluate(
      ([name, size]) =>
        window.storageTab.told(
          window.tab.memory.tenant('home').record({ text: 'x'.repeat(size), author: 'user', session: name }),
        ),
      [session, sizeBytes] as const,
    )
    if ('value' in told) written.acknowledged.push(session)
    else written.refusals.push(told)
    if ('value' in told || told.details['outcome'] !== 'unknown') written.unknown.delete(session)
  }
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

function open(page: Page, durability: Durability): Promise<Told> {
  return page.evaluate(
    wanted => window.storageTab.told(window.storageTab.open({ name: 'full', durability: wanted }).then(() => 'opened')),
    durability,
  )
}

/** Opens it, again where the browser is still sorting out what the full disk left. It may fail, and never says that all is lost. */
async function opened(page: Page, durability: Durability): Promise<void> {
  await expect
    .poll(
      async () => {
        const told = await open(page, durability)
        if ('code' in told) expect(['NOT_STORED', 'STORE_UNAVAILABLE']).toContain(told.code)
        return told
      },
      { timeout: 60_000 },
    )
    .toEqual({ value: 'opened' })
}

/** With room again: in the same tab, or, where the browser threw the database away, after it was opened again. */
async function goOn(page: Page, durability: Durability, value: number): Promise<void> {
  const told = await page.evaluate(n => window.storageTab.write(n), value)
  if ('code' in told) {
    expect(told).toMatchObject({ code: 'STORE_UNAVAILABLE', details: { reason: 'deleted' } })
    await page.evaluate(() => window.tab.memory.close())
    await opened(page, durability)
    const { restored, quarantine } = await page.evaluate(() => window.tab.memory.health())
    // Nothing of it where the page that was opened meanwhile has brought everything back.
    expect(restored?.damaged ?? 0).toBe(0)
    expect(quarantine).toEqual([])
    expect(await page.evaluate(n => window.storageTab.write(n), value)).toEqual({ value: 'accepted' })
  }
  expect(await page.evaluate(() => window.storageTab.read())).toEqual({ value })
}

interface Life {
  readonly context: BrowserContext
  readonly page: Page
  /** Whether the browser has ended by itself, given a moment to be noticed. */
  ended(): Promise<boolean>
}

async function start(site: Site, disk: string, durability: Durability): Promise<Life> {
  // The browser's own caches are kept away from the disk: it is the memory's writes that are to fill it.
  const cache = mkdtempSync(join(tmpdir(), 'palimpsest-cache-'))
  onTestFinished(() => rmSync(cache, { recursive: true, force: true, maxRetries: 5 }))
  const context = await chromiumOn(join(disk, 'profile'), [`--disk-cache-dir=${cache}`])
  const closed = new Promise<true>(resolve => context.on('close', () => resolve(true)))
  onTestFinished(() => context.close())
  const page = await site.page(context)
  await opened(page, durability)
  return { context, page, ended: () => Promise.race([closed, sleep(5_000, false)]) }
}

/** One disk that fills up and gets room again. Returns whether the browser survived it. */
async function fillUp(site: Site, { context, page, ended }: Life, disk: string, round: Round): Promise<boolean> {
  const giveBack = takeRoom(disk)
  const { written, before, sizeBytes, durability } = round
  try {
    await writeUntilFull(page, round.name, sizeBytes, written)
    const [first, ...later] = written.refusals
    expect(first).toMatchObject({ code: 'NOT_STORED', retryable: true, details: { reason: expect.any(String) } })
    for (const told of later) expect(told).toMatchObject({ code: expect.stringMatching(/^(NOT_STORED|STORE_UNAVAILABLE)$/) })
    // What was refused is not read, whatever becomes of it later.
    expect(await sessionsIn(page)).toEqual([...before, ...written.acknowledged])
    const second = await site.page(context)
    const opening = await open(second, durability)
    if ('code' in opening) expect(['NOT_STORED', 'STORE_UNAVAILABLE']).toContain(opening.code)
    await second.close()
    return true
  } catch (error) {
    if (!(await ended())) throw error
    return false
  } finally {
    giveBack()
  }
}

interface Round {
  readonly name: string
  readonly sizeBytes: number
  readonly durability: Durability
  /** What was there when it began. */
  readonly before: readonly string[]
  readonly written: Written
}

// Chromium itself ends now and then where its disk is full: then it is started again, as somebody would.
test.runIf(FULL).for<Durability>(['strict', 'mirrored'])(
  'a full disk, %s: writes are refused, reads go on, and with room again nothing that was acknowledged is missing',
  { timeout: 300_000 },
  async (durability, testing) => {
    const disk = smallDisk()
    if (disk === undefined) return testing.skip('mounting a small tmpfs needs root')
    const site = await serveSite()
    onTestFinished(() => site.close())
    let life = await start(site, disk, durability)
    let there: readonly string[] = []
    for (const [n, sizeBytes] of [90_000, 40_000, 5_000].entries()) {
      const written: Written = { acknowledged: [], unknown: new Set(), refusals: [] }
      const survived = await fillUp(site, life, disk, { name: `${n}`, sizeBytes, durability, before: there, written })
      if (!survived) life = await start(site, disk, durability)
      const { page } = life
      await goOn(page, durability, n)
      const { restored } = await page.evaluate(() => window.tab.memory.health())
      // A database that is thrown away with the browser takes what the full disk kept from the mirror, if nobody waited for it.
      const mirrorLagged = !survived && durability === 'strict' && restored?.wasEmpty === true
      const acknowledged = [...there, ...written.acknowledged]
      // What two pages bring back between them may come after the memory has opened.
      await expect
        .poll(() => sessionsIn(page), { timeout: 60_000 })
        .toEqual(expect.arrayContaining(mirrorLagged ? [...there] : acknowledged))
      const found = await sessionsIn(page)
      expect(new Set(found).size).toBe(found.length)
      expect([...acknowledged, ...written.unknown]).toEqual(expect.arrayContaining(found))
      // In any case the last of them, and none of the middle.
      const back = acknowledged.filter(session => found.includes(session))
      expect(back).toEqual(acknowledged.slice(0, back.length))
      there = found
    }
    await life.context.close()
    const { page: again } = await start(site, disk, durability)
    // What the browser lost of the middle is brought back after the memory has opened.
    await expect.poll(async () => (await sessionsIn(again)).toSorted(), { timeout: 60_000 }).toEqual(there.toSorted())
    expect(await again.evaluate(() => window.storageTab.read())).toEqual({ value: 2 })
    expect((await again.evaluate(() => window.tab.memory.health())).quarantine).toEqual([])
  },
)
