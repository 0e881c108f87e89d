/** What the mirror of the memory `name` takes in the origin's private file system; 0 where there is none. */
export async function mirrorBytes(name: string): Promise<number> {
  const top = await navigator.storage.getDirectory()
  const root = await top.getDirectoryHandle('palimpsest', { create: true })
  const readable = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  for await (const [folder, handle] of root.entries()) {
    if (folder.startsWith(readable) && folder.length === readable.length + HASH_LENGTH && handle.kind === 'directory')
      return sizeOf(handle as FileSystemDirectoryHandle)
  }
  return 0
}

/** A hyphen, and a hash in hex: see the place's own description of its names. */
const HASH_LENGTH = 33

/** Counted again where the memory, which goes on tidying up, removes a file meanwhile. */
async function sizeOf(folder: FileSystemDirectoryHandle): Promise<number> {
  for (;;) {
    try {
      let sizeBytes = 0
      for await (const handle of folder.values()) {
        if (handle.kind === 'file') sizeBytes += (await (handle as FileSystemFileHandle).getFile()).size
      }
      return sizeBytes
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== 'NotFoundError') throw error
    }
  }
}
