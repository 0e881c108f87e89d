/** One way of finding what holds in a slot at an instant. */
export interface Question {
  readonly tenant: string
  readonly subject: string
  readonly attribute: string
  readonly at: string
  readonly atSecond: number
}

export interface Lookup {
  readonly name: string
  /** @returns the value that holds */
  readonly find: (question: Question) => string | undefined | Promise<string | undefined>
  readonly close: () => void | Promise<void>
}
