/** What `npm run bench` was asked to do. */
import { parseArgs } from 'node:util'

export const USAGE = `usage: npm run bench -- [--full] [--rounds N] [--only browser|node]
       npm run bench -- --endurance [--commits N]

  --full       stores of up to 100,000 facts in the page and 200,000 under Node, instead of 20,000
  --rounds N   rounds in which everything has its turn (default 30)
  --only       one of both parts
  --endurance  instead: one store written to for a long time
  --commits N  so often (default 100,000)`

export interface BenchOptions {
  readonly full: boolean
  readonly rounds: number
  readonly only: 'browser' | 'node' | undefined
  /** Commits of a run that only looks at endurance. */
  readonly endurance: number | undefined
}

/** @returns undefined when it was not understood */
export function benchOptions(args: readonly string[]): BenchOptions | undefined {
  try {
    const options = {
      full: { type: 'boolean' },
      rounds: { type: 'string' },
      only: { type: 'string' },
      endurance: { type: 'boolean' },
      commits: { type: 'string' },
    } as const
    const { values } = parseArgs({ args: [...args], options })
    const rounds = Number(values.rounds ?? 30)
    const { only, full = false } = values
    if (!Number.isSafeInteger(rounds) || rounds < 1) return undefined
    if (only !== undefined && only !== 'browser' && only !== 'node') return undefined
    const commits = Number(values.commits ?? 100_000)
    if (!Number.isSafeInteger(commits) || commits < 1) return undefined
    return { full, rounds, only, endurance: values.endurance === true ? commits : undefined }
  } catch {
    return undefined
  }
}
