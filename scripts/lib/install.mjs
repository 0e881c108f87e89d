import { join } from 'node:path'
import { fingerprint, stamp } from './fingerprint.mjs'
import { run } from './run.mjs'
import { workspaceFolders } from './workspace.mjs'

/** The one pnpm that installs this workspace; newer majors crash on Node 20 or refuse this lock file. */
const PNPM = 'pnpm@10.34.9'

/** Runs the pinned pnpm, which npx takes from the registry on first use. */
export function runPnpm(args, options = {}) {
  // On Windows npx is a command file, which only a shell can start.
  return run('npx', ['-y', PNPM, ...args], { ...options, shell: process.platform === 'win32' })
}

/**
 * Installs what the lock file says, unless it is already there. True when the workspace is ready.
 *
 * The stamp lies in node_modules, so that it goes away with what it vouches for; it covers the platform, because a tree
 * that was copied from another one has the wrong native parts.
 */
export async function install() {
  const inputs = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...workspaceFolders.map(folder => join(folder, 'package.json'))]
  const wanted = fingerprint(inputs, [PNPM, process.platform, process.arch])
  const installed = stamp('node_modules/.palimpsest-installed')
  if (installed.holds(wanted)) return true

  console.log(`Installing dependencies with ${PNPM} ...`)
  installed.clear()
  // Without a terminal pnpm would refuse to replace a tree that another version laid out.
  const code = await runPnpm(['install', '--frozen-lockfile', '--prefer-offline', '--config.confirmModulesPurge=false'])
  if (code === 0) {
    installed.write(wanted)
    return true
  }
  console.error(
    `\nThe dependencies could not be installed (exit code ${code}; what pnpm says stands above).` +
      '\nWithout a connection to the package registry nothing can be installed the first time.' +
      `\nIf pnpm says that the lock file is outdated: npx -y ${PNPM} install, and commit pnpm-lock.yaml.`,
  )
  return false
}

/** As `install`, for scripts that cannot go on without it. */
export async function installOrExit() {
  if (!(await install())) process.exit(1)
}
