/** One file in one mode: written, asked, judged. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Memory } from '@palimpsest/core'
import { ExpectedLedger } from './expected-ledger.ts'
import { checkLedger } from './ledger-check.ts'
import { MODES, type ModeName } from './modes.ts'
import { Problems } from './problems.ts'
import { ask, type Verdict } from './questions.ts'
import type { ReplayFile } from './replay-file.ts'
import { schemaOf } from './schema.ts'
import type { Terminal } from './terminal.ts'

/** What is printed of a run; shares are null where nothing was asked. */
export interface ReplayLine {
  readonly file: string
  readonly mode: ModeName
  readonly facts: number
  readonly questions: number
  readonly exact: number | null
  readonly provenance: number | null
  readonly ms: number
}

export interface ReplayResult {
  readonly line: ReplayLine
  /** Writes refused and ledger checks that failed. */
  readonly problems: number
  /** Answers that were not exact, or not from the evidence. */
  readonly misses: readonly Verdict[]
}

export async function replay(path: string, file: ReplayFile, mode: ModeName, terminal: Terminal): Promise<ReplayResult> {
  const name = basename(path)
  const problems = new Problems(terminal, `${name} ${mode}`)
  const started = performance.now()
  const misses: Verdict[] = []
  let [asked, exact, cited, supported, written] = [0, 0, 0, 0, 0]
  await withMemories(async (directory, opened) => {
    const expected = new ExpectedLedger(file.many)
    const progress = (text: string): void => terminal.progress(`${name} ${mode}: ${text}`)
    const wrote = (events: number): void => {
      written += events
      progress(`${written} of ${file.events.length} written`)
    }
    const schema = schemaOf(file.facts, file.many)
    const memory = await MODES[mode]({ file, schema, expected, problems, directory, wrote, progress, opened })
    await checkLedger(memory, file, expected, problems, progress)
    for await (const verdicts of ask(memory, file.questions)) {
      for (const verdict of verdicts) {
        asked++
        if (verdict.exact) exact++
        if (verdict.supported !== null) cited++
        if (verdict.supported === true) supported++
        if (!verdict.exact || verdict.supported === false) misses.push(verdict)
      }
      progress(`${asked} of ${file.questions.length} asked`)
    }
  })
  const line = {
    file: name,
    mode,
    facts: file.facts.length,
    questions: asked,
    exact: share(exact, asked),
    provenance: share(supported, cited),
    ms: Math.round(performance.now() - started),
  }
  return { line, problems: problems.count, misses }
}

/** A share of nothing is null, never perfect. */
function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

/** Lends a directory, and closes what was opened, whatever happens. */
async function withMemories(body: (directory: string, opened: (memory: Memory) => void) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'palimpsest-replay-'))
  const memories = new Set<Memory>()
  try {
    await body(join(directory, 'store'), memory => memories.add(memory))
  } finally {
    for (const memory of memories) await memory.close()
    await rm(directory, { recursive: true, force: true })
  }
}
