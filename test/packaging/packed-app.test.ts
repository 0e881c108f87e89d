/** What a user gets: the packed packages in an empty Vite app, under the dev server and built, in Chromium. */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Memory } from '@palimpsest/core'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../e2e/fixtures/chromium.ts'
import { installApp, typecheck, viteBuild, viteServe } from './packed-app.ts'
import type { PackedApp, Served } from './packed-app.ts'

let app: PackedApp

beforeAll(async () => {
  app = await installApp()
}, 300_000)
afterAll(() => app?.remove())

test('the app type-checks against the published declarations, without types of SQLite', async () => {
  expect(await typecheck(app.folder)).toBe('')
})

test('the published declarations do not name sql.js', async () => {
  const naming: string[] = []
  for (const name of ['core', 'browser']) {
    const dist = join(app.folder, 'node_modules/@palimpsest', name, 'dist')
    for (const file of await readdir(dist, { recursive: true })) {
      if (!file.endsWith('.d.ts')) continue
      const code = (await readFile(join(dist, file), 'utf8')).replaceAll(/\/\*.*?\*\//gs, '')
      if (/['"](?:@types\/)?sql\.js/.test(code)) naming.push(`${name}/${file}`)
    }
  }
  expect(naming).toEqual([])
})

describe('in Chromium', () => {
  test('under the dev server', async () => {
    await talkTo(await viteServe(app.folder, 'dev'), 'dev')
  }, 120_000)

  test('built and served', async () => {
    await viteBuild(app.folder)
    await talkTo(await viteServe(app.folder, 'preview'), 'built')
  }, 120_000)

  test('built, the page carries neither SQLite nor Dexie', async () => {
    const html = await readFile(join(app.folder, 'dist/index.html'), 'utf8')
    const script = /src="([^"]+\.js)"/.exec(html)?.[1] ?? 'no script'
    const page = await readFile(join(app.folder, 'dist', script), 'utf8')
    expect(page).not.toMatch(/dexie/i)
    expect(page).not.toMatch(/sqlite3|initSqlJs/)
    expect(page.length).toBeGreaterThan(1_000)
  })
})

type Opened = Window & { readonly memory: Memory }

async function talkTo(served: Served, value: string): Promise<void> {
  const browser = await openBrowser()
  try {
    const page = await browser.context.newPage()
    const complaints: string[] = []
    page.on('pageerror', error => complaints.push(String(error)))
    await page.goto(served.url)
    // A first visit to the dev server finds new dependencies and reloads the page by itself, so what counts begins after it.
    await ready(page)
    await page.reload()
    await ready(page)
    const told = await page.evaluate(async diet => {
      const { memory } = window as unknown as Opened
      const mine = memory.tenant('home', { actor: 'user' })
      const from = await mine.record({ text: 'The deadline is June 30.', author: 'user', at: '2026-06-03T10:00:00Z' })
      await mine.assert({ subject: 'mira', attribute: 'passport_deadline', value: '2026-06-30', from })
      await mine.assert({ subject: 'mira', attribute: 'diet', value: diet, from })
      const refused = await mine
        .assert({ subject: 'mira', attribute: 'passport_deadline', value: 'June' })
        .catch(error => error.code)
      return { refused, health: await memory.health() }
    }, value)
    expect(told.refused).toBe('VALUE_REFUSED')
    expect(told.health).toMatchObject({ engine: 'indexeddb', durability: 'strict', quarantine: [] })
    expect(await facts(page)).toEqual({ deadline: '2026-06-30', quote: 'The deadline is June 30.', diets: [value] })
    await page.reload()
    await ready(page)
    expect(await facts(page)).toEqual({ deadline: '2026-06-30', quote: 'The deadline is June 30.', diets: [value] })
    expect(complaints).toEqual([])
  } finally {
    await browser.close()
    await served.stop()
  }
}

async function ready(page: Page): Promise<void> {
  await expect.poll(() => page.title(), { timeout: 30_000 }).toBe('ready')
}

function facts(page: Page): Promise<unknown> {
  return page.evaluate(async () => {
    const { memory } = window as unknown as Opened
    const mine = memory.tenant('home')
    const at = { at: '2026-06-04T00:00:00Z' }
    const deadline = (await mine.get('mira', 'passport_deadline', at)) as unknown as {
      value: string
      sources: { quote: string }[]
    }
    const diets = (await mine.get('mira', 'diet', at)) as unknown as { value: string }[]
    return { deadline: deadline.value, quote: deadline.sources[0]?.quote, diets: diets.map(fact => fact.value) }
  })
}
