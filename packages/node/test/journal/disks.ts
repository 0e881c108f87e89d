/** Disks that tests put in the place of the real one. */
import type { Disk, DiskFile } from '../../src/journal/disk.ts'
import { nodeDisk } from '../../src/journal/disk.ts'

/** One change to the disk, as it is asked for. */
export type Change =
  | { readonly op: 'create' | 'remove' | 'sync' | 'syncDirectory'; readonly path: string }
  | { readonly op: 'write'; readonly path: string; readonly bytes: Uint8Array; readonly position: number }
  | { readonly op: 'truncate'; readonly path: string; readonly sizeBytes: number }
  | { readonly op: 'rename' | 'link'; readonly path: string; readonly to: string }

/** The real disk; `before` sees every change before it is made, and prevents it by throwing. */
export function watchedDisk(before: (change: Change) => void, disk: Disk = nodeDisk): Disk {
  const watchedFile = (path: string, file: DiskFile): DiskFile => ({
    write: async (bytes, position) => {
      before({ op: 'write', path, bytes: bytes.slice(), position })
      await file.write(bytes, position)
    },
    sync: async () => {
      before({ op: 'sync', path })
      await file.sync()
    },
    truncate: async sizeBytes => {
      before({ op: 'truncate', path, sizeBytes })
      await file.truncate(sizeBytes)
    },
    close: () => file.close(),
  })
  return {
    ...disk,
    create: async path => {
      before({ op: 'create', path })
      return watchedFile(path, await disk.create(path))
    },
    open: async path => watchedFile(path, await disk.open(path)),
    link: async (path, to) => {
      before({ op: 'link', path, to })
      await disk.link(path, to)
    },
    rename: async (path, to) => {
      before({ op: 'rename', path, to })
      await disk.rename(path, to)
    },
    remove: async path => {
      before({ op: 'remove', path })
      await disk.remove(path)
    },
    syncDirectory: async path => {
      before({ op: 'syncDirectory', path })
      await disk.syncDirectory(path)
    },
  }
}

/** The real disk without flushing: quick, for tests in which the power stays on. */
export const quickDisk: Disk = {
  ...nodeDisk,
  create: async path => withoutFlush(await nodeDisk.create(path)),
  open: async path => withoutFlush(await nodeDisk.open(path)),
  syncDirectory: () => Promise.resolve(),
}

function withoutFlush(file: DiskFile): DiskFile {
  return {
    write: (bytes, position) => file.write(bytes, position),
    sync: () => Promise.resolve(),
    truncate: sizeBytes => file.truncate(sizeBytes),
    close: () => file.close(),
  }
}

export function failure(code: string): Error {
  return Object.assign(new Error(`${code}: made up`), { code })
}
