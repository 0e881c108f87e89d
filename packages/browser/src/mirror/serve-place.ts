/** The side that has the place: does what is asked through a port, and answers. */
import { MemoryError, toMemoryError } from '@palimpsest/core'
import type { MirrorFile, MirrorPlace } from '@palimpsest/core'
import type { PlaceAnswer, PlaceRequest } from './place-wire.ts'

/**
 * Serves `place` to `remotePlace` at the other end of `port`, until the returned function is called: then, or when the other
 * end closes its port, the place and every file that it holds are let go. No browser tells of a worker that was terminated or
 * has crashed, so whoever finds that out has to call it.
 */
export function servePlace(place: MirrorPlace, port: MessagePort): () => void {
  const files = new Map<number, MirrorFile>()
  let lastFile = 0
  let stopped = false

  const run = async (request: PlaceRequest): Promise<unknown> => {
    switch (request.call) {
      case 'list':
        return place.list()
      case 'read':
        return place.read(request.name)
      case 'create': {
        const file = await place.create(request.name)
        // Made while we were stopped, it would be held for nobody.
        if (stopped) return file.close()
        files.set(++lastFile, file)
        return lastFile
      }
      case 'append':
        return opened(request.file).append(request.bytes, { flush: request.flush })
      case 'closeFile':
        await files.get(request.file)?.close()
        files.delete(request.file)
        return undefined
      case 'remove':
        return place.remove(request.name, request.sizeBytes)
      case 'close':
        return place.close()
    }
  }
  const opened = (id: number): MirrorFile => {
    const file = files.get(id)
    if (!file) throw new MemoryError('NOT_STORED', 'The mirror was not written: the file was let go', { reason: 'closed' })
    return file
  }
  const onMessage = (event: MessageEvent<PlaceRequest>): void => {
    const { id } = event.data
    run(event.data).then(
      value => answer({ id, ok: true, value }),
      (error: unknown) => answer({ id, ok: false, error: toMemoryError(error).toEnvelope() }),
    )
  }
  const answer = (message: PlaceAnswer): void => {
    // A port that is closed takes no messages, and nobody waits for this one.
    if (!stopped) port.postMessage(message)
  }
  const stop = (): void => {
    if (stopped) return
    stopped = true
    port.removeEventListener('message', onMessage)
    port.close()
    // Nobody is left to hear of a failure, and a place that cannot be closed ends with its page.
    place.close().catch(() => {})
  }
  port.addEventListener('message', onMessage)
  port.addEventListener('close', stop)
  port.start()
  return stop
}
