/**
 * The replays of a test run: real files that lie beside the workspace, each in one mode in a process of its own, two at a
 * time. Every one is a test; the last line counts them.
 */
import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ModeName } from './modes.ts'
import type { ReplayLine } from './replay.ts'
import type { Terminal } from './terminal.ts'

interface CiFile {
  readonly name: string
  readonly modes: readonly ModeName[]
  /** Least share of answers whose source is in the evidence; below 1 where the evidence names one of several equal sources. */
  readonly provenance: number
}

/** Longest first, so that two processes end at about the same time. Every mode is there on some file. */
const FILES: readonly CiFile[] = [
  { name: 'babi.jsonl.gz', modes: ['shuffle-1'], provenance: 0.93 },
  { name: 'tkg-wikidata.jsonl.gz', modes: ['shuffle-2'], provenance: 1 },
  { name: 'sgd-dev-chain10.jsonl.gz', modes: ['in-order'], provenance: 1 },
  { name: 'multiwoz21-val.jsonl.gz', modes: ['duplicate', 'file'], provenance: 1 },
  { name: 'sgd-dev-shared.jsonl.gz', modes: ['reopen'], provenance: 1 },
  { name: 'propara.jsonl.gz', modes: ['in-order', 'shuffle-3', 'file'], provenance: 1 },
]

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

/** @returns the exit code */
export async function ciCommand(terminal: Terminal): Promise<number> {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const folder = join(resolve(root, process.env['SHARED_DIR'] || '../shared'), 'eval')
  if (!existsSync(folder)) {
    console.log('LEFT OUT: the replays of real data: there is no folder eval in SHARED_DIR (by default ../shared)')
    return 0
  }
  const queue = FILES.flatMap(file => file.modes.map(mode => ({ file, mode })))
  let [passed, failed] = [0, 0]
  const work = async (): Promise<void> => {
    for (let test = queue.shift(); test !== undefined; test = queue.shift()) {
      const reason = await runOne(join(folder, test.file.name), test.mode, test.file.provenance, terminal)
      if (reason === undefined) passed++
      else {
        failed++
        terminal.note(`FAILED: ${test.file.name} ${test.mode}: ${reason}`)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work))
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

/** @returns why it failed; undefined when it passed */
async function runOne(path: string, mode: ModeName, provenance: number, terminal: Terminal): Promise<string | undefined> {
  const child = fork(MAIN, ['replay', path, '--modes', mode], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let line: ReplayLine | undefined
  if (child.stdout)
    createInterface(child.stdout).on('line', text => {
      console.log(text)
      line = JSON.parse(text) as ReplayLine
    })
  if (child.stderr) createInterface(child.stderr).on('line', text => terminal.note(text))
  const code = await new Promise<number | null>((settle, fail) => {
    child.on('error', fail)
    child.on('close', settle)
  })
  if (code !== 0) return `exit code ${code}`
  if (line === undefined) return 'it printed no result'
  if (line.exact !== 1) return `exact is ${line.exact}`
  if (line.provenance !== null && line.provenance < provenance) return `provenance is ${line.provenance}, less than ${provenance}`
  return undefined
}
