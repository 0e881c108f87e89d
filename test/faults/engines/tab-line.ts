/** The harness's end of the line to one page. */
import type { WebSocket } from 'ws'
import type { FromPage, TabCalls, ToPage } from './tab-protocol.ts'

/** For what hangs: nothing is judged by how long it takes. */
const LIMIT_MS = 60_000

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

export class TabLine {
  /** Settles when the page is gone, and everything that it sent has been heard. */
  readonly gone: Promise<void>
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, Waiting>()
  #calls = 0

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('error', () => {})
    this.gone = new Promise(resolve => {
      socket.once('close', () => {
        for (const { reject } of this.#waiting.values()) reject(new Error('The page is gone'))
        this.#waiting.clear()
        resolve()
      })
    })
  }

  get open(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  /** Asks the page. @throws what the page said, or that it is gone */
  async ask<M extends keyof TabCalls>(method: M, ...args: Parameters<TabCalls[M]>): Promise<ReturnType<TabCalls[M]>> {
    if (!this.open) throw new Error('The page is gone')
    this.#calls += 1
    const call = this.#calls
    const timer = setTimeout(
      () => this.answered({ answer: call, error: `The page did not answer ${method} within ${LIMIT_MS} ms` }),
      LIMIT_MS,
    )
    try {
      const answer = new Promise((resolve, reject) => this.#waiting.set(call, { resolve, reject }))
      this.#socket.send(JSON.stringify({ call, method, args } satisfies ToPage))
      return (await answer) as ReturnType<TabCalls[M]>
    } finally {
      clearTimeout(timer)
    }
  }

  answered({ answer, value, error }: Extract<FromPage, { answer: number }>): void {
    const waiting = this.#waiting.get(answer)
    this.#waiting.delete(answer)
    if (error === undefined) waiting?.resolve(value)
    else waiting?.reject(new Error(error))
  }
}
