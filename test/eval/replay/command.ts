/** `replay`: every file in every mode, one JSON line each. */
import { basename } from 'node:path'
import { ciCommand } from './ci.ts'
import { MODE_NAMES } from './modes.ts'
import { replayOptions, type ReplayOptions } from './options.ts'
import { Problems } from './problems.ts'
import type { Verdict } from './questions.ts'
import { replay } from './replay.ts'
import { readReplayFile, type ReplayFile } from './replay-file.ts'
import { openTerminal, type Terminal } from './terminal.ts'

export const REPLAY_USAGE = `  replay FILE.jsonl[.gz] ...   feed the facts of neutral files, and ask their questions
    --modes a,b                of ${MODE_NAMES.join(', ')} (default: all)
    --misses                   list the answers that were not exact, or not from the evidence
    --ci                       instead of files: those of SHARED_DIR/eval, in fewer modes, each one a test

  Exit code 1: an answer was not exact, a line was malformed, a write refused, or a check of the ledger failed.`

/** @returns the exit code */
export async function replayCommand(args: readonly string[]): Promise<number> {
  const options = replayOptions(args)
  const terminal = openTerminal()
  if (options.ci) return ciCommand(terminal)
  let good = true
  for (const path of options.files) if (!(await replayPath(path, options, terminal))) good = false
  return good ? 0 : 1
}

async function replayPath(path: string, options: ReplayOptions, terminal: Terminal): Promise<boolean> {
  const file = await read(path, terminal)
  if (file === undefined) return false
  let good = file.malformed === 0
  for (const mode of options.modes) {
    const { line, problems, misses } = await replay(path, file, mode, terminal)
    console.log(JSON.stringify(line))
    if (options.misses) for (const miss of misses) terminal.note(describe(miss, line.file, mode))
    if (problems > 0) terminal.note(`${line.file} ${mode}: ${problems} problems`)
    if (problems > 0 || (line.exact !== null && line.exact < 1)) good = false
  }
  if (file.malformed > 0) terminal.note(`${basename(path)}: ${file.malformed} malformed lines`)
  return good
}

async function read(path: string, terminal: Terminal): Promise<ReplayFile | undefined> {
  const malformed = new Problems(terminal, path, Infinity)
  try {
    const file = await readReplayFile(path, (line, reason) => malformed.add(line, reason))
    terminal.note(
      `${basename(path)}: ${file.facts.length} facts, ${file.questions.length} questions, ${file.tenants.length} tenants`,
    )
    return file
  } catch (error) {
    malformed.add(undefined, `cannot be read: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

function describe({ question, exact, wanted, got }: Verdict, file: string, mode: string): string {
  const { line, id, tenant, subject, attribute, as_of: at, evidence } = question
  const asked = `${tenant} ${subject} ${attribute} at ${at}`
  const what = exact ? `${got} is not from ${evidence.join(' ')}` : `${wanted} was wanted, ${got} came`
  return `${file} ${mode}:${line}: miss ${id} (${asked}): ${what}`
}
