import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stamp } from './fingerprint.mjs'
import { root } from './root.mjs'
import { run } from './run.mjs'

/** The native SQLite that we are measured against; 13 crashes on Node 20. */
const PEER = { name: 'better-sqlite3', version: '12.11.1' }
const FOLDER = '.cache/bench'

/**
 * Installs it by npm into a folder of its own and gives that folder, or undefined where that fails.
 *
 * It stays outside of the workspace because it may have to be compiled, and `npm start` must never compile anything. What
 * was compiled for one version of Node does not load in another: the stamp says for which it was.
 */
export async function installPeer() {
  const folder = join(root, FOLDER)
  const wanted = `${PEER.name}@${PEER.version} for ${process.platform} ${process.arch} ${process.version}`
  const installed = stamp(`${FOLDER}/installed`)
  if (installed.holds(wanted)) return folder

  console.log(`Installing ${wanted} into ${FOLDER} ...`)
  mkdirSync(folder, { recursive: true })
  const manifest = { name: 'palimpsest-bench', private: true, dependencies: { [PEER.name]: PEER.version } }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  const code = await run('npm', ['install', '--prefix', folder, '--no-package-lock', '--no-audit', '--no-fund'], {
    cwd: folder,
    env: headersOfNode(),
    shell: process.platform === 'win32',
    quiet: true,
  })
  if (code === 0) {
    installed.write(wanted)
    return folder
  }
  console.error(`${PEER.name} could not be installed; what is measured beside it is left out.`)
  return undefined
}

/** Where no prebuilt is to be had it is compiled: against the headers that came with this Node, which need no download. */
function headersOfNode() {
  const prefix = dirname(dirname(process.execPath))
  return existsSync(join(prefix, 'include/node/node.h')) ? { npm_config_nodedir: prefix } : {}
}
