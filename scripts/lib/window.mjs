import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { DESKTOP } from './apps.mjs'
import { root } from './root.mjs'

/** Starts the desktop window. Chromium refuses to run its sandbox as root, as in a container; nowhere else is it switched off. */
export function openWindow(electron, { stdio = 'inherit' } = {}) {
  const sandbox = process.platform === 'linux' && process.getuid() === 0 ? ['--no-sandbox'] : []
  return spawn(electron, [...sandbox, join(root, DESKTOP.folder)], { cwd: root, stdio })
}
