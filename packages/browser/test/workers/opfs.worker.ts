/** A worker that opens places in the private file system and serves them to the page, one a port. */
import { openOpfsPlace } from '../../src/mirror/opfs-place.ts'
import { servePlace } from '../../src/mirror/serve-place.ts'

export interface OpfsWorkerRequest {
  readonly storeName: string
  readonly port: MessagePort
  /** How many reads fail first, as they do on disk while somebody else appends. */
  readonly grownReads?: number
  /** Makes the next write fail, or write no more than one byte at a time. */
  readonly writes?: 'fail' | 'byte by byte' | 'stop short'
}

interface SyncAccessHandle {
  write(bytes: Uint8Array, options: { at: number }): number
}
declare const FileSystemSyncAccessHandle: { readonly prototype: SyncAccessHandle }

addEventListener('message', (event: MessageEvent<OpfsWorkerRequest>) => {
  const { storeName, port, grownReads = 0, writes } = event.data
  failReads(grownReads)
  if (writes) disturbWrites(writes)
  void openOpfsPlace(storeName).then(place => {
    if (place) servePlace(place, port)
    postMessage(place ? 'served' : 'refused')
  })
})

function failReads(count: number): void {
  const { arrayBuffer } = Blob.prototype
  let left = count
  Blob.prototype.arrayBuffer = function (this: Blob) {
    left -= 1
    return left >= 0 ? Promise.reject(new DOMException('The file has changed', 'NotReadableError')) : arrayBuffer.call(this)
  }
}

function disturbWrites(how: 'fail' | 'byte by byte' | 'stop short'): void {
  const { prototype } = FileSystemSyncAccessHandle
  const { write } = prototype
  let calls = 0
  prototype.write = function (this: SyncAccessHandle, bytes, options) {
    calls += 1
    if (how === 'byte by byte') return write.call(this, bytes.subarray(0, 1), options)
    // The first append goes through, the second is written in part, and the third goes through again.
    if (calls === 2) return write.call(this, bytes.subarray(0, 1), options)
    if (calls === 3 && how === 'stop short') return 0
    if (calls === 3) throw new DOMException('No space available for this operation', 'QuotaExceededError')
    return write.call(this, bytes, options)
  }
}
