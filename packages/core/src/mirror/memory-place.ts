/** A mirror's place that lasts as long as the object: for tests, and to show what the port asks for. */
import { MemoryError } from '../errors.ts'
import type { MirrorFile, MirrorPlace } from './port.ts'

/** What the replicas of one store share: give the same one to several places. */
export class MemoryFiles {
  readonly files: Map<string, Uint8Array> = new Map()
  /** Files that a replica holds open, and which one. */
  readonly held: Map<string, MemoryPlace> = new Map()
}

export class MemoryPlace implements MirrorPlace {
  readonly kind = 'memory'
  readonly #shared: MemoryFiles

  constructor(shared: MemoryFiles = new MemoryFiles()) {
    this.#shared = shared
  }

  async list(): Promise<readonly string[]> {
    return Promise.resolve([...this.#shared.files.keys()])
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.#shared.files.get(name)?.slice())
  }

  async create(name: string): Promise<MirrorFile> {
    await Promise.resolve()
    const { files, held } = this.#shared
    if (files.has(name)) throw new MemoryError('NOT_STORED', `The mirror holds ${name} already`, { reason: 'exists' })
    files.set(name, new Uint8Array(0))
    held.set(name, this)
    return {
      append: async bytes => {
        await Promise.resolve()
        if (held.get(name) !== this) throw new MemoryError('NOT_STORED', 'The file was let go', { reason: 'closed' })
        const before = files.get(name) ?? new Uint8Array(0)
        const after = new Uint8Array(before.length + bytes.length)
        after.set(before)
        after.set(bytes, before.length)
        files.set(name, after)
      },
      close: async () => {
        await Promise.resolve()
        if (held.get(name) === this) held.delete(name)
      },
    }
  }

  async remove(name: string, sizeBytes?: number): Promise<boolean> {
    await Promise.resolve()
    const { files, held } = this.#shared
    if (held.has(name)) return false
    if (sizeBytes !== undefined && files.has(name) && files.get(name)?.length !== sizeBytes) return false
    files.delete(name)
    return true
  }

  async close(): Promise<void> {
    await Promise.resolve()
    for (const [name, holder] of this.#shared.held) if (holder === this) this.#shared.held.delete(name)
  }
}
