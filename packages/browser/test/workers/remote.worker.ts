/** A worker that creates a file in a place that its page serves, and holds it. */
import { remotePlace } from '../../src/mirror/remote-place.ts'

addEventListener('message', (event: MessageEvent<MessagePort>) => {
  void remotePlace(event.data)
    .create('log-1')
    .then(file => file.append(Uint8Array.of(1, 2, 3), { flush: true }))
    .then(() => postMessage('appended'))
})
