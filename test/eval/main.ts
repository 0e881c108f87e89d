/**
 * Evaluations: measurements of what the memory gets right, on files that are named or that lie beside the workspace.
 *
 *   npm run eval -- replay FILE.jsonl[.gz] ...
 *
 * Results go to standard output, one JSON object a line; everything for people goes to standard error.
 */
import { UsageError } from './usage.ts'
import { REPLAY_USAGE, replayCommand } from './replay/command.ts'

const USAGE = `usage: npm run eval -- COMMAND ...

${REPLAY_USAGE}`

/** @returns the exit code: 0 as expected, 1 something is wrong, 2 the call was not understood */
async function main(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args
  try {
    // Every evaluation that belongs to a test run.
    if (first === '--ci') return await replayCommand(args)
    if (first === 'replay') return await replayCommand(rest)
    throw new UsageError(first === undefined ? 'no command was given' : `unknown command: ${first}`)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`${error.message}\n\n${USAGE}`)
    return 2
  }
}

process.exitCode = await main(process.argv.slice(2))
