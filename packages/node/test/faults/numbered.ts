/**
 * Commits that can be told apart: commit n is an episode `e<n>` and a statement `a<n>` that rests on it, both or neither.
 * So what a memory holds is a set of numbers, and which commits are there needs no ledger to be worked out.
 */
import {
  createClient,
  localTransport,
  openService,
  type Episode,
  type Fact,
  type Health,
  type Journal,
  type Memory,
} from '@palimpsest/core'
import { expect } from 'vitest'
import type { Disk } from '../../src/journal/disk.ts'
import { openJournalOn } from '../../src/journal/open-directory.ts'

/** Where disks in memory keep their files. */
export const DIRECTORY = '/in/memory'

/** A memory on a disk, as `openMemory` makes it on the real one. */
export async function openOn(disk: Disk, directory: string = DIRECTORY): Promise<Memory> {
  return openJournal(await openJournalOn(disk, directory, {}))
}

export async function openJournal(journal: Journal): Promise<Memory> {
  try {
    return createClient(localTransport(await openService({ journal })))
  } catch (error) {
    await journal.close()
    throw error
  }
}

/** @param padding makes it larger */
export async function commit(memory: Memory, n: number, padding = ''): Promise<void> {
  await commitAsOne(memory, [n], padding)
}

/** What several commits would bring, in one: all of the numbers or none. @param padding makes each larger */
export async function commitAsOne(memory: Memory, numbers: readonly number[], padding = ''): Promise<void> {
  await memory.tenant('acme').batch(batch => {
    for (const n of numbers) {
      batch.record({ id: `e${n}`, text: `text ${n}${padding}`, author: 'user', at: '2026-01-01T00:00:00Z' })
      batch.assert({ id: `a${n}`, subject: `s${n}`, attribute: 'x', value: n, from: `e${n}` })
    }
  })
}

/** The numbers of the commits that are there, ascending. Fails where one is there in part, or twice. */
export async function numbersIn(memory: Memory): Promise<number[]> {
  const mine = memory.tenant('acme')
  const facts: Fact[] = []
  for (let after: string | undefined; ;) {
    const page = await mine.facts({ limit: 1000, at: '2026-06-01', ...(after === undefined ? {} : { after }) })
    facts.push(...page.facts)
    if (page.next === null) break
    after = page.next
  }
  const episodes: Episode[] = []
  for (let after: string | undefined; ;) {
    const page = await mine.episodes({ limit: 1000, ...(after === undefined ? {} : { after }) })
    episodes.push(...page.episodes)
    if (page.next === null) break
    after = page.next
  }
  const stated = facts.map(fact => fact.value as number).toSorted((a, b) => a - b)
  const told = episodes.map(({ id }) => Number(id.slice(1))).toSorted((a, b) => a - b)
  expect(told, 'episodes and facts of the same commits').toEqual(stated)
  expect(new Set(told).size, 'each once').toBe(told.length)
  for (const { value, sources } of facts)
    expect(sources.map(({ quote }) => quote?.split('.')[0])).toEqual([`text ${String(value)}`])
  return stated
}

export async function expectIntact(memory: Memory): Promise<void> {
  expect(await memory.query('select * from pragma_integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(await memory.query('select * from pragma_foreign_key_check')).toEqual([])
}

export async function quarantineOf(memory: Memory): Promise<Health['quarantine']> {
  return (await memory.health()).quarantine
}

export function upTo(last: number, without: readonly number[] = []): number[] {
  return Array.from({ length: last }, (_, i) => i + 1).filter(n => !without.includes(n))
}
