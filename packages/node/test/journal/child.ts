/** Other processes, for what only another process can show. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export class Child {
  readonly process: ChildProcessWithoutNullStreams
  readonly lines: string[] = []
  /** What it complained about, for the report of a failing test. */
  stderr: string = ''
  #heard: (() => void) | undefined
  #ended = false

  constructor(script: string, args: readonly string[]) {
    const fileOf = (name: string): URL => new URL(`../children/${name}`, import.meta.url)
    const loaders = ['--import', 'tsx', '--import', fileOf('light-core.mjs').href]
    this.process = spawn(process.execPath, [...loaders, fileURLToPath(fileOf(script)), ...args])
    this.process.stderr.on('data', (data: Buffer) => (this.stderr += data.toString()))
    const reader = createInterface({ input: this.process.stdout })
    reader.on('line', line => {
      this.lines.push(line)
      this.#heard?.()
    })
    reader.on('close', () => {
      this.#ended = true
      this.#heard?.()
    })
    onTestFinished(() => this.kill())
  }

  get pid(): number {
    return this.process.pid ?? 0
  }

  /** Waits until there are `count` lines; returns the last of them. */
  async line(count: number): Promise<string> {
    while (this.lines.length < count) {
      if (this.#ended) throw new Error(`The process ended after ${this.lines.length} lines: ${this.stderr}`)
      await new Promise<void>(resolve => (this.#heard = resolve))
    }
    return this.lines[count - 1] ?? ''
  }

  /** Sends a line and returns the next one that comes back. */
  async ask(request: string): Promise<string> {
    const next = this.lines.length + 1
    this.process.stdin.write(`${request}\n`)
    return this.line(next)
  }

  /** SIGKILL. Settles when the process is gone and everything that it printed has been read. */
  async kill(): Promise<void> {
    const isRunning = this.process.exitCode === null && this.process.signalCode === null
    if (!isRunning) return
    const gone = once(this.process, 'close')
    this.process.kill('SIGKILL')
    await gone
  }
}
