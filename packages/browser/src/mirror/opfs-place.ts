/**
 * The mirror's place in a browser: a folder of the origin's private file system, written through sync access handles, which
 * exist in dedicated workers alone.
 *
 * | what the port asks                 | what gives it                                                                    |
 * |------------------------------------|----------------------------------------------------------------------------------|
 * | a file outlives the process        | a handle writes to the file itself; what it has written is the system's          |
 * | one replica holds a file           | a second handle, and the file's removal, are refused (NoModificationAllowedError) |
 * | a replica that died holds nothing  | handles end with their worker                                                    |
 * | reading while the owner appends    | `getFile`, again where the file has grown before it was read (NotReadableError)   |
 */
import { MemoryError } from '@palimpsest/core'
import type { MirrorFile, MirrorPlace } from '@palimpsest/core'
import { nameOf, openOpfsFolder } from './opfs-folder.ts'

/** The part of FileSystemSyncAccessHandle that is used; DOM's types know it in workers alone. */
interface SyncAccessHandle {
  read(buffer: Uint8Array, options: { readonly at: number }): number
  write(bytes: Uint8Array, options: { readonly at: number }): number
  truncate(sizeBytes: number): void
  getSize(): number
  flush(): void
  close(): void
}

interface WorkerFileHandle extends FileSystemFileHandle {
  createSyncAccessHandle(): Promise<SyncAccessHandle>
}

/** How long to try to read a file that somebody appends to without a pause, in ms. */
const READ_PATIENCE_MS = 5_000

/**
 * Opens the mirror's place of the store `storeName` in a dedicated worker, and makes it where it is missing. Undefined where
 * the browser has none: WebKitGTK, older browsers, an insecure context, some private windows, and outside of workers.
 */
export async function openOpfsPlace(storeName: string): Promise<MirrorPlace | undefined> {
  if (typeof FileSystemFileHandle === 'undefined' || !('createSyncAccessHandle' in FileSystemFileHandle.prototype)) {
    return undefined
  }
  const folder = await openOpfsFolder(storeName)
  return folder && new OpfsPlace(folder)
}

class OpfsPlace implements MirrorPlace {
  readonly kind = 'opfs'
  readonly #folder: FileSystemDirectoryHandle
  readonly #held = new Map<string, SyncAccessHandle>()
  #closed = false

  constructor(folder: FileSystemDirectoryHandle) {
    this.#folder = folder
  }

