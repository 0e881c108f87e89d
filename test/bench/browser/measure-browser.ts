/** The measurements in Chromium: bare add, durable assert, whole-file save, batches, reads; all in one page, in rounds. */
import { fileURLToPath } from 'node:url'
import type { StoredBytes } from '../page/measured-memory.ts'
import { Samples, type Measurement } from '../measurement.ts'
import type { BenchOptions } from '../options.ts'
import type { RoundSamples } from '../page/page.ts'
import { openChromium } from './chromium.ts'
import { servePage } from './serve-page.ts'

export interface BrowserResult {
  readonly chromium: string
  /** Size of the journal entry of one assert, which the bare add stores as well. */
  readonly entryBytes: number
  readonly measurements: readonly Measurement[]
  /** When everything was written. */
  readonly stored: readonly StoredBytes[]
}

/** What encryption and the mirror cost is measured on stores of this size, which all sizes of the run have among them. */
const VARIANT_FACTS = 1_000

/** @returns undefined where there is no Chromium */
export async function measureBrowser(
  cache: string,
  options: BenchOptions,
  progress: (text: string) => void,
): Promise<BrowserResult | undefined> {
  const browser = await openChromium(cache)
  if (browser === undefined) return undefined
  try {
    progress('building the page')
    const served = await servePage(cache, fileURLToPath(new URL('../page', import.meta.url)))
    try {
      const page = await browser.context.newPage()
      page.on('pageerror', error => progress(`in the page: ${error.message}`))
      await page.goto(served.url)
      await page.waitForFunction(() => 'bench' in window)
      for (const facts of sizes(options)) {
        progress(`filling stores of ${facts} facts`)
        await page.evaluate(size => window.bench.fill(size), facts)
      }
      progress('filling stores without encryption, without a mirror')
      await page.evaluate(facts => window.bench.fillVariants(facts), VARIANT_FACTS)
      const { entryBytes } = await page.evaluate(() => window.bench.prepare())
      const samples = new Samples()
      // The first round finds cold caches and code that is not compiled yet.
      await page.evaluate(() => window.bench.round())
      for (let round = 1; round <= options.rounds; round++) {
        progress(`round ${round} of ${options.rounds} in Chromium`)
        const measured: readonly RoundSamples[] = await page.evaluate(() => window.bench.round())
        for (const { name, facts, samplesMs } of measured) samples.add(name, facts, samplesMs)
      }
      const stored = await page.evaluate(() => window.bench.stored())
      return { chromium: browser.version, entryBytes, measurements: samples.all(), stored }
    } finally {
      await served.close()
    }
  } finally {
    await browser.close()
  }
}

function sizes({ full }: BenchOptions): number[] {
  return full ? [1_000, 20_000, 100_000] : [1_000, 20_000]
}
