/** docs/reliability.md says what was counted, and nothing that must not be was. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { violations } from './engines/figures.ts'
import { FOLDER, keptFigures, SUITES } from './reliability/kept-figures.ts'
import { reliabilityPage } from './reliability/page.ts'

test('the page is what the script makes of the figures that are kept', async () => {
  expect(await readFile(`${FOLDER}.md`, 'utf8')).toBe(reliabilityPage(await keptFigures()))
})

test('nothing that must not be was counted', async () => {
  const { engines } = await keptFigures()
  expect(engines.flatMap(report => violations(report).map(what => `${report.engine}: ${what}`))).toEqual([])
  expect(engines.filter(({ control }) => !control.caught)).toEqual([])
})

/** What had to be reached before any of it was published. */
const LEAST = {
  chromium: { kills: 1_000, acks: 50_000, wipes: 20 },
  firefox: { kills: 50, acks: 2_000, wipes: 0 },
  webkit: { kills: 50, acks: 2_000, wipes: 0 },
}

test('as much as was asked for was done in every browser', async () => {
  const { engines } = await keptFigures()
  expect(engines.map(({ engine }) => engine).toSorted()).toEqual(Object.keys(LEAST).toSorted())
  for (const { engine, size, complete, kills, acks, wipes } of engines) {
    expect({ engine, size, complete }).toEqual({ engine, size: 'full', complete: true })
    for (const [name, count] of Object.entries({ kills, acks, wipes }))
      expect(count, `${engine}: ${name}`).toBeGreaterThanOrEqual(LEAST[engine][name as 'kills' | 'acks' | 'wipes'])
  }
})

/** The numbers of the suites that have some of their own; the others must have struck at all. */
const LEAST_COUNTED: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'node-kills': { acks: 10_000 },
  'large-commit': { megabytes: 500 },
}

test('every suite was run whole, at full size', async () => {
  const { counted } = await keptFigures()
  for (const name of SUITES) {
    const { at: _, size, ...figures } = counted[name] ?? {}
    expect({ name, size }).toEqual({ name, size: 'full' })
    expect(figures, name).not.toEqual({})
    for (const [unit, count] of Object.entries(figures)) {
      const least = LEAST_COUNTED[name]?.[unit] ?? 1
      expect(count, `${name}: ${unit}`).toBeGreaterThanOrEqual(least)
    }
    expect(Object.keys(figures), name).toEqual(expect.arrayContaining(Object.keys(LEAST_COUNTED[name] ?? {})))
  }
})

test('the long life is 100,000 commits, and what things cost was measured', async () => {
  const { endurance, cost } = await keptFigures()
  expect(endurance?.commits).toBeGreaterThanOrEqual(100_000)
  expect(cost?.measurements.map(({ name }) => name)).toContain('durable assert')
})
