import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint, stamp } from './fingerprint.mjs'
import { root } from './root.mjs'
import { runNode } from './run.mjs'
import { viteOf } from './vite.mjs'
import { packageFolders } from './workspace.mjs'

/** The page, and the window that hosts it: where each lives, and the file that its build must leave. */
export const ASSISTANT = { name: 'the assistant', folder: 'apps/assistant', result: 'dist/index.html' }
export const DESKTOP = { name: 'the desktop shell', folder: 'apps/desktop', result: 'dist/main.js' }

/**
 * Builds an app by Vite, unless what lies in its dist was built from these very sources. True when it is there.
 * After a failure nothing of an earlier build is left to be taken for the new one.
 */
export async function buildApp(app, { always = false } = {}) {
  const built = stamp(`.cache/built-${app.folder.replaceAll('/', '-')}`)
  const wanted = fingerprint([app.folder, ...packageSources(), 'pnpm-lock.yaml'], [process.version])
  const result = join(root, app.folder, app.result)
  if (!always && built.holds(wanted) && existsSync(result)) return true

  console.log(`Building ${app.name} ...`)
  built.clear()
  const env = { NODE_ENV: 'production' }
  const code = await runNode([viteOf(app.folder).command, 'build', '--logLevel', always ? 'info' : 'warn'], {
    cwd: join(root, app.folder),
    env,
  })
  if (code === 0 && existsSync(result)) {
    built.write(wanted)
    return true
  }
  rmSync(result, { force: true })
  console.error(
    code === 0 ? `The build of ${app.name} left no ${app.result}.` : `${app.name} could not be built (exit code ${code}).`,
  )
  return false
}

/** What an app can take from the packages: their sources, and what their manifests export. */
function packageSources() {
  return packageFolders.flatMap(folder => [`${folder}/src`, `${folder}/package.json`])
}
