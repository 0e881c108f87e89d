/** What went wrong in one run of one file: every one is counted, and told as far as a person would read. */
import type { Terminal } from './terminal.ts'

export class Problems {
  readonly #terminal: Terminal
  readonly #where: string
  readonly #told: number
  #count = 0

  /**
   * @param where begins every line: the file, and the mode where there is one
   * @param told how many are told; those after them are counted only
   */
  constructor(terminal: Terminal, where: string, told = 20) {
    this.#terminal = terminal
    this.#where = where
    this.#told = told
  }

  get count(): number {
    return this.#count
  }

  /** @param line of the file; undefined where no line is to blame */
  add(line: number | undefined, reason: string): void {
    this.#count++
    if (this.#count > this.#told) return
    this.#terminal.note(`${this.#where}${line === undefined ? '' : `:${line}`}: ${reason}`)
    if (this.#count === this.#told) this.#terminal.note(`${this.#where}: further problems are counted only`)
  }
}
