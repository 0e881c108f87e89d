/** From what a neutral file says to calls of the public API: one at a time, or many in one commit. */
import type {
  AssertInput,
  Asserted,
  Batch,
  EpisodeInput,
  Memory,
  RetractInput,
  TenantMemory,
  WriteOptions,
} from '@palimpsest/core'
import type { EpisodeLine } from './line.ts'
import type { Problems } from './problems.ts'
import type { FactEvent, ReplayEvent } from './replay-file.ts'

/** Events of one window are in flight together; within a tenant they stay in order. */
const WINDOW = 8_000
const BATCH = 500

/** Writes `events` in batches, and tells `wrote` how many a window held. A batch that is refused is written one by one. */
export async function writeInBatches(
  memory: Memory,
  events: readonly ReplayEvent[],
  problems: Problems,
  wrote: (count: number) => void,
): Promise<void> {
  for (let start = 0; start < events.length; start += WINDOW) {
    const window = events.slice(start, start + WINDOW)
    const batches: Promise<void>[] = []
    for (const [tenant, mine] of byTenant(window)) {
      const handle = memory.tenant(tenant)
      for (let first = 0; first < mine.length; first += BATCH)
        batches.push(writeBatch(handle, mine.slice(first, first + BATCH), problems))
    }
    await Promise.all(batches)
    wrote(window.length)
  }
}

async function writeBatch(tenant: TenantMemory, events: readonly ReplayEvent[], problems: Problems): Promise<void> {
  try {
    await tenant.batch(batch => {
      for (const event of events) addTo(batch, event)
    })
  } catch {
    for (const event of events) await writeOne(tenant, event, problems)
  }
}

function addTo(batch: Batch, event: ReplayEvent): void {
  if (event.kind === 'episode') batch.record(episodeInput(event.episode))
  else if (event.fact.op === 'end') batch.retract(retractInput(event.fact))
  else batch.assert(assertInput(event.fact))
}

/** @returns the id that the memory answered; undefined when the write was refused, which is a problem of its line */
export async function writeOne(
  tenant: TenantMemory,
  event: ReplayEvent,
  problems: Problems,
  options?: WriteOptions,
): Promise<string | undefined> {
  try {
    if (event.kind === 'episode') return await tenant.record(episodeInput(event.episode), options)
    const answer: Asserted =
      event.fact.op === 'end'
        ? await tenant.retract(retractInput(event.fact), options)
        : await tenant.assert(assertInput(event.fact), options)
    if (answer.status !== 'accepted') problems.add(lineOf(event), `the statement is held: ${answer.reason ?? 'no reason'}`)
    return answer.id
  } catch (error) {
    problems.add(lineOf(event), `refused: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

export function tenantOf(event: ReplayEvent): string {
  return event.kind === 'episode' ? event.episode.tenant : event.fact.tenant
}

export function lineOf(event: ReplayEvent): number {
  return event.kind === 'episode' ? event.line : event.fact.line
}

function byTenant(events: readonly ReplayEvent[]): Map<string, ReplayEvent[]> {
  const groups = new Map<string, ReplayEvent[]>()
  for (const event of events) {
    const group = groups.get(tenantOf(event))
    if (group === undefined) groups.set(tenantOf(event), [event])
    else group.push(event)
  }
  return groups
}

function episodeInput(episode: EpisodeLine): EpisodeInput {
  const { id, text, at, session, speaker } = episode
  return {
    id,
    text,
    at,
    author: speaker === 'assistant' ? 'assistant' : 'user',
    ...(session == null ? {} : { session }),
    ...(speaker == null ? {} : { speaker }),
  }
}

function assertInput(fact: FactEvent): AssertInput {
  const { subject, attribute, value = null, valid_from: validFrom, valid_to: validUntil, episode: from } = fact
  return { subject, attribute, value, validFrom, from, ...(validUntil == null ? {} : { validUntil }) }
}

function retractInput(fact: FactEvent): RetractInput {
  const { subject, attribute, value, valid_from: validFrom, valid_to: validUntil, episode: from } = fact
  return {
    subject,
    attribute,
    validFrom,
    from,
    // In a file of single values `end` may repeat the value that ends; there is only one to end.
    ...(value == null ? {} : { value }),
    ...(validUntil == null ? {} : { validUntil }),
  }
}
