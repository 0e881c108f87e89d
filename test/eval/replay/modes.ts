/**
 * The ways in which the facts of a file reach a memory. Whatever the way, the answers must be the same.
 *
 * | mode          | how                                                                    | store               |
 * |---------------|------------------------------------------------------------------------|---------------------|
 * | `in-order`    | one call a fact; the ledger is checked after every one                 | directory, relaxed  |
 * | `shuffle-1…3` | episodes first, then the facts in a seeded random order, in batches    | ephemeral           |
 * | `duplicate`   | every call made twice, the second time half under the same key         | ephemeral           |
 * | `reopen`      | in batches; closed and opened in the middle, and before it is asked    | directory, relaxed  |
 * | `file`        | in batches; every tenant exported, and imported into an empty memory   | ephemeral, both     |
 *
 * Relaxed: what is measured here is what comes out, and waiting for the disk after each of 60,000 calls would measure that.
 */
import type { Memory, Schema } from '@palimpsest/core'
import { exportFile, importFile } from '@palimpsest/file'
import { openMemory } from '@palimpsest/node'
import type { ExpectedLedger } from './expected-ledger.ts'
import { checkSlot } from './ledger-check.ts'
import type { Problems } from './problems.ts'
import { fractionsFrom, randomFrom, shuffled } from '../../support/random.ts'
import type { ReplayEvent, ReplayFile } from './replay-file.ts'
import { lineOf, tenantOf, writeInBatches, writeOne } from './write.ts'

export interface Run {
  readonly file: ReplayFile
  readonly schema: Schema
  /** Is told every fact that reaches the memory. */
  readonly expected: ExpectedLedger
  readonly problems: Problems
  /** An empty directory of this run. */
  readonly directory: string
  /** Hears how many further events were written. */
  readonly wrote: (events: number) => void
  /** Hears of what takes long besides. */
  readonly progress: (text: string) => void
  /** Every memory that is opened; the run closes them when it is over. */
  readonly opened: (memory: Memory) => void
}

export const MODES = {
  'in-order': inOrder,
  'shuffle-1': run => inBatches(run, shuffledFacts(run.file, 1)),
  'shuffle-2': run => inBatches(run, shuffledFacts(run.file, 2)),
  'shuffle-3': run => inBatches(run, shuffledFacts(run.file, 3)),
  duplicate,
  reopen,
  file: throughFile,
} as const satisfies Record<string, (run: Run) => Promise<Memory>>

export type ModeName = keyof typeof MODES

export const MODE_NAMES: readonly ModeName[] = Object.keys(MODES) as ModeName[]

async function inOrder(run: Run): Promise<Memory> {
  const { file, expected, problems } = run
  const memory = await openDirectory(run)
  let episodes: Promise<unknown>[] = []
  for (const event of file.events) {
    const tenant = memory.tenant(tenantOf(event))
    const write = writeOne(tenant, event, problems)
    if (event.kind === 'episode') episodes.push(write)
    else {
      expected.tell(event.fact)
      await Promise.all([...episodes, write])
      episodes = []
      await checkSlot(tenant, event.fact, file, expected, problems)
    }
    run.wrote(1)
  }
  await Promise.all(episodes)
  return memory
}

function shuffledFacts(file: ReplayFile, seed: number): ReplayEvent[] {
  const episodes = file.events.filter(event => event.kind === 'episode')
  const facts = file.events.filter(event => event.kind === 'fact')
  return [...episodes, ...shuffled(facts, randomFrom(seed))]
}

async function inBatches(run: Run, events: readonly ReplayEvent[]): Promise<Memory> {
  const memory = await openEphemeral(run)
  await feed(run, memory, events)
  return memory
}

async function feed(run: Run, memory: Memory, events: readonly ReplayEvent[]): Promise<void> {
  for (const event of events) if (event.kind === 'fact') run.expected.tell(event.fact)
  await writeInBatches(memory, events, run.problems, run.wrote)
}

/** Calls in flight together; the second delivery of a call comes after the whole window, in another order. */
const DUPLICATE_WINDOW = 256

async function duplicate(run: Run): Promise<Memory> {
  const { file, expected, problems } = run
  const memory = await openEphemeral(run)
  const random = fractionsFrom(7)
  const answers = new Map<ReplayEvent, string | undefined>()
  const deliver = async (event: ReplayEvent, key: string | undefined): Promise<void> => {
    const again = answers.has(event)
    // Under a key that was used the call is not made again, so nothing further is said.
    if (event.kind === 'fact' && !(again && key !== undefined)) expected.tell(event.fact)
    const id = await writeOne(memory.tenant(tenantOf(event)), event, problems, key === undefined ? {} : { key })
    if (again && key !== undefined && id !== answers.get(event))
      problems.add(lineOf(event), 'key: the same call answered another id')
    if (!again) answers.set(event, id)
  }
  for (let start = 0; start < file.events.length; start += DUPLICATE_WINDOW) {
    const window = file.events.slice(start, start + DUPLICATE_WINDOW)
    const keyOf = (event: ReplayEvent): string => `${event.kind} of line ${lineOf(event)}`
    await Promise.all(window.map(event => deliver(event, keyOf(event))))
    await Promise.all(shuffled(window, randomFrom(start)).map(event => deliver(event, random() < 0.5 ? keyOf(event) : undefined)))
    run.wrote(window.length)
  }
  return memory
}

async function reopen(run: Run): Promise<Memory> {
  const { events } = run.file
  const middle = Math.floor(events.length / 2)
  for (const half of [events.slice(0, middle), events.slice(middle)]) {
    const memory = await openDirectory(run)
    await feed(run, memory, half)
    await memory.close()
  }
  return openDirectory(run)
}

async function throughFile(run: Run): Promise<Memory> {
  const memory = await inBatches(run, run.file.events)
  const copy = await openEphemeral(run)
  for (const [done, tenant] of run.file.tenants.entries()) {
    run.progress(`${done} of ${run.file.tenants.length} tenants through a file`)
    const incoming = await importFile(copy.tenant(tenant), exportFile(memory.tenant(tenant)), { own: true })
    await incoming.apply()
  }
  await memory.close()
  return copy
}

async function openDirectory(run: Run): Promise<Memory> {
  const memory = await openMemory({ directory: run.directory, schema: run.schema, relaxed: true })
  run.opened(memory)
  return memory
}

async function openEphemeral(run: Run): Promise<Memory> {
  const memory = await openMemory({ ephemeral: true, schema: run.schema })
  run.opened(memory)
  return memory
}
