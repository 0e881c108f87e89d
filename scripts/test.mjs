/**
 * npm test: everything that must hold before a change goes in, each step whether or not those before it passed.
 *
 *   npm test -- --only unit            one step; several with a comma
 *
 * The last line is `N passed, N failed`.
 */
import './lib/node-version.mjs'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CHROMIUM_MISSING, findChromium } from './lib/chromium.mjs'
import { hasDisplay, whyNoWindow } from './lib/electron.mjs'
import { install } from './lib/install.mjs'
import { runNode } from './lib/run.mjs'
import { sharedDir } from './lib/shared-dir.mjs'
import { chooseSteps, counts, oneTest, runSteps } from './lib/steps.mjs'
import { runTypeScript } from './lib/tsx.mjs'
import { filesIn, runVitest } from './lib/vitest.mjs'
import { TSC, packageFolders } from './lib/workspace.mjs'

const steps = [
  {
    name: 'format',
    what: 'every file as oxfmt writes it',
    run: async () => oneTest(await runNode(['node_modules/oxfmt/bin/oxfmt', '--check'])),
  },
  {
    name: 'lint',
    what: 'oxlint with type information, and the walls between the rooms',
    run: async () => oneTest(await runNode(['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'])),
  },
  { name: 'types', what: 'the workspace, then each package with only what its own place offers', run: types },
  {
    name: 'unused',
    what: 'nothing undeclared, nothing unused',
    run: async () => oneTest(await runNode(['node_modules/knip/bin/knip.js', '--no-progress'])),
  },
  {
    name: 'unit',
    what: 'packages/*/test in Node',
    run: () =>
      vitestOver(
        packageFolders.map(folder => `${folder}/test`),
        'unit',
      ),
  },
  { name: 'chromium', what: 'packages/*/test/**/*.browser.test.ts in Chromium', run: chromium },
  { name: 'mutations', what: 'each rule of durability broken once: a test has to turn red', run: mutations },
  { name: 'e2e', what: 'test/e2e and test/packaging', run: e2e },
  {
    name: 'faults',
    what: 'browsers killed under load; those that are not installed are left out',
    run: () => vitestOver(['test/faults'], 'faults'),
  },
  { name: 'eval', what: 'replays of real data', run: evaluation },
]

async function types() {
  const codes = [await runNode([TSC, '--noEmit'])]
  // The root gives everybody DOM and Node; a package's own configuration gives it only what is there where it will run.
  for (const folder of packageFolders) codes.push(await runNode([TSC, '--noEmit', '-p', `${folder}/tsconfig.build.json`]))
  return oneTest(...codes)
}

function vitestOver(folders, project, options) {
  return filesIn(folders).length === 0 ? { leftOut: `nothing is in ${folders.join(', ')}` } : runVitest(project, options)
}

function chromium() {
  if (findChromium() !== undefined) return vitestOver(['packages/browser/test'], 'chromium')
  console.error(CHROMIUM_MISSING)
  return { passed: 0, failed: 1 }
}

async function mutations() {
  if (findChromium() !== undefined) return oneTest(await runTypeScript('test/mutations/main.ts', []))
  console.error(CHROMIUM_MISSING)
  return { passed: 0, failed: 1 }
}

function e2e() {
  if (findChromium() === undefined) {
    console.error(CHROMIUM_MISSING)
    return { passed: 0, failed: 1 }
  }
  const noWindow = whyNoWindow()
  if (noWindow !== undefined) console.log(`LEFT OUT: the Electron tests (test/e2e/desktop*.test.ts): ${noWindow}`)
  const under = noWindow === undefined && !hasDisplay() ? ['xvfb-run', '-a'] : []
  return vitestOver(['test/e2e', 'test/packaging'], 'e2e', { under })
}

async function evaluation() {
  const data = join(sharedDir, 'eval')
  if (!existsSync(data)) return { leftOut: 'the evaluations on real data (no folder eval in SHARED_DIR, by default ../shared)' }
  return oneTest(await runNode(['scripts/eval.mjs', '--ci'], { env: { SHARED_DIR: sharedDir } }))
}

const chosen = chooseSteps(steps)
const total = (await install()) ? await runSteps(chosen) : { passed: 0, failed: 1 }
console.log(counts(total))
process.exitCode = total.failed === 0 ? 0 : 1
