/** The core runs anywhere: its entry reaches no Node builtin, and loading it needs nothing but the language. */
import { readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { build } from 'vite'
import type { Plugin } from 'vite'
import { beforeAll, expect, test } from 'vitest'

const core = fileURLToPath(new URL('../../packages/core', import.meta.url))
/** [importing file, specifier] of every import, followed through the dependencies. */
const imports: [string, string][] = []
let bundle = ''

const recorder: Plugin = {
  name: 'record-imports',
  enforce: 'pre',
  resolveId(specifier, importer) {
    if (importer) imports.push([importer, specifier])
    return null
  },
}

beforeAll(async () => {
  const output = await build({
    root: core,
    configFile: false,
    logLevel: 'silent',
    plugins: [recorder],
    build: { write: false, minify: false, lib: { entry: 'src/index.ts', formats: ['iife'], name: 'palimpsest' } },
  })
  const [first] = [output].flat()
  if (!first || !('output' in first)) throw new Error('nothing was built')
  bundle = first.output[0].code
}, 60_000)

test('its own modules import what its package.json declares, and nothing else', async () => {
  const manifest = JSON.parse(await readFile(`${core}/package.json`, 'utf8')) as { readonly dependencies: object }
  const declared = new Set(Object.keys(manifest.dependencies))
  const own = imports.filter(([importer, specifier]) => importer.startsWith(`${core}/src/`) && !specifier.startsWith('.'))
  const undeclared = own.filter(([, specifier]) => !declared.has(packageOf(specifier)) && !specifier.startsWith(core))
  expect(own.length).toBeGreaterThan(0)
  expect(undeclared).toEqual([])
})

test('no module of it, or of what it depends on, imports a Node builtin', () => {
  const builtins = new Set(builtinModules)
  const reached = imports.filter(([, specifier]) => specifier.startsWith('node:') || builtins.has(packageOf(specifier)))
  // SQLite's loader asks for these behind a check for Node, by a `require` that no page reaches.
  expect(reached.filter(([importer]) => !importer.includes('/sql.js/'))).toEqual([])
})

test('it loads where there is no DOM, no IndexedDB and no Node', () => {
  // What the language leaves out and every surrounding has.
  const empty = createContext({ TextEncoder, TextDecoder })
  runInContext(`${bundle}\nglobalThis.palimpsest = palimpsest`, empty)
  expect(runInContext('typeof palimpsest.openService', empty)).toBe('function')
})

test('it does not name what belongs to a surrounding', () => {
  const own = new Set(imports.map(([importer]) => importer).filter(file => file.startsWith(`${core}/src/`)))
  expect(own.size).toBeGreaterThan(10)
  expect(bundle).not.toMatch(/\b(?:indexedDB|localStorage|BroadcastChannel)\b/)
})

function packageOf(specifier: string): string {
  const parts = specifier.split('/')
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}
