/**
 * The files of the mirror, `<root>/<encoded store name>/<name>`, and which page holds which of them open. It knows nothing of
 * windows: who a page is, and when it is gone, it is told.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MAX_FILE_BYTES } from './channels.ts'
import { MirrorRefusal } from './mirror-answer.ts'
import { OpenFile, flushFolder } from './open-file.ts'

const READABLE_LENGTH = 40

interface Held {
  readonly id: number
  readonly page: string
  /** Undefined while it is being made. */
  file: OpenFile | undefined
}

export class MirrorFiles {
  readonly #root: string
  /** By path, so that a file is held once, whoever asks. */
  readonly #held = new Map<string, Held>()
  #lastId = 0

  constructor(root: string) {
    this.#root = root
  }

  async list(store: string): Promise<readonly string[]> {
    return (await orUndefined(readdir(this.#folder(store)))) ?? []
  }

  async read(store: string, name: string): Promise<Uint8Array | undefined> {
    const path = join(this.#folder(store), name)
    const found = await orUndefined(stat(path))
    if (found === undefined) return undefined
    if (found.size > MAX_FILE_BYTES) throw new MirrorRefusal('EFBIG', 'The file is over 1 GiB')
    return orUndefined(readFile(path))
  }

  /** Makes a new, empty file that `page` holds. @returns what names it from here on */
  async create(page: string, store: string, name: string): Promise<number> {
    const folder = this.#folder(store)
    const path = join(folder, name)
    // Taken before it is there, so that nobody removes it in between.
    if (this.#held.has(path)) throw exists(name)
    const held: Held = { id: ++this.#lastId, page, file: undefined }
    this.#held.set(path, held)
    try {
      const made = await mkdir(folder, { recursive: true, mode: 0o700 })
      if (made !== undefined) await Promise.all([this.#root, dirname(this.#root)].map(flushFolder))
      held.file = await OpenFile.create(path)
    } catch (error) {
      if (this.#held.get(path) === held) this.#held.delete(path)
      throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? exists(name) : error
    }
    if (this.#held.get(path) === held) return held.id
    await held.file.close()
    throw closed()
  }

  async append(page: string, id: number, bytes: Uint8Array, flush: boolean): Promise<void> {
    const file = this.#find(page, id)?.[1].file
    if (file === undefined) throw closed()
    await file.append(bytes, flush)
  }

  /** Nothing to close is fine. */
  async closeFile(page: string, id: number): Promise<void> {
    const found = this.#find(page, id)
    if (found !== undefined) await this.#letGo(...found)
  }

  /** False where a page holds it, or it has another size than is given, and it stays. */
  async remove(store: string, name: string, sizeBytes?: number): Promise<boolean> {
    const path = join(this.#folder(store), name)
    if (this.#held.has(path)) return false
    if (sizeBytes !== undefined && ((await orUndefined(stat(path)))?.size ?? sizeBytes) !== sizeBytes) return false
    await rm(path, { force: true })
    return true
  }

  /** Lets go of everything that `page` holds: it is gone. */
  async release(page: string): Promise<void> {
    const theirs = [...this.#held].filter(([, held]) => held.page === page)
    await Promise.all(theirs.map(([path, held]) => this.#letGo(path, held)))
  }

  #find(page: string, id: number): [string, Held] | undefined {
    return [...this.#held].find(([, held]) => held.id === id && held.page === page)
  }

  /** Let go of once it is closed, so that it is not removed under an append that is on its way. */
  async #letGo(path: string, held: Held): Promise<void> {
    try {
      await held.file?.close()
    } finally {
      if (this.#held.get(path) === held) this.#held.delete(path)
    }
  }

  /** What can be read of the store's name, for people, and a hash of all of it, so that names that differ stay different. */
  #folder(store: string): string {
    // By UTF-16 units: as UTF-8, one lone surrogate is like another.
    const hash = createHash('sha256').update(Buffer.from(store, 'utf16le')).digest('hex').slice(0, 32)
    const readable = store
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, READABLE_LENGTH)
    return join(this.#root, `${readable}-${hash}`)
  }
}

async function orUndefined<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function exists(name: string): MirrorRefusal {
  return new MirrorRefusal('exists', `There is a file ${name} already`)
}

function closed(): MirrorRefusal {
  return new MirrorRefusal('closed', 'The file was let go')
}
