/** Directories that tests may fill, and what they look like from outside. */
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A new directory, removed when the test has finished. */
export function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), 'palimpsest-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** As the directory would be found if everything stopped now: without the lock, whose process would be dead. */
export function copyOf(directory: string): string {
  const copy = scratch()
  cpSync(directory, copy, { recursive: true })
  rmSync(join(copy, 'lock.json'), { force: true })
  return copy
}

export function filesIn(directory: string): string[] {
  return readdirSync(directory).toSorted()
}

/** The names of files that begin with `prefix`, lowest first, as paths. */
export function pathsOf(directory: string, prefix: string): string[] {
  return filesIn(directory)
    .filter(name => name.startsWith(prefix))
    .map(name => join(directory, name))
}

/** Changes one byte. */
export function flip(path: string, offset: number): void {
  const bytes = readFileSync(path)
  bytes[offset] = (bytes[offset] ?? 0) ^ 0x40
  writeFileSync(path, bytes)
}
