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
