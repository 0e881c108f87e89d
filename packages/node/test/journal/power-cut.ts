/**
 * What a disk may hold after the power was cut, from the changes that were asked for until then.
 *
 * The model: content counts when the file was flushed, names when the directory was. What was not flushed is there whole,
 * in part, as zeros of the right length, or not at all. Names that were not flushed are there up to some point in the order
 * in which they were made, which is what journaling file systems promise; or only the last of them, as others may have it.
 */
import { basename } from 'node:path'
import type { Change } from './disks.ts'

interface FileModel {
  /** As the process sees it. */
  content: Buffer
  /** As it was when it was last flushed. */
  flushed: Buffer
}

type Names = Map<string, FileModel>

export const UNFLUSHED_CONTENT = ['lost', 'zeros', 'half', 'there'] as const
export const UNFLUSHED_NAMES = ['lost', 'half', 'there', 'last'] as const

export interface PowerCut {
  readonly content: (typeof UNFLUSHED_CONTENT)[number]
  readonly names: (typeof UNFLUSHED_NAMES)[number]
}

/** The changes made so far, and what would be left of them. */
export class DiskModel {
  readonly #names: Names = new Map()
  #flushedNames: Names = new Map()
  /** The changes of names since they were last flushed. */
  #unflushedNames: ((names: Names) => unknown)[] = []

  apply(change: Change): void {
    const name = basename(change.path)
    const file = this.#names.get(name)
    switch (change.op) {
      case 'create': {
        const created = { content: Buffer.alloc(0), flushed: Buffer.alloc(0) }
        this.#rename(names => names.set(name, created))
        break
      }
      case 'write':
        if (file) file.content = Buffer.concat([file.content.subarray(0, change.position), change.bytes])
        break
      case 'sync':
        if (file) file.flushed = file.content
        break
      case 'truncate':
        if (file) file.content = file.flushed = file.content.subarray(0, change.sizeBytes)
        break
      case 'link':
        this.#rename(names => file && names.set(basename(change.to), file))
        break
      case 'rename':
        this.#rename(names => {
          names.delete(name)
          if (file) names.set(basename(change.to), file)
        })
        break
      case 'remove':
        this.#rename(names => names.delete(name))
        break
      case 'syncDirectory':
        this.#flushedNames = new Map(this.#names)
        this.#unflushedNames = []
    }
  }

  /** The files that are left after a power cut. */
  left(cut: PowerCut): Map<string, Uint8Array> {
    const changes = this.#unflushedNames
    const kept = {
      lost: [],
      half: changes.slice(0, changes.length / 2),
      there: changes,
      last: changes.slice(-1),
    }[cut.names]
    const names = new Map(this.#flushedNames)
    for (const change of kept) change(names)
    const files = [...names].map(([name, file]) => [name, leftOf(file, cut.content)] as const)
    // The process is dead after a power cut; its lock is another test's matter.
    return new Map(files.filter(([name]) => name !== 'lock.json'))
  }

  #rename(change: (names: Names) => unknown): void {
    change(this.#names)
    this.#unflushedNames.push(change)
  }
}

function leftOf({ content, flushed }: FileModel, how: PowerCut['content']): Buffer {
  if (how === 'lost' || content === flushed) return flushed
  if (how === 'there') return content
  const half = Math.floor((flushed.length + content.length) / 2)
  return how === 'half'
    ? content.subarray(0, half)
    : Buffer.concat([flushed, Buffer.alloc(Math.max(0, content.length - flushed.length))])
}
