/** Private windows: a memory opens and works there, says that nobody promised to keep it, and ends with the window. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Health } from '@palimpsest/core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { firefoxEngine } from '../faults/engines/firefox.ts'
import { privateChromium, serveSite } from './fixtures/storage-site.ts'
import type { Site } from './fixtures/storage-site.ts'

let site: Site
beforeAll(async () => {
  site = await serveSite()
})
afterAll(() => site?.close())

test('Chromium: it works in all tabs of the window, with a mirror, and the next window finds nothing', async () => {
  const browser = await privateChromium()
  onTestFinished(() => browser.close())
  const storeIds: string[] = []
  for (const round of [1, 2]) {
    const context = await browser.newContext()
    const [one, two] = [await site.page(context), await site.page(context)]
    const health = await one.evaluate(async () => (await window.storageTab.open({ name: 'private' })).health())
    expect(health).toMatchObject({ engine: 'indexeddb', durability: 'strict', isPersisted: false, mirror: { kind: 'opfs' } })
    expect(health.restored).toBe(undefined)
    storeIds.push(health.storeId)
    expect(await one.evaluate(() => window.storageTab.read())).toEqual({ value: 'nothing' })
    expect(await one.evaluate(n => window.storageTab.write(n), round)).toEqual({ value: 'accepted' })
    const seen = two.evaluate(async () => {
      await window.storageTab.open({ name: 'private' })
      return window.storageTab.read()
    })
    expect(await seen).toEqual({ value: round })
    await context.close()
  }
  expect(new Set(storeIds).size).toBe(2)
})

const missing = firefoxEngine().missing()
if (missing !== undefined) process.stderr.write(`Firefox is left out: ${missing}\n`)
test.skipIf(missing !== undefined)('Firefox: it works, and says that it may be evicted', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'palimpsest-private-'))
  onTestFinished(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }))
  await mkdir(profile, { recursive: true })
  // Beside what the engine sets: every window is a private one.
  await writeFile(join(profile, 'prefs.js'), 'user_pref("browser.privatebrowsing.autostart", true);\n')
  const reported = site.report()
  const running = await firefoxEngine().launch({ profile, url: site.reporting, backend: 'sqlite' })
  onTestFinished(() => running.kill())
  const report = await reported
  expect(report).toMatchObject({
    opening: { value: 'opened' },
    written: { value: 'accepted' },
    read: { value: 1 },
    health: { value: { engine: 'indexeddb', durability: 'strict', isPersisted: false, quarantine: [] } },
  })
  // Firefox has refused its private file system to private windows so far: then there is no mirror.
  const { mirror } = (report.health as { readonly value: Health }).value
  expect([undefined, 'opfs']).toContain(mirror?.kind)
})
