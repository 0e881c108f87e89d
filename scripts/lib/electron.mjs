import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isExecutable, onPath } from './executable.mjs'
import { root } from './root.mjs'

const IN_PACKAGE = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ?? 'electron'

/** The executable of Electron: ELECTRON_PATH, which is then the only place looked at, else what `npm run desktop` fetched. */
export function findElectron() {
  const named = process.env.ELECTRON_PATH
  if (named) return isExecutable(named) ? resolve(named) : undefined
  const folder = join(root, 'apps/desktop/node_modules/electron')
  const fetched = join(folder, 'dist', IN_PACKAGE)
  // Its installer writes path.txt last; without it the unpacking was cut short.
  return existsSync(join(folder, 'path.txt')) && isExecutable(fetched) ? fetched : undefined
}

/** Whether a window can be seen. macOS and Windows always have a display for the user who runs us. */
export function hasDisplay() {
  if (process.platform === 'darwin' || process.platform === 'win32') return true
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}

/** Why tests cannot open a window, or undefined when they can, on a display or on one that xvfb-run gives them. */
export function whyNoWindow() {
  if (!findElectron()) {
    return process.env.ELECTRON_PATH
      ? `ELECTRON_PATH (${process.env.ELECTRON_PATH}) is not an executable file`
      : 'no Electron is at hand (npm run desktop fetches one, or set ELECTRON_PATH)'
  }
  if (!hasDisplay() && !onPath('xvfb-run')) return 'there is no display and no xvfb-run'
  return undefined
}
