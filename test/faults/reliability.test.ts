/** docs/reliability.md says what was counted, and nothing that must not be was. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { violations } from './engines/figures.ts'
import { FOLDER, keptFigures } from './reliability/kept-figures.ts'
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
