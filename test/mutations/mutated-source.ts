/** Gives one file of the source out in its mutated form, to Node and to the browser, while everything else is as it is. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import type { Mutation } from './mutation.ts'

export class MutatedSource {
  readonly #root: string
  #mutation: Mutation | undefined
  #wasRead = false

  constructor(root: string) {
    this.#root = root
  }

  set(mutation: Mutation): void {
    this.#mutation = mutation
    this.#wasRead = false
  }

  unset(): void {
    this.#mutation = undefined
  }

  /** Whether anybody has asked for the mutated file since it was set. */
  get wasRead(): boolean {
    return this.#wasRead
  }

  pathOf({ file }: Mutation): string {
    return join(this.#root, file)
  }

  /** How often the text to be replaced stands in the file as it is now. */
  occurrences(mutation: Mutation): number {
    return readFileSync(this.pathOf(mutation), 'utf8').split(mutation.find).length - 1
  }

  plugin(): Plugin {
    return {
      name: 'mutated-source',
      enforce: 'pre',
      transform: (code, id) => {
        const mutation = this.#mutation
        if (mutation === undefined || id.split('?', 1)[0] !== this.pathOf(mutation)) return undefined
        this.#wasRead = true
        // By a function: a dollar sign in the replacement is one.
        return { code: code.replace(mutation.find, () => mutation.replace), map: null }
      },
    }
  }
}
