/**
 * One store that is written to for a long time: what a commit, an opening, the disk and the memory cost as it grows.
 *
 *   npm run bench -- --endurance [--commits N]
 *
 * Real Chromium, a profile on the disk, one assert a commit, checkpoints as they come. Writes docs/reliability/endurance.json
 * and its plots when N is the full 100,000, else .cache/bench/endurance.json.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CDPSession } from 'playwright'
import { openChromium } from '../browser/chromium.ts'
import { servePage } from '../browser/serve-page.ts'
import type { Endurance, Point } from './point.ts'

const FULL_COMMITS = 100_000
const POINTS = 40
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** @throws {Error} where there is no Chromium */
export async function endure(commits: number, progress: (text: string) => void): Promise<void> {
  const cache = join(root, '.cache/bench')
  await mkdir(cache, { recursive: true })
  const browser = await openChromium(cache)
  if (browser === undefined) throw new Error('Chromium was not found; CHROMIUM_PATH names its executable')
  const served = await servePage(cache, fileURLToPath(new URL('page', import.meta.url)))
  try {
    const page = await browser.context.newPage()
    await page.goto(served.url)
    await page.waitForFunction(() => 'endurance' in window)
    const session = await browser.context.browser()?.newBrowserCDPSession()
    const began = performance.now()
    await page.evaluate(size => window.endurance.begin(size), commits)
    const points: Point[] = []
    const each = Math.ceil(commits / POINTS)
    for (let done = 0; done < commits; done += each) {
      const seen = await page.evaluate(count => window.endurance.go(count), Math.min(each, commits - done))
      points.push({ ...seen, processBytes: session ? await largestRenderer(session) : Number.NaN })
      progress(`${seen.commits} commits, ${seen.commitMs.toFixed(2)} ms each, opens in ${seen.openMs.toFixed(0)} ms`)
    }
    const minutes = (performance.now() - began) / 60_000
    const result: Endurance = { at: new Date().toISOString(), chromium: browser.version, commits, minutes, points }
    const isFull = commits >= FULL_COMMITS
    const folder = isFull ? join(root, 'docs/reliability') : cache
    await writeFile(join(folder, 'endurance.json'), `${JSON.stringify(result)}\n`)
    if (isFull) await writePlots(folder, await page.evaluate(all => window.endurance.plot(all), points))
    console.log(JSON.stringify(result))
  } finally {
    await served.close()
    await browser.close()
  }
}

async function writePlots(folder: string, plots: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, svg] of Object.entries(plots)) await writeFile(join(folder, `${name}.svg`), svg)
}

/** The renderer that holds the page is by far the largest of the browser's. */
async function largestRenderer(session: CDPSession): Promise<number> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentBytes(id))
  return Math.max(...(await Promise.all(sizes)))
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
}
