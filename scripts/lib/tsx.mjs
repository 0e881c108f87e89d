import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './root.mjs'
import { runNode } from './run.mjs'

/** Runs a TypeScript file of the workspace, given relative to the root, in one Node process with our input and output. */
export function runTypeScript(file, args, { env } = {}) {
  const loader = createRequire(join(root, 'package.json')).resolve('tsx')
  return runNode(['--import', pathToFileURL(loader).href, join(root, file), ...args], { env, input: 'inherit' })
}
