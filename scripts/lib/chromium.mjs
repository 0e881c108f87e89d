import { join, resolve } from 'node:path'
import { isExecutable, onPath } from './executable.mjs'

/** Flags for every Chromium that a test starts: none of them changes what the page sees, all of them keep it quiet. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox', // root in a container has no user namespaces; only our own pages are opened
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const CHROMIUM_MISSING =
  'Chromium was not found. Install it (Debian, Ubuntu: apt-get install chromium), or set CHROMIUM_PATH to the executable of ' +
  'a Chromium or Chrome.'

/** The executable of a Chromium: CHROMIUM_PATH, which is then the only place looked at, else the usual places. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) return isExecutable(named) ? resolve(named) : undefined
  return usualPlaces().find(isExecutable) ?? onPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')
}

function usualPlaces() {
  if (process.platform === 'darwin') {
    const applications = ['/Applications', join(process.env.HOME ?? '', 'Applications')]
    return applications.flatMap(folder => [
      `${folder}/Chromium.app/Contents/MacOS/Chromium`,
      `${folder}/Google Chrome.app/Contents/MacOS/Google Chrome`,
    ])
  }
  if (process.platform === 'win32') {
    const roots = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].filter(Boolean)
    return roots.flatMap(folder => [
      join(folder, 'Chromium', 'Application', 'chrome.exe'),
      join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
    ])
  }
  return ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
}
