/** A mutation: one rule of durability, broken by one small change of the source. */

export interface Mutation {
  readonly name: string
  /** What holds no longer. */
  readonly breaks: string
  /** Relative to the root. */
  readonly file: string
  /** Stands exactly once in the file, or the mutation is stale. */
  readonly find: string
  readonly replace: string
  /** Each of these must turn red. */
  readonly caughtBy: readonly Catcher[]
}

/** Tests of one file. */
export interface Catcher {
  readonly project: 'unit' | 'chromium'
  /** Relative to the root. */
  readonly file: string
  /** Part of the names of the tests, each with those of its groups before it and a space between; at best of one test. */
  readonly test: string
}

/** Makes catchers of the tests of one file. */
export function testsOf(project: Catcher['project'], file: string): (test: string) => Catcher {
  return test => ({ project, file, test })
}
