/** `palimpsest demo`: the passport's deadline, first the naive way, then with the ledger. Keeps nothing. */
import { canonicalJson, type JsonValue, type TenantMemory } from '@palimpsest/core'
import { openMemory } from '../open-memory.ts'
import { bad, bold, dim, good, print, table } from './terminal.ts'

const ATTRIBUTE = 'passport_deadline'

interface Told {
  readonly id: string
  readonly at: string
  readonly text: string
  readonly value: string
}

const FIRST: Told = {
  id: 'e1',
  at: '2026-06-01T09:00:00Z',
  text: 'My passport deadline is July 15, the passport office wrote.',
  value: '2026-07-15',
}
const CORRECTION: Told = { id: 'e2', at: '2026-06-03T10:00:00Z', text: 'They moved my deadline to June 30.', value: '2026-06-30' }
const LATE: Told = {
  id: 'e0',
  at: '2026-05-30T08:00:00Z',
  text: 'The old letter said: passport deadline August 1.',
  value: '2026-08-01',
}

export async function demo(): Promise<void> {
  const memory = await openMemory({ ephemeral: true, timeZone: 'UTC' })
  try {
    const mira = memory.tenant('acme', { actor: 'user' })
    print(bold('What was said'))
    print(table([FIRST, CORRECTION, LATE].map(told => [told.id, told.at, told.text])))
    print(dim('  e0 is an old letter: it arrives last, and was true first.'))
    print()

    await tell(mira, FIRST)
    await tell(mira, CORRECTION)
    await mira.record({ id: LATE.id, text: LATE.text, author: 'user', at: LATE.at })
    await naive(mira)

    print(bold('2. The ledger'))
    await show(mira, 'Before the letter arrives', ['2026-06-04T00:00:00Z', '2026-06-02T00:00:00Z', '2026-05-31T00:00:00Z'])
    await state(mira, LATE)
    await show(mira, 'After the letter arrived', ['2026-06-04T00:00:00Z', '2026-06-02T00:00:00Z', '2026-05-31T00:00:00Z'])
    await history(mira)
  } finally {
    await memory.close()
  }
}

async function tell(memory: TenantMemory, told: Told): Promise<void> {
  await memory.record({ id: told.id, text: told.text, author: 'user', at: told.at })
  await state(memory, told)
}

async function state(memory: TenantMemory, told: Told): Promise<void> {
  await memory.assert({ subject: 'mira', attribute: ATTRIBUTE, value: told.value, from: told.id })
}

/** What a text search does: the episode that shares most words with the question wins, whenever it was said. */
async function naive(memory: TenantMemory): Promise<void> {
  const question = 'When is my passport deadline?'
  const asked = words(question)
  const { episodes } = await memory.episodes()
  const ranked = episodes
    .map(episode => ({ episode, score: [...asked].filter(word => words(episode.text).has(word)).length }))
    .toSorted((a, b) => b.score - a.score)
  print(bold('1. The naive way: search the texts'))
  print(`  ${question}`)
  print(table(ranked.map(({ episode, score }, place) => [`${place + 1}.`, `${score} words`, episode.id, episode.text])))
  const best = ranked[0]?.episode.id
  print(
    best === CORRECTION.id
      ? good('  It finds the correction.')
      : bad(`  It answers from ${best}, which is stale: ${CORRECTION.id} replaced it.`),
  )
  print()
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? value : canonicalJson(value)
}

function words(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[a-z0-9]+/gu))
}

async function show(memory: TenantMemory, title: string, instants: readonly string[]): Promise<void> {
  print(`  ${title}`)
  const rows = await Promise.all(
    instants.map(async at => {
      const fact = await memory.get('mira', ATTRIBUTE, { at })
      const source = fact?.sources[0]
      const when = `  at ${at.slice(0, 10)}`
      return fact === undefined
        ? [when, 'nothing is known', '']
        : [when, shown(fact.value), source === undefined ? '' : `${source.episode}: “${source.quote}”`]
    }),
  )
  print(table(rows))
  print()
}

async function history(memory: TenantMemory): Promise<void> {
  const { facts } = await memory.facts({ subject: 'mira', attribute: ATTRIBUTE, history: true })
  print('  History')
  const name = (id: string | null): string => facts.find(fact => fact.id === id)?.sources[0]?.episode ?? '–'
  print(
    table([
      ['  value', 'valid from', 'valid to', 'from', 'supersedes'],
      ...facts.map(fact => [
        `  ${shown(fact.value)}`,
        fact.validFrom,
        fact.validTo ?? 'open',
        fact.sources[0]?.episode ?? '–',
        name(fact.supersedes),
      ]),
    ]),
  )
}
