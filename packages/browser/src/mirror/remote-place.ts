/** The side that speaks to a place elsewhere. Every call is settled: by its answer, by its deadline, or by `close`. */
import { MemoryError } from '@palimpsest/core'
import type { MirrorFile, MirrorPlace } from '@palimpsest/core'
import type { PlaceAnswer, PlaceCall, PlaceRequest } from './place-wire.ts'

export interface RemotePlaceOptions {
  /** What kind of place it is at the other end. Default `file`. */
  readonly kind?: MirrorPlace['kind']
  /** How long a call may take, in ms, so that a page that hangs or is gone never holds up a commit. Default 10,000. */
  readonly deadlineMs?: number
}

/**
 * The place that `servePlace` serves at the other end of `port`.
 *
 * A call that passes its deadline is refused with `details.reason: 'timeout'`: NOT_STORED where it writes, and it may be done
 * later all the same, STORE_UNAVAILABLE where it reads. `close` of the place or of a file only stops waiting then.
 */
export function remotePlace(port: MessagePort, options: RemotePlaceOptions = {}): MirrorPlace {
  return new RemotePlace(port, options.kind ?? 'file', options.deadlineMs ?? 10_000)
}

interface Pending {
  answered(answer: PlaceAnswer): void
  refuse(reason: string): void
}

class RemotePlace implements MirrorPlace {
  readonly kind: MirrorPlace['kind']
  readonly #port: MessagePort
  readonly #deadlineMs: number
  readonly #pending = new Map<number, Pending>()
  #lastId = 0
  #closing: Promise<void> | undefined

  constructor(port: MessagePort, kind: MirrorPlace['kind'], deadlineMs: number) {
    this.#port = port
    this.kind = kind
    this.#deadlineMs = deadlineMs
    port.addEventListener('message', (event: MessageEvent<PlaceAnswer>) => {
      const pending = this.#pending.get(event.data.id)
      this.#pending.delete(event.data.id)
      pending?.answered(event.data)
    })
    port.start()
  }

  list(): Promise<readonly string[]> {
    return this.#ask({ call: 'list' }, unread)
  }

  read(name: string): Promise<Uint8Array | undefined> {
    return this.#ask({ call: 'read', name }, unread)
  }

  async create(name: string): Promise<MirrorFile> {
    // Made after its deadline, a file would be held by nobody who knows of it.
    const letGo = (value: unknown): void => void this.#post({ call: 'closeFile', file: value as number })
    const file = await this.#ask<number>({ call: 'create', name }, unwritten, letGo)
    let closing: Promise<void> | undefined
    return {
      append: (bytes, { flush = false } = {}) => {
        if (closing) return Promise.reject(unwritten('closed'))
        return this.#ask({ call: 'append', file, bytes: ownBytes(bytes), flush }, unwritten)
      },
      close: () => (closing ??= this.#end({ call: 'closeFile', file })),
    }
  }

  remove(name: string, sizeBytes?: number): Promise<boolean> {
    return this.#ask({ call: 'remove', name, sizeBytes }, unread)
  }

  close(): Promise<void> {
    this.#closing ??= this.#end({ call: 'close' }).finally(() => {
      this.#port.close()
      for (const { refuse } of this.#pending.values()) refuse('closed')
    })
    return this.#closing
  }

  /** Lets go, or stops waiting for it: whoever does not answer is gone, and holds nothing for us. */
  async #end(call: PlaceCall): Promise<void> {
    await this.#ask(call, unwritten).catch((error: unknown) => {
      if (!(MemoryError.is(error) && isNoAnswer(error.details.reason))) throw error
    })
  }

  #ask<T>(call: PlaceCall, refused: (reason: string) => MemoryError, late?: (value: unknown) => void): Promise<T> {
    if (this.#closing) return Promise.reject(refused('closed'))
    return new Promise<T>((resolve, reject) => {
      const id = this.#post(call)
      const deadline = setTimeout(() => {
        if (late) this.#pending.set(id, { answered: answer => answer.ok && late(answer.value), refuse: () => {} })
        else this.#pending.delete(id)
        reject(refused('timeout'))
      }, this.#deadlineMs)
      this.#pending.set(id, {
        answered: answer => {
          clearTimeout(deadline)
          if (answer.ok) resolve(answer.value as T)
          else reject(MemoryError.fromEnvelope(answer.error))
        },
        refuse: reason => {
          clearTimeout(deadline)
          reject(refused(reason))
        },
      })
    })
  }

  #post(call: PlaceCall): number {
    const id = ++this.#lastId
    this.#port.postMessage({ ...call, id } satisfies PlaceRequest)
    return id
  }
}

/** A view is copied: structured clone would send the whole buffer behind it. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice()
}

const NO_ANSWER: Readonly<Record<string, string>> = { timeout: 'it did not answer in time', closed: 'it was closed' }

function isNoAnswer(reason: unknown): boolean {
  return typeof reason === 'string' && reason in NO_ANSWER
}

function unwritten(reason: string): MemoryError {
  return new MemoryError('NOT_STORED', `The mirror was not written: ${NO_ANSWER[reason]}`, { reason })
}

function unread(reason: string): MemoryError {
  return new MemoryError('STORE_UNAVAILABLE', `The mirror cannot be read: ${NO_ANSWER[reason]}`, { reason })
}
