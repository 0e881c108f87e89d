/**
 * npm run reliability: the proofs at full size, and docs/reliability.md made of what they counted. Takes hours.
 *
 *   npm run reliability -- --only engines              one part of engines, journals, endurance, cost; several with a comma
 *   npm run reliability -- --only engines --minutes 30 each engine for so long; goes on where the last run stopped
 *   npm run reliability -- --only page                 only the page, from the figures that are kept
 */
import './lib/node-version.mjs'
import { copyFileSync, mkdirSync } from 'node:fs'
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

const parts = {
  journals: () =>
    runNode(
      ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', 'packages/core/test/faults', 'packages/node/test/faults'],
      {
        env,
      },
    ),
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
