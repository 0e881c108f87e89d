/**
 * What a memory costs, beside what it is built from and what is usually done instead, in one run on one machine.
 *
 *   npm run bench -- [--full] [--rounds N] [--only browser|node] | --endurance [--commits N]
 *
 * Prints tables, then the same as one line of JSON, and keeps it in .cache/bench/result.json. A target that is not met fails nothing.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { measureBrowser } from './browser/measure-browser.ts'
import { summary } from './measurement.ts'
import type { StoredBytes } from './page/measured-memory.ts'
import { endure } from './endurance/endure.ts'
import { measureNode } from './node/measure-node.ts'
import { USAGE, benchOptions, type BenchOptions } from './options.ts'
import { duration, table } from './table.ts'
import { ratios } from './targets.ts'

const cache = fileURLToPath(new URL('../../.cache/bench', import.meta.url))

const options = benchOptions(process.argv.slice(2))
if (options === undefined) {
  console.error(USAGE)
  process.exitCode = 2
} else if (options.endurance !== undefined) await endure(options.endurance, progress)
else await bench(options)

async function bench(chosen: BenchOptions): Promise<void> {
  await mkdir(cache, { recursive: true })
  const browser = chosen.only === 'node' ? undefined : await measureBrowser(cache, chosen, progress)
  if (browser === undefined && chosen.only !== 'node')
    console.log('LEFT OUT: the measurements in Chromium, which was not found; CHROMIUM_PATH names its executable')
  const node = chosen.only === 'browser' ? undefined : await measureNode(process.env['BENCH_PEERS'] || cache, chosen, progress)
  if (node?.native === false)
    console.log('LEFT OUT: native SQLite (better-sqlite3), which is not installed; `npm run bench` installs it')

  const summaries = [...(browser?.measurements ?? []), ...(node?.measurements ?? [])].map(summary)
  const compared = ratios(summaries)
  console.log(
    table(
      ['what', 'facts', 'median', 'p95', 'samples'],
      summaries.map(each => [
        each.name,
        String(each.facts ?? ''),
        duration(each.medianMs),
        duration(each.p95Ms),
        String(each.samples),
      ]),
    ),
  )
  console.log(
    `\n${table(
      ['ratio of medians', 'value', 'target', 'verdict'],
      compared.map(({ what, value, target = '', met }) => [
        what,
        value.toFixed(2),
        target,
        met === undefined ? '' : met ? 'met' : 'not met',
      ]),
    )}\n`,
  )
  if (browser !== undefined) console.log(`${storedTable(browser.stored)}\n`)
  const result = {
    at: new Date().toISOString(),
    node: process.version,
    chromium: browser?.chromium ?? null,
    entryBytes: browser?.entryBytes ?? null,
    rounds: chosen.rounds,
    measurements: summaries,
    ratios: compared,
    stored: browser?.stored ?? [],
  }
  await writeFile(join(cache, 'result.json'), `${JSON.stringify(result, undefined, 2)}\n`)
  console.log(JSON.stringify(result))
}

function storedTable(stored: readonly StoredBytes[]): string {
  const kilo = (bytes: number): string => (bytes / 1024).toFixed(0)
  return table(
    ['stored by', 'facts', 'store KiB', 'mirror KiB'],
    stored.map(({ name, facts, storeBytes, mirrorBytes }) => [name, String(facts), kilo(storeBytes), kilo(mirrorBytes)]),
  )
}

function progress(text: string): void {
  console.error(`bench: ${text}`)
}
