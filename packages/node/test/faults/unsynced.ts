/**
 * What a power cut leaves when it takes a suffix of what was not flushed yet, to the byte.
 *
 * The other model (`journal/power-cut.ts`) treats all files alike: lost, zeroed, halved or there. Here the changes have one
 * order, those that were flushed stay, and of the rest some first ones stay and a first part of the bytes of the next.
 * `names kept`: names survive although contents behind them do not, as where the allocation of blocks is put off.
 */
import { basename } from 'node:path'
import type { Change } from '../journal/disks.ts'

interface Logged {
  readonly change: Change
  /** Which file it changes, whatever its name was or will be; undefined where it changes names. */
  readonly file: number | undefined
  flushed: boolean
}

export interface Left {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly what: string
}

export class UnsyncedModel {
  readonly #log: Logged[] = []
  readonly #names = new Map<string, number>()
  #files = 0

  apply(change: Change): void {
    const name = basename(change.path)
    const file = this.#names.get(name)
    switch (change.op) {
      case 'write':
        this.#log.push({ change, file, flushed: false })
        return
      case 'sync':
      case 'truncate':
        // A truncation is durable when it settles, and takes along what was written before it.
        if (change.op === 'truncate') this.#log.push({ change, file, flushed: true })
        for (const logged of this.#log) if (logged.file === file) logged.flushed = true
        return
      case 'syncDirectory':
        for (const logged of this.#log) if (logged.file === undefined) logged.flushed = true
        return
      case 'create':
        this.#names.set(name, (this.#files += 1))
        break
      case 'link':
        if (file !== undefined) this.#names.set(basename(change.to), file)
        break
      case 'rename':
        this.#names.delete(name)
        if (file !== undefined) this.#names.set(basename(change.to), file)
        break
      case 'remove':
        this.#names.delete(name)
    }
    this.#log.push({ change, file: undefined, flushed: false })
  }

  /** Every way in which it may have ended. `cuts` says at which of so many bytes a write is cut. */
  *left(cuts: (sizeBytes: number, change: Change) => readonly number[]): Generator<Left> {
    for (const namesKept of [false, true]) {
      const open = this.#log.filter(({ flushed, file }) => !flushed && !(namesKept && file === undefined))
      for (let kept = 0; kept <= open.length; kept += 1) {
        const next = open[kept]
        const gone = new Set(open.slice(kept))
        const sizes = next?.change.op === 'write' ? cuts(next.change.bytes.length, next.change) : [0]
        for (const sizeBytes of sizes) {
          const names = namesKept ? ', names kept' : ''
          const what = `${kept} of ${open.length} changes not flushed, and ${sizeBytes} bytes of the next${names}`
          yield { files: this.#replay(gone, next, sizeBytes), what }
        }
      }
    }
  }

  #replay(gone: ReadonlySet<Logged>, torn: Logged | undefined, tornBytes: number): Map<string, Uint8Array> {
    const names = new Map<string, { content: Buffer }>()
    const byFile = new Map<number, { content: Buffer }>()
    let files = 0
    for (const logged of this.#log) {
      const { change } = logged
      const name = basename(change.path)
      // Numbered as they were when they were made, whether or not the name is left.
      if (change.op === 'create') byFile.set((files += 1), { content: Buffer.alloc(0) })
      if (gone.has(logged) && logged !== torn) continue
      const content = logged.file === undefined ? undefined : byFile.get(logged.file)
      const named = names.get(name)
      switch (change.op) {
        case 'write': {
          const bytes = logged === torn ? change.bytes.subarray(0, tornBytes) : change.bytes
          if (content && bytes.length > 0) content.content = Buffer.concat([padded(content.content, change.position), bytes])
          break
        }
        case 'truncate':
          if (content) content.content = content.content.subarray(0, change.sizeBytes)
          break
        case 'create':
          if (logged !== torn) names.set(name, byFile.get(files) ?? { content: Buffer.alloc(0) })
          break
        case 'link':
          if (named && logged !== torn) names.set(basename(change.to), named)
          break
        case 'rename':
          if (logged === torn) break
          names.delete(name)
          if (named) names.set(basename(change.to), named)
          break
        case 'remove':
          if (logged !== torn) names.delete(name)
          break
        default:
      }
    }
    // The process is dead after a power cut; its lock is another test's matter.
    return new Map([...names].filter(([name]) => name !== 'lock.json').map(([name, { content }]) => [name, content]))
  }
}

/** What is written behind the end leaves zeros before it. */
function padded(content: Buffer, position: number): Buffer {
  return content.length >= position
    ? content.subarray(0, position)
    : Buffer.concat([content, Buffer.alloc(position - content.length)])
}
