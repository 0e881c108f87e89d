import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'

/** The native compiler; the package named typescript is the older one, for tools that need its programming interface. */
export const TSC = 'node_modules/@typescript/native/bin/tsc'

/** Folders of the packages that are published, relative to the root. */
export const packageFolders = foldersIn('packages')

/** Every folder of the workspace that has a package.json, relative to the root. */
export const workspaceFolders = ['.', ...packageFolders, ...foldersIn('apps'), 'test']

function foldersIn(parent) {
  return readdirSync(join(root, parent))
    .map(name => `${parent}/${name}`)
    .filter(folder => existsSync(join(root, folder, 'package.json')))
}
