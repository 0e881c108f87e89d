/**
 * WebKitGTK's own small browser, on a display that nobody sees. Near Safari, not Safari. It keeps what a page stores under
 * the XDG directories, which here are the profile. WebDriver is not used: the page
 * itself speaks to the harness, as in the other engines.
 */
import { readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from './engine.ts'
import { firstExecutable } from './executable.ts'
import { startTree } from './process-tree.ts'
import { startDisplay } from './virtual-display.ts'
import type { Display } from './virtual-display.ts'

export function webkitEngine(): Engine {
  const executable = firstExecutable([process.env['MINIBROWSER_PATH'], ...usualPlaces()])
  const xvfb = firstExecutable(['/usr/bin/Xvfb'])
  let display: Promise<Display> | undefined
  return {
    name: 'webkit',
    backends: ['sqlite'],
    hasMirror: false,
    missing: () => {
      if (executable === undefined) return 'no WebKitGTK MiniBrowser (apt-get install webkit2gtk-driver, or MINIBROWSER_PATH)'
      return xvfb === undefined ? 'no Xvfb (apt-get install xvfb)' : undefined
    },
    launch: async ({ profile, url }) => {
      display ??= startDisplay(xvfb ?? '')
      const { name } = await display
      const places = { XDG_DATA_HOME: 'data', XDG_CACHE_HOME: 'cache', XDG_CONFIG_HOME: 'config', XDG_STATE_HOME: 'state' }
      const paths = Object.entries(places).map(([variable, folder]) => [variable, join(profile, folder)] as const)
      for (const [, path] of paths) await mkdir(path, { recursive: true })
      const env = {
        ...Object.fromEntries(paths),
        DISPLAY: name,
        GDK_BACKEND: 'x11',
        LIBGL_ALWAYS_SOFTWARE: '1',
        NO_AT_BRIDGE: '1',
      }
      // Without a click behind it, a page opens no other otherwise.
      const tree = startTree(executable ?? '', ['--javascript-can-open-windows-automatically=true', url], env)
      return { kill: tree.kill, close: () => tree.close(10_000) }
    },
    dispose: async () => {
      await (await display)?.close()
      display = undefined
    },
  }
}

/** The folder is named for the machine and for the version of the interface. */
function usualPlaces(): string[] {
  const folders = (at: string, prefix: string): string[] => {
    try {
      return readdirSync(at)
        .filter(name => name.startsWith(prefix))
        .map(name => join(at, name))
    } catch {
      return []
    }
  }
  const libraries = readdirSync('/usr/lib')
    .filter(name => name.includes('linux-gnu'))
    .map(name => join('/usr/lib', name))
  return libraries.flatMap(library => folders(library, 'webkit')).map(folder => join(folder, 'MiniBrowser'))
}
