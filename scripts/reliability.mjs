/**
 * npm run reliability: the proofs at full size, and docs/reliability.md made of what they counted. Takes hours.
 *
 *   npm run reliability -- --only engines              one part of engines, journals, tabs, endurance, cost; several with a comma
 *   npm run reliability -- --only engines --minutes 30 each engine for so long; goes on where the last run stopped
 *   npm run reliability -- --only page                 only the page, from the figures that are kept
 */
import './lib/node-version.mjs'
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findChromium } from './lib/chromium.mjs'
import { installOrExit } from './lib/install.mjs'
import { root } from './lib/root.mjs'
import { runNode } from './lib/run.mjs'
import { runTypeScript } from './lib/tsx.mjs'

const folder = join(root, 'docs/reliability')
const { values } = parseArgs({ options: { only: { type: 'string' }, minutes: { type: 'string' } } })
const chromium = findChromium()
const env = { PALIMPSEST_FAULTS: 'full', PALIMPSEST_FIGURES: folder, ...(chromium && { CHROMIUM_PATH: chromium }) }

const VITEST = 'node_modules/vitest/vitest.mjs'
/** Figures of the other parts. */
const OF_OTHERS = new Set(['tabs-and-storage.json', 'endurance.json', 'cost.json'])
const JOURNAL_TESTS = [
  'packages/core/test/faults',
  'packages/core/test/mirror/faulty-place.test.ts',
  'packages/core/test/at-rest/crash-safe-change.test.ts',
  'packages/node/test/faults',
]
const TAB_TESTS = ['test/e2e/tabs', 'test/e2e/storage', 'test/e2e/delete-memory']

const parts = {
  journals: () => {
    // A suite leaves figures only where it passed: those of a run before would hide that it did not.
    const kept = readdirSync(folder).filter(name => name.endsWith('.json') && !OF_OTHERS.has(name))
    for (const name of kept) rmSync(join(folder, name))
    return runNode([VITEST, 'run', '--project', 'unit', ...JOURNAL_TESTS], { env })
  },
  tabs: async () => {
    const kept = join(folder, 'tabs-and-storage.json')
    rmSync(kept, { force: true })
    const report = join(root, '.cache/tabs-and-storage.json')
    const args = ['run', '--project', 'e2e', ...TAB_TESTS, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const code = await runNode([VITEST, ...args], { env })
    if (code !== 0) return code
    const { numPassedTests: tests } = JSON.parse(readFileSync(report, 'utf8'))
    writeFileSync(kept, `${JSON.stringify({ at: new Date().toISOString(), size: 'full', tests }, undefined, 2)}\n`)
    return 0
  },
  engines: () => {
    const minutes = values.minutes === undefined ? [] : ['--minutes', values.minutes]
    const args = ['--out', join(folder, 'engines.jsonl'), '--resume', ...minutes]
    return runTypeScript('test/faults/engines/main.ts', args, { env })
  },
  endurance: () => runTypeScript('test/bench/main.ts', ['--endurance'], { env }),
  cost: async () => {
    const code = await runTypeScript('test/bench/main.ts', ['--only', 'browser'], { env })
    if (code === 0) copyFileSync(join(root, '.cache/bench/result.json'), join(folder, 'cost.json'))
    return code
  },
}

const named = values.only?.split(',') ?? Object.keys(parts)
const unknown = named.filter(name => name !== 'page' && !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`--only: ${unknown.join()} is none of ${Object.keys(parts).join()}, page`)
  process.exit(2)
}
await installOrExit()
mkdirSync(folder, { recursive: true })
const codes = []
for (const name of named) if (name !== 'page') codes.push(await parts[name]())
codes.push(await runTypeScript('test/faults/reliability/write.ts', []))
process.exitCode = codes.find(code => code !== 0) ?? 0
