import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './root.mjs'

// What a tool wrote is never what it read.
const SKIPPED = new Set(['node_modules', 'dist', '.cache'])

/** SHA-256 over names and contents of files and folders, given relative to the root; what is missing counts as missing. */
export function fingerprint(paths, extra = []) {
  const hash = createHash('sha256')
  for (const word of extra) hash.update(`${word}\0`)
  for (const path of paths) add(hash, path)
  return hash.digest('hex')
}

function add(hash, path) {
  const absolute = join(root, path)
  if (!existsSync(absolute)) return
  if (statSync(absolute).isDirectory()) {
    for (const name of readdirSync(absolute).toSorted()) {
      if (!SKIPPED.has(name)) add(hash, `${path}/${name}`)
    }
    return
  }
  hash.update(`${path}\0`).update(readFileSync(absolute)).update('\0')
}

/** A file that remembers from which inputs something was made. */
export function stamp(file) {
  const absolute = join(root, file)
  return {
    holds: value => existsSync(absolute) && readFileSync(absolute, 'utf8') === value,
    clear: () => rmSync(absolute, { force: true }),
    write: value => {
      mkdirSync(dirname(absolute), { recursive: true })
      writeFileSync(absolute, value)
    },
  }
}
