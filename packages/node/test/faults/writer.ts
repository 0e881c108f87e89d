/** Another process that writes: `children/commit-loop.ts`, with the whole core (the children of `journal/` load only a part). */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../children/commit-loop.ts', import.meta.url))

export class Writer {
  readonly #process: ChildProcessWithoutNullStreams
  readonly #lines: string[] = []
  #stderr = ''
  #heard: (() => void) | undefined
  #hasEnded = false

  /** Numbers its commits from `first` on. */
  constructor(directory: string, first: number) {
    this.#process = spawn(process.execPath, ['--import', 'tsx', SCRIPT, directory, String(first)])
    this.#process.stderr.on('data', (data: Buffer) => (this.#stderr += data.toString()))
    const reader = createInterface({ input: this.#process.stdout })
    reader.on('line', line => {
      this.#lines.push(line)
      this.#heard?.()
    })
    reader.on('close', () => {
      this.#hasEnded = true
      this.#heard?.()
    })
    onTestFinished(() => this.kill())
  }

  get pid(): number {
    return this.#process.pid ?? 0
  }

  /** The numbers whose commits it was told are stored. */
  get acknowledged(): readonly number[] {
    return this.#lines.filter(line => /^\d+$/.test(line)).map(Number)
  }

  /** It has loaded, and opens nothing yet. */
  async ready(): Promise<void> {
    await this.#line(1)
  }

  /** Opens the memory; `open`, or the code of the refusal. */
  async open(): Promise<string> {
    this.#process.stdin.write('open\n')
    return this.#line(2)
  }

  /** Waits until so many commits are acknowledged. */
  async acknowledges(count: number): Promise<void> {
    await this.#line(2 + count)
  }

  /** Closes the memory, and ends. */
  async close(): Promise<void> {
    this.#process.stdin.write('close\n')
    while (!this.#lines.includes('closed')) await this.#line(this.#lines.length + 1)
  }

  /** SIGKILL. Settles when the process is gone and everything that it printed has been read. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const gone = once(this.#process, 'close')
    this.#process.kill('SIGKILL')
    await gone
  }

  async #line(count: number): Promise<string> {
    while (this.#lines.length < count) {
      if (this.#hasEnded) throw new Error(`The process ended after ${this.#lines.length} lines: ${this.#stderr}`)
      await new Promise<void>(resolve => (this.#heard = resolve))
    }
    return this.#lines[count - 1] ?? ''
  }
}
