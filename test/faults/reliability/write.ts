/** Writes docs/reliability.md from the figures beside it. */
import { writeFile } from 'node:fs/promises'
import { FOLDER, keptFigures } from './kept-figures.ts'
import { reliabilityPage } from './page.ts'

await writeFile(`${FOLDER}.md`, reliabilityPage(await keptFigures()))
