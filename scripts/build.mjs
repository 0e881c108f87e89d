/**
 * npm run build: what is published and what is deployed, from clean folders.
 *
 *   npm run build -- --only packages,tarballs
 *
 * packages   each package by tsc into its dist; it compiles against the sources of the others and emits only its own
 * tarballs   what `pnpm publish` would upload, into .cache/tarballs: there `exports` point at dist
 * checks     whether what the tarballs promise is in them, and whether their types resolve
 * assistant  the page, into apps/assistant/dist
 * desktop    the shell, into apps/desktop/dist
 */
import './lib/node-version.mjs'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ASSISTANT, DESKTOP, buildApp } from './lib/apps.mjs'
import { installOrExit, runPnpm } from './lib/install.mjs'
import { root } from './lib/root.mjs'
import { runNode } from './lib/run.mjs'
import { chooseSteps, oneTest, runSteps } from './lib/steps.mjs'
import { TSC, packageFolders } from './lib/workspace.mjs'

const PUBLINT = 'node_modules/publint/src/cli.js'
const ATTW = 'node_modules/@arethetypeswrong/cli/dist/index.js'
const tarballs = join(root, '.cache/tarballs')

const steps = [
  { name: 'packages', what: packageFolders.join(', '), run: compile },
  { name: 'tarballs', what: 'packed, in .cache/tarballs', run: pack },
  { name: 'checks', what: 'the tarballs by publint and attw', run: check },
  { name: 'assistant', what: 'the page, in apps/assistant/dist', run: () => app(ASSISTANT) },
  { name: 'desktop', what: 'the shell, in apps/desktop/dist', run: () => app(DESKTOP) },
]

async function compile() {
  const codes = []
  for (const folder of packageFolders) {
    rmSync(join(root, folder, 'dist'), { recursive: true, force: true })
    codes.push(await runNode([TSC, '-p', `${folder}/tsconfig.build.json`]))
  }
  return oneTest(...codes)
}

async function pack() {
  rmSync(tarballs, { recursive: true, force: true })
  mkdirSync(tarballs, { recursive: true })
  const codes = []
  for (const folder of packageFolders) {
    codes.push(await runPnpm(['pack', '--pack-destination', tarballs], { cwd: join(root, folder), quiet: true }))
  }
  return oneTest(...codes)
}

async function check() {
  const codes = []
  for (const name of readdirSync(tarballs).toSorted()) {
    const tarball = join(tarballs, name)
    console.log(`${name}: ${Math.ceil(statSync(tarball).size / 1024)} KiB`)
    codes.push(await runNode([PUBLINT, 'run', '--strict', tarball], { quiet: true }))
    // Palimpsest is published as ES modules only, so what CommonJS would see is not asked.
    codes.push(await runNode([ATTW, '--profile', 'esm-only', '--no-emoji', tarball], { quiet: true }))
  }
  return oneTest(...codes)
}

async function app(which) {
  return oneTest((await buildApp(which, { always: true })) ? 0 : 1)
}

const chosen = chooseSteps(steps)
await installOrExit()
const { failed } = await runSteps(chosen)
process.exitCode = failed === 0 ? 0 : 1
