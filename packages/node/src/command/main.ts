/** The `palimpsest` command. */
import { MemoryError } from '@palimpsest/core'
import { demo } from './demo.ts'
import { transferIn, transferOut } from './transfer.ts'

const USAGE = `palimpsest: a memory that keeps time

  palimpsest demo                                   the passport's deadline, the naive way and with the ledger
  palimpsest export DIRECTORY TENANT FILE           write a tenant's memory file (*.sgam.jsonl)
  palimpsest import DIRECTORY TENANT FILE           read an own memory file into a tenant
`

/** @returns the exit code: 0 done, 1 failed, 2 called wrongly */
export async function main(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args
  // A reader that has seen enough (head, less) is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  try {
    if (command === 'demo' && rest.length === 0) await demo()
    else if (command === 'export' && rest.length === 3) await transferOut(rest as [string, string, string])
    else if (command === 'import' && rest.length === 3) await transferIn(rest as [string, string, string])
    else if (command === undefined || command === 'help' || command === '--help') process.stdout.write(USAGE)
    else {
      process.stderr.write(USAGE)
      return 2
    }
    return 0
  } catch (error) {
    if (!MemoryError.is(error)) {
      // What the file system says (ENOENT, EACCES) tells the person enough; anything else is a fault of ours.
      if (!(error instanceof Error) || !('syscall' in error)) throw error
      process.stderr.write(`${error.message}\n`)
      return 1
    }
    process.stderr.write(`${error.code}: ${error.message}\n${error.todo}\n`)
    return 1
  }
}
