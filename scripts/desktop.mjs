/** npm run desktop: fetches Electron where it is not there yet, builds page and shell, and opens the window. */
import './lib/node-version.mjs'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ASSISTANT, DESKTOP, buildApp } from './lib/apps.mjs'
import { findElectron, hasDisplay } from './lib/electron.mjs'
import { installOrExit } from './lib/install.mjs'
import { root } from './lib/root.mjs'
import { runNode } from './lib/run.mjs'
import { onStopping } from './lib/stopping.mjs'
import { openWindow } from './lib/window.mjs'

async function electronOrExit() {
  const there = findElectron()
  if (there) return there
  if (process.env.ELECTRON_PATH) fail(`ELECTRON_PATH (${process.env.ELECTRON_PATH}) is not an executable file.`)

  const folder = join(root, DESKTOP.folder, 'node_modules/electron')
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  console.log(`Fetching Electron ${version} (about 110 MB, once) ...`)
  const code = await runNode([join(folder, 'install.js')])
  const fetched = findElectron()
  if (code === 0 && fetched) return fetched
  fail(
    `Electron ${version} could not be fetched (what its installer says stands above). It comes from the releases of the ` +
      'Electron project; ELECTRON_MIRROR names another place to fetch it from. An Electron that is already on this machine is ' +
      'used when ELECTRON_PATH names its executable. The page needs none: npm start.',
  )
}

function fail(message) {
  console.error(`\n${message}`)
  process.exit(1)
}

await installOrExit()
const electron = await electronOrExit()
for (const app of [ASSISTANT, DESKTOP]) {
  if (!(await buildApp(app))) process.exit(1)
}
if (!hasDisplay()) fail('There is no display to open the window on (neither DISPLAY nor WAYLAND_DISPLAY is set).')

const window = openWindow(electron)
onStopping(signal => window.kill(signal))
window.on('error', error => fail(`Electron could not be started: ${error.message}`))
window.on('exit', code => process.exit(code ?? 0))
