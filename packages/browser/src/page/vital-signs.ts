/**
 * Tells when a worker is dead. Nothing alone tells every death:
 *
 * | sign                       | what it catches                                                     | when            |
 * |----------------------------|---------------------------------------------------------------------|-----------------|
 * | `error`, `messageerror`    | an exception that nobody caught in the worker: its state is unknown | at once         |
 * | the pulse, a Web Lock      | `terminate()`, which fires no event, and a crash                    | at once         |
 * | the heartbeat, a ping      | the same where there are no Web Locks, and a worker that hangs      | `heartbeatMs`   |
 *
 * The heartbeat counts its own ticks, not the clock: a page that was frozen must not find its worker late.
 */

export interface VitalSigns {
  /** Calls are pending: the heart is listened to until `rest`. */
  listen(): void
  rest(): void
  stop(): void
}

interface VitalSignsOptions {
  readonly worker: Worker
  readonly port: MessagePort
  readonly ping: () => Promise<unknown>
  /** How long a ping may stay unanswered, in ms. A worker that opens or imports much is busy for seconds. */
  readonly heartbeatMs: number
  readonly lost: (reason: string) => void
}

const TICKS = 20

export function watchVitalSigns(options: VitalSignsOptions): VitalSigns {
  const { worker, port, ping, heartbeatMs, lost } = options
  let timer: ReturnType<typeof setInterval> | undefined
  let unanswered = 0
  let waiting = false

  const tick = (): void => {
    if (waiting) {
      unanswered += 1
      if (unanswered > TICKS) lost(`it did not answer within ${heartbeatMs} ms`)
      return
    }
    waiting = true
    unanswered = 0
    void ping().then(() => (waiting = false))
  }
  const onError = (event: ErrorEvent): void => lost(`an exception was not caught: ${event.message || 'no message'}`)
  const onMessageError = (): void => lost('a message could not be read')
  worker.addEventListener('error', onError)
  worker.addEventListener('messageerror', onMessageError)
  port.addEventListener('messageerror', onMessageError)

  const rest = (): void => {
    clearInterval(timer)
    timer = undefined
    waiting = false
  }
  return {
    listen: () => {
      timer ??= setInterval(tick, heartbeatMs / TICKS)
    },
    rest,
    stop: () => {
      rest()
      worker.removeEventListener('error', onError)
      worker.removeEventListener('messageerror', onMessageError)
      port.removeEventListener('messageerror', onMessageError)
    },
  }
}

/** Waits for the lock that the worker holds while it lives. Returns the way to stop waiting. */
export function watchPulse(lockName: string, lost: (reason: string) => void): () => void {
  const waiting = new AbortController()
  navigator.locks.request(lockName, { signal: waiting.signal }, () => lost('it was terminated')).catch(() => {})
  return () => waiting.abort()
}
