/** The mirror's place in a shell that writes files for its page: Electron's main process, behind a preload bridge. */
import { MemoryError } from '@palimpsest/core'
import type { MirrorFile, MirrorPlace } from '@palimpsest/core'

/** Errors keep no more than their message on such a bridge, so a call that fails answers with what went wrong. */
export type BridgeAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string; readonly message: string }

/**
 * What the shell gives to its page, each call as the method of MirrorPlace or MirrorFile that it is named for. `store` is the
 * name of the store, as it is: the shell finds a folder for it. Appends to a file are done in the order of their calls, and
 * what a page holds open is let go when the page ends, however it ends.
 */
export interface MirrorBridge {
  list(store: string): Promise<BridgeAnswer<readonly string[]>>
  read(store: string, name: string): Promise<BridgeAnswer<Uint8Array | undefined>>
  /** The value names the open file. */
  create(store: string, name: string): Promise<BridgeAnswer<number>>
  append(file: number, bytes: Uint8Array, flush: boolean): Promise<BridgeAnswer<void>>
  closeFile(file: number): Promise<BridgeAnswer<void>>
  remove(store: string, name: string, sizeBytes?: number): Promise<BridgeAnswer<boolean>>
}

/** The place of the store `store` behind `bridge`, for `openMemory({ mirror })`. */
export function bridgedPlace(bridge: MirrorBridge, store: string): MirrorPlace {
  const open = new Set<MirrorFile>()
  let closed = false

  const create = async (name: string): Promise<MirrorFile> => {
    if (closed) throw letGo()
    const id = await written(bridge.create(store, name))
    let closing: Promise<void> | undefined
    const file: MirrorFile = {
      append: (bytes, { flush = false } = {}) => (closing ? Promise.reject(letGo()) : written(bridge.append(id, bytes, flush))),
      close: () => {
        open.delete(file)
        return (closing ??= written(bridge.closeFile(id)))
      },
    }
    if (!closed) {
      open.add(file)
      return file
    }
    await file.close()
    throw letGo()
  }
  return {
    kind: 'file',
    list: () => read(bridge.list(store)),
    read: name => read(bridge.read(store, name)),
    create,
    remove: (name, sizeBytes) => read(bridge.remove(store, name, sizeBytes)),
    close: async () => {
      closed = true
      await Promise.all([...open].map(file => file.close()))
    },
  }
}

async function written<T>(answer: Promise<BridgeAnswer<T>>): Promise<T> {
  const given = await answer.catch(broken)
  if (given.ok) return given.value
  throw new MemoryError('NOT_STORED', `The mirror was not written: ${given.message}`, { reason: given.reason })
}

async function read<T>(answer: Promise<BridgeAnswer<T>>): Promise<T> {
  const given = await answer.catch(broken)
  if (given.ok) return given.value
  throw new MemoryError('STORE_UNAVAILABLE', `The mirror cannot be read: ${given.message}`, { reason: given.reason })
}

/** The shell refused the call itself, or is ending. */
function broken(error: unknown): BridgeAnswer<never> {
  return { ok: false, reason: 'refused', message: error instanceof Error ? error.message : String(error) }
}

function letGo(): MemoryError {
  return new MemoryError('NOT_STORED', 'The mirror was not written: the file was let go', { reason: 'closed' })
}
