/** The `palimpsest` command: demo, export, import, and what it says when it cannot. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ERROR_CODES, type TenantMemory } from '@palimpsest/core'
import { openMemory } from '../../src/index.ts'
import { filesIn, scratch } from '../journal/scratch.ts'
import { palimpsest } from './palimpsest.ts'

async function within<T>(directory: string, run: (mine: TenantMemory) => Promise<T>): Promise<T> {
  const memory = await openMemory({ directory })
  try {
    return await run(memory.tenant('acme', { actor: 'user' }))
  } finally {
    await memory.close()
  }
}

async function filled(): Promise<string> {
  const directory = scratch()
  await within(directory, async mine => {
    await mine.record({ id: 'e1', text: 'I live in Oslo 😀', author: 'user' })
    await mine.assert({ subject: 'mira', attribute: 'city', value: 'Oslo', from: 'e1' })
    await mine.record({ id: 'gone', text: 'my pin is 4711', author: 'user' })
    await (await mine.forget({ episode: 'gone' })).apply()
  })
  return directory
}

/** The line that begins with this, below the heading. */
function lineOf(text: string, heading: string, start: string): string {
  const lines = text.slice(text.indexOf(heading)).split('\n')
  return lines.find(line => line.trim().startsWith(start)) ?? ''
}

test('demo: the naive way names the stale episode, the ledger has the three dates right', async () => {
  const { code, out, err } = await palimpsest('demo')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out.indexOf('naive')).toBeLessThan(out.indexOf('The ledger'))
  expect(lineOf(out, '1. The naive way', '1.  ')).toContain('e1')
  expect(lineOf(out, '1. The naive way', 'It answers')).toMatch(/from e1.*stale/u)
  const rows = (heading: string): string[] =>
    ['at 2026-06-04', 'at 2026-06-02', 'at 2026-05-31'].map(at => lineOf(out, heading, at))
  const [now, june2, may31] = rows('Before the letter')
  expect(now).toMatch(/2026-06-30 .*e2/u)
  expect(june2).toMatch(/2026-07-15 .*e1/u)
  expect(may31).toContain('nothing is known')
  const [nowToo, june2Too, may31Too] = rows('After the letter')
  expect(nowToo).toMatch(/2026-06-30 .*e2/u)
  expect(june2Too).toMatch(/2026-07-15 .*e1/u)
  expect(may31Too).toMatch(/2026-08-01 .*e0/u)
  // No colours where nobody looks.
  expect(out).not.toContain('\u001b')
})

test('export and import carry a tenant from one directory to another', async () => {
  const [from, to, files] = [await filled(), scratch(), scratch()]
  const file = join(files, 'mira.sgam.jsonl')
  const records = await within(from, mine => mine.records())
  expect(await palimpsest('export', from, 'acme', file)).toMatchObject({ code: 0, err: '' })
  expect(filesIn(files)).toEqual(['mira.sgam.jsonl'])
  expect(readFileSync(file, 'utf8')).not.toContain('4711')
  const first = await palimpsest('import', to, 'acme', file)
  expect(first).toMatchObject({ code: 0, err: '' })
  expect(first.out).toContain(`${records.length} records new, 0 there already`)
  expect(await within(to, mine => mine.records())).toEqual(records)
  const second = await palimpsest('import', to, 'acme', file)
  expect(second.out).toContain(`0 records new, ${records.length} there already`)
  expect(await within(to, mine => mine.records())).toEqual(records)
})

test('a damaged file: exit 1 with the code and what to do, and nothing is written', async () => {
  const [from, to, files] = [await filled(), scratch(), scratch()]
  const file = join(files, 'mira.sgam.jsonl')
  await palimpsest('export', from, 'acme', file)
  writeFileSync(file, readFileSync(file, 'utf8').replace('Oslo', 'Rome'))
  const { code, out, err } = await palimpsest('import', to, 'acme', file)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/^FILE_INVALID: Line \d+ /u)
  expect(err).toContain(ERROR_CODES.FILE_INVALID.todo)
  expect(err).not.toMatch(/\n\s+at /u)
  expect(await within(to, mine => mine.records())).toEqual([])
})

test('a file that is not there, or a place that cannot be written: exit 1 in a sentence, no stack', async () => {
  const [from, files] = [await filled(), scratch()]
  const missing = join(files, 'missing.jsonl')
  const unwritable = join(files, 'no such directory', 'out.jsonl')
  for (const { code, err } of [
    await palimpsest('import', from, 'acme', missing),
    await palimpsest('export', from, 'acme', unwritable),
  ]) {
    expect(code).toBe(1)
    expect(err).toMatch(/missing\.jsonl|no such directory/u)
    expect(err).not.toMatch(/triggerUncaughtException|\n\s+at |errno/u)
  }
  expect(filesIn(files)).toEqual([])
})

test('a directory that is open elsewhere: exit 1 with LOCKED', async () => {
  const [from, files] = [await filled(), scratch()]
  const file = join(files, 'out.jsonl')
  await within(from, async () => {
    const { code, err } = await palimpsest('export', from, 'acme', file)
    expect(code).toBe(1)
    expect(err).toMatch(/^LOCKED: /u)
    expect(err).toContain(ERROR_CODES.LOCKED.todo)
  })
  expect(existsSync(file)).toBe(false)
})

test.each([[['frobnicate']], [['demo', 'more']], [['export', 'only-one']], [['import']], [['--no-such-option']]])(
  'called wrongly (%j): exit 2 with the usage, nothing made',
  async args => {
    const { code, out, err } = await palimpsest(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    for (const command of ['demo', 'export', 'import']) expect(err).toContain(`palimpsest ${command}`)
    expect(existsSync('only-one')).toBe(false)
  },
)

test('help is an answer, not a failure', async () => {
  const { code, out } = await palimpsest('--help')
  expect(code).toBe(0)
  expect(out).toContain('palimpsest demo')
})
