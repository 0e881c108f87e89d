// The walls between the rooms are real: an import that DESIGN 11 forbids is refused by the linter, as it is configured here.
//
// The files with the imports lie in a copy of the rooms outside of the workspace, beside a copy of the configuration. In the
// workspace itself they would be compiled and packed by whatever else runs at the same time.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Room {
  readonly may: readonly string[]
  readonly mayNot: readonly string[]
}

/** Forbidden to everybody: past the front door, into an app, out of the package by a path. */
const EVERYWHERE = [
  '@palimpsest/core/src/index.ts',
  '@palimpsest/core/dist/index.js',
  '@palimpsest/assistant',
  '@palimpsest/desktop',
  '@palimpsest/test',
  '../../../core/src/index.ts',
  '../../../file/src/index.ts',
  '../../../../packages/core/src/index.ts',
  '../../../../apps/assistant/src/main.tsx',
]
const OWN = ['./beside.ts', '../above.ts']
const NODE = ['node:fs', 'fs', 'fs/promises', 'path']
const WORKERS = ['comlink', 'dexie']

const ROOMS: Readonly<Record<string, Room>> = {
  'packages/core': {
    may: [...OWN, '../ledger/apply.ts', 'zod', 'sql.js', 'uuid', 'canonicalize', '@noble/hashes/sha2.js'],
    mayNot: [...palimpsest('core', 'file', 'extract', 'browser', 'node'), ...NODE, ...WORKERS, 'react', 'electron', 'vitest'],
  },
  'packages/file': {
    may: [...OWN, ...palimpsest('core'), '@palimpsest/core/journal-contract', 'zod', '@noble/hashes/sha2.js'],
    mayNot: [...palimpsest('extract', 'browser', 'node'), '@palimpsest/node/command', ...NODE, ...WORKERS, 'vitest'],
  },
  'packages/extract': {
    may: [...OWN, ...palimpsest('core'), 'chrono-node'],
    mayNot: [...palimpsest('file', 'browser', 'node'), ...NODE, ...WORKERS, 'vitest'],
  },
  'packages/browser': {
    may: [...OWN, ...palimpsest('core'), ...WORKERS],
    mayNot: [...palimpsest('file', 'extract', 'node'), ...NODE, 'react', 'electron', 'vitest'],
  },
  'packages/node': {
    may: [...OWN, ...palimpsest('core', 'file', 'extract'), ...NODE],
    mayNot: [...palimpsest('browser'), '@palimpsest/browser/worker', ...WORKERS, 'react', 'electron', 'vitest'],
  },
  'apps/assistant': {
    may: [...OWN, ...palimpsest('core', 'file', 'extract', 'browser'), '@palimpsest/browser/worker', 'react'],
    mayNot: [...palimpsest('node'), ...NODE, 'electron'],
  },
  'apps/desktop': {
    may: [...OWN, ...NODE, 'electron', '@palimpsest/assistant/desktop-bridge'],
    mayNot: [...palimpsest('core', 'file', 'extract', 'browser', 'node'), '@palimpsest/assistant/main'],
  },
}

function palimpsest(...names: readonly string[]): string[] {
  return names.map(name => `@palimpsest/${name}`)
}

/** Which imports of which file the linter refused by the rule of the rooms. */
function refusedIn(folder: string): ReadonlyMap<string, readonly string[]> {
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint')
  const { stdout } = spawnSync(process.execPath, [oxlint, '-c', '.oxlintrc.json', '-f', 'json'], {
    cwd: folder,
    encoding: 'utf8',
  })
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code?: string; filename: string; message: string }[] }
  const refused = new Map<string, string[]>()
  for (const { code, filename, message } of diagnostics) {
    const specifier = /^'([^']+)' import is restricted/.exec(message)?.[1]
    if (code !== 'eslint(no-restricted-imports)' || specifier === undefined) continue
    const file = filename.replaceAll('\\', '/')
    refused.set(file, [...(refused.get(file) ?? []), specifier])
  }
  return refused
}

const fileOf = (room: string): string => `${room}/src/deep/room.ts`

describe('the linter', () => {
  const copy = mkdtempSync(join(tmpdir(), 'palimpsest-rooms-'))
  let refused: ReadonlyMap<string, readonly string[]>

  beforeAll(() => {
    copyFileSync(join(root, '.oxlintrc.json'), join(copy, '.oxlintrc.json'))
    for (const [room, { may, mayNot }] of Object.entries(ROOMS)) {
      const imports = [...may, ...mayNot, ...EVERYWHERE].map(specifier => `import '${specifier}'\n`)
      mkdirSync(dirname(join(copy, fileOf(room))), { recursive: true })
      writeFileSync(join(copy, fileOf(room)), imports.join(''))
    }
    refused = refusedIn(copy)
  })

  afterAll(() => rmSync(copy, { recursive: true }))

  test.each(Object.entries(ROOMS))('in %s refuses what is forbidden there, and nothing else', (room, { mayNot }) => {
    expect(refused.get(fileOf(room))?.toSorted()).toEqual([...mayNot, ...EVERYWHERE].toSorted())
  })
})

test('every package and every app is a room with rules', () => {
  const folders = ['packages', 'apps'].flatMap(parent => readdirSync(join(root, parent)).map(name => `${parent}/${name}`))
  const rooms = folders.filter(folder => existsSync(join(root, folder, 'package.json')))
  expect(Object.keys(ROOMS).toSorted()).toEqual(rooms.toSorted())
})
