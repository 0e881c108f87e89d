/** A disk that is one directory in memory: thousands of openings take no time and leave nothing. */
import { basename } from 'node:path'
import type { Disk, DiskFile } from '../../src/journal/disk.ts'
import { failure } from './disks.ts'

interface Content {
  bytes: Buffer
}

/** A disk whose directory, whatever its path, holds `files`. */
export function memoryDisk(files: ReadonlyMap<string, Uint8Array> = new Map()): Disk {
  const contents = new Map<string, Content>()
  const identities = new WeakMap<Content, number>()
  let created = 0
  const add = (name: string, bytes: Uint8Array): Content => {
    const content = { bytes: Buffer.from(bytes) }
    identities.set(content, (created += 1))
    contents.set(name, content)
    return content
  }
  for (const [name, bytes] of files) add(name, bytes)
  const at = (path: string): Content => {
    const content = contents.get(basename(path))
    if (!content) throw failure('ENOENT')
    return content
  }
  const give = (path: string, content: Content, replace: boolean): void => {
    if (!replace && contents.has(basename(path))) throw failure('EEXIST')
    contents.set(basename(path), content)
  }
  return {
    names: async () => [...contents.keys()],
    read: async path => Uint8Array.from(at(path).bytes),
    sizeBytes: async path => at(path).bytes.length,
    changedMs: async () => 0,
    identity: async path => {
      const content = contents.get(basename(path))
      return content && String(identities.get(content))
    },
    create: async path => {
      if (contents.has(basename(path))) throw failure('EEXIST')
      return openFile(add(basename(path), Buffer.alloc(0)))
    },
    open: async path => openFile(at(path)),
    link: async (path, secondPath) => give(secondPath, at(path), false),
    rename: async (from, to) => {
      give(to, at(from), true)
      contents.delete(basename(from))
    },
    remove: async path => void contents.delete(basename(path)),
    makeDirectory: async () => false,
    syncDirectory: async () => {},
  }
}

function openFile(content: Content): DiskFile {
  return {
    write: async (bytes, position) => {
      const grown = Buffer.alloc(Math.max(content.bytes.length, position + bytes.length))
      content.bytes.copy(grown)
      grown.set(bytes, position)
      content.bytes = grown
    },
    sync: async () => {},
    truncate: async sizeBytes => {
      content.bytes = Buffer.from(content.bytes.subarray(0, sizeBytes))
    },
    close: async () => {},
  }
}
