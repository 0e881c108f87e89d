/**
 * Damages the files in which Chromium keeps the IndexedDB of our origin. Nothing else of the profile is touched: the origin's
 * private file system stays as it was. What Chromium 156 makes of each damage at its next start, as it was seen here:
 *
 * | stored in | damage                                     | what Chromium does                                             |
 * |-----------|--------------------------------------------|----------------------------------------------------------------|
 * | LevelDB   | bytes of the log, at its head, middle, end | throws everything of the origin away and begins anew           |
 * | LevelDB   | the manifest emptied, or bytes in it       | the same                                                       |
 * | LevelDB   | CURRENT emptied                            | the same                                                       |
 * | LevelDB   | CURRENT names no file                      | refuses every opening, for ever: STORE_UNAVAILABLE             |
 * | LevelDB   | the log cut off in the middle              | says nothing; the last transactions are not there, and large   |
 * |           |                                            | values of which it knows again may have lost their files       |
 * | SQLite    | the database emptied, beside its log       | drops the log too and begins anew                              |
 * | SQLite    | the log emptied before it was folded in    | begins anew                                                    |
 * | SQLite    | bytes in the header, beside a whole log    | nothing is lost: the log has the page                          |
 * | SQLite    | bytes in the header, without a log         | refuses every opening, for ever: STORE_UNAVAILABLE             |
 * | SQLite    | bytes in the middle of the log             | says nothing; the transactions from there on are not there     |
 *
 * What makes it begin anew is a `wipe`; what silently takes the last transactions is a `cut`. A store that is refused for
 * ever is not damaged so here: nothing that a page can do would open it.
 */
import { open, readdir, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { Random } from './seeded-random.ts'

export interface Damage {
  readonly effect: 'wipe' | 'cut'
  readonly name: string
  readonly backend: 'leveldb' | 'sqlite'
  /** The files that it damages. */
  readonly files: RegExp
  apply(path: string, sizeBytes: number): Promise<void>
}

const LENGTH = 64

const DAMAGES: readonly Damage[] = [
  { effect: 'wipe', name: 'manifest emptied', backend: 'leveldb', files: /^MANIFEST/u, apply: path => truncate(path, 0) },
  {
    effect: 'wipe',
    name: 'bytes of the manifest',
    backend: 'leveldb',
    files: /^MANIFEST/u,
    apply: path => overwrite(path, 8, 8),
  },
  { effect: 'wipe', name: 'CURRENT emptied', backend: 'leveldb', files: /^CURRENT$/u, apply: path => truncate(path, 0) },
  { effect: 'wipe', name: 'head of the log', backend: 'leveldb', files: /\.log$/u, apply: path => overwrite(path, 0, LENGTH) },
  {
    effect: 'wipe',
    name: 'middle of the log',
    backend: 'leveldb',
    files: /\.log$/u,
    apply: (path, sizeBytes) => overwrite(path, Math.floor(sizeBytes / 2), LENGTH),
  },
  { effect: 'wipe', name: 'database emptied', backend: 'sqlite', files: /^[A-Z0-9]+$/u, apply: path => truncate(path, 0) },
  {
    effect: 'cut',
    name: 'second half of the log',
    backend: 'leveldb',
    files: /\.log$/u,
    apply: (path, sizeBytes) => truncate(path, Math.floor(sizeBytes / 2)),
  },
  {
    effect: 'cut',
    name: 'bytes in the last part of the log',
    backend: 'sqlite',
    files: /-wal$/u,
    apply: (path, sizeBytes) => overwrite(path, Math.floor(sizeBytes * 0.8), LENGTH),
  },
]

/**
 * Damages the IndexedDB of the origin in `profile`, while no browser runs on it, so that it has this effect.
 * @returns what was done
 */
export async function damageIndexedDb(
  profile: string,
  backend: string,
  effect: Damage['effect'],
  random: Random,
): Promise<string> {
  const folder = await databaseFolder(profile, backend)
  const names = await readdir(folder)
  const sized = await Promise.all(names.map(async name => ({ name, sizeBytes: (await stat(join(folder, name))).size })))
  // A log that was begun a moment ago is too short to be damaged in its middle.
  const possible = DAMAGES.filter(damage => damage.backend === backend && damage.effect === effect)
    .map(damage => ({ damage, files: sized.filter(({ name, sizeBytes }) => damage.files.test(name) && sizeBytes > 0) }))
    .filter(
      ({ damage, files }) =>
        files.length > 0 && (!damage.name.endsWith('log') || files.every(file => file.sizeBytes > 2 * LENGTH)),
    )
  const [first, ...rest] = possible
  if (!first) throw new Error(`There is nothing to damage in ${folder}: ${names.join()}`)
  const { damage, files } = random.pick([first, ...rest])
  for (const { name, sizeBytes } of files) await damage.apply(join(folder, name), sizeBytes)
  return `${damage.name} (${files.map(file => `${file.name}, ${file.sizeBytes} bytes`).join('; ')})`
}

/** `http_127.0.0.1_PORT.indexeddb.leveldb`, or `http_127.0.0.1_PORT` with one SQLite file a database. */
async function databaseFolder(profile: string, backend: string): Promise<string> {
  const parent = join(profile, 'Default', 'IndexedDB')
  const pattern = backend === 'leveldb' ? /^http_127\.0\.0\.1_\d+\.indexeddb\.leveldb$/u : /^http_127\.0\.0\.1_\d+$/u
  const found = (await readdir(parent)).find(name => pattern.test(name))
  if (found === undefined) throw new Error(`There is no IndexedDB of our origin in ${parent}`)
  return join(parent, found)
}

async function overwrite(path: string, at: number, length: number): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.write(Buffer.alloc(length, 0xa5), 0, length, at)
    await file.sync()
  } finally {
    await file.close()
  }
}