  async list(): Promise<readonly string[]> {
    const names: string[] = []
    try {
      for await (const [name, { kind }] of this.#folder.entries()) if (kind === 'file') names.push(name)
    } catch (error) {
      // The folder was removed with the store.
      if (nameOf(error) === 'NotFoundError') return []
      throw unavailable(error)
    }
    return names
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    const own = this.#held.get(name)
    if (own) return readAll(own)
    const untilMs = performance.now() + READ_PATIENCE_MS
    for (;;) {
      try {
        const file = await (await this.#folder.getFileHandle(name)).getFile()
        return new Uint8Array(await file.arrayBuffer())
      } catch (error) {
        const reason = nameOf(error)
        if (reason === 'NotFoundError') return undefined
        if (reason !== 'NotReadableError' || performance.now() >= untilMs) throw unavailable(error)
      }
      await new Promise(resolve => setTimeout(resolve, 1))
    }
  }

  async create(name: string): Promise<MirrorFile> {
    const handle = await this.#createHeld(name)
    this.#held.set(name, handle)
    const isHeld = (): boolean => this.#held.get(name) === handle
    return {
      append: async (bytes, { flush = false } = {}) => {
        if (!isHeld()) throw notStored('closed', 'the file was let go')
        appendTo(handle, bytes, flush)
      },
      close: async () => {
        if (isHeld()) this.#letGo(name, handle)
      },
    }
  }

  async remove(name: string, sizeBytes?: number): Promise<boolean> {
    if (this.#held.has(name)) return false
    try {
      if (sizeBytes !== undefined && (await this.#sizeOnceFree(name)) !== sizeBytes) return false
      await this.#folder.removeEntry(name)
      return true
    } catch (error) {
      const reason = nameOf(error)
      if (reason === 'NotFoundError') return true
      if (reason === 'NoModificationAllowedError') return false
      throw unavailable(error)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const [name, handle] of this.#held) this.#letGo(name, handle)
  }

  async #createHeld(name: string): Promise<SyncAccessHandle> {
    if (this.#closed) throw notStored('closed', 'the place was closed')
    if (await this.#has(name)) throw exists(name)
    const handle = await this.#open(name)
    // Somebody may have made it, filled it and let go since we looked.
    const refusal = this.#closed ? notStored('closed', 'the place was closed') : sizeOf(handle) > 0 ? exists(name) : undefined
    if (refusal === undefined) return handle
    handle.close()
    throw refusal
  }

  async #open(name: string): Promise<SyncAccessHandle> {
    try {
      const file = (await this.#folder.getFileHandle(name, { create: true })) as WorkerFileHandle
      return await file.createSyncAccessHandle()
    } catch (error) {
      throw nameOf(error) === 'NoModificationAllowedError' ? exists(name) : failed(error)
    }
  }

  /** Of a file that nobody holds, so that it grows no more: no replica opens a file that it has not made. */
  async #sizeOnceFree(name: string): Promise<number> {
    const handle = await ((await this.#folder.getFileHandle(name)) as WorkerFileHandle).createSyncAccessHandle()
    try {
      return handle.getSize()
    } finally {
      handle.close()
    }
  }

  async #has(name: string): Promise<boolean> {
    try {
      await this.#folder.getFileHandle(name)
      return true
    } catch (error) {
      if (nameOf(error) === 'NotFoundError') return false
      throw failed(error)
    }
  }

  #letGo(name: string, handle: SyncAccessHandle): void {
    this.#held.delete(name)
    handle.close()
  }
}

/** Without a turn in between, so that appends that nobody waited for keep their order. */
function appendTo(handle: SyncAccessHandle, bytes: Uint8Array, flush: boolean): void {
  let at = 0
  try {
    at = handle.getSize()
    for (let done = 0; done < bytes.byteLength;) {
      const written = handle.write(bytes.subarray(done), { at: at + done })
      if (written <= 0) throw notStored('short write', 'the browser wrote only a part')
      done += written
    }
    if (flush) handle.flush()
  } catch (error) {
    const { message, details } = failed(error)
    throw new MemoryError('NOT_STORED', message, { ...details, isWhole: isCutBack(handle, at) }, { cause: error })
  }
}

function isCutBack(handle: SyncAccessHandle, sizeBytes: number): boolean {
  try {
    handle.truncate(sizeBytes)
    return true
  } catch {
    return false
  }
}

function readAll(handle: SyncAccessHandle): Uint8Array {
  const bytes = new Uint8Array(handle.getSize())
  return bytes.subarray(0, handle.read(bytes, { at: 0 })).slice()
}

/** The first browsers with such handles answered with promises; a file that is written so is none of ours. */
function sizeOf(handle: SyncAccessHandle): number {
  const sizeBytes: unknown = handle.getSize()
  return typeof sizeBytes === 'number' ? sizeBytes : Number.POSITIVE_INFINITY
}

function exists(name: string): MemoryError {
  return notStored('exists', `it holds ${name} already`)
}

function failed(error: unknown): MemoryError {
  return MemoryError.is(error) ? error : notStored(nameOf(error), error instanceof Error ? error.message : String(error), error)
}

function notStored(reason: string, why: string, cause?: unknown): MemoryError {
  return new MemoryError('NOT_STORED', `The mirror was not written: ${why}`, { reason }, { cause })
}

function unavailable(error: unknown): MemoryError {
  const reason = nameOf(error)
  return new MemoryError('STORE_UNAVAILABLE', `The mirror cannot be read: ${reason}`, { reason }, { cause: error })
}
