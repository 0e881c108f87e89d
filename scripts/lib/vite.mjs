import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { root } from './root.mjs'

/** The vite that an app declares. */
export function viteOf(app) {
  const require = createRequire(join(root, app, 'package.json'))
  const manifest = require.resolve('vite/package.json')
  return { command: join(dirname(manifest), 'bin/vite.js'), module: require.resolve('vite') }
}
