/** docs/errors.md is the table of codes, generated: `UPDATE_DOCS=1` writes it. */
import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ERROR_CODES } from '../src/index.ts'

const file = new URL('../../../docs/errors.md', import.meta.url)

function page(): string {
  const rows = Object.entries(ERROR_CODES)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([code, { when, retryable, todo, reasons = {} }]) => [
      `| \`${code}\` | ${when} | ${retryable ? 'yes' : 'no'} | ${todo} |`,
      ...Object.entries(reasons).map(
        ([reason, { when: then, retryable: again = retryable, todo: but }]) =>
          `| \`${code}\`, reason \`${reason}\` | ${then} | ${again ? 'yes' : 'no'} | ${but} |`,
      ),
    ])
  return `# Errors

Every error that a call raises on purpose is a \`MemoryError\` with \`code\`, \`retryable\` and \`details\`. \`MemoryError.is(error)\` and
\`MemoryError.is(error, code)\` recognise one, also from another copy of the package. \`details.field\` names the argument where
there is one; \`error.todo\` is the last column of its row; no error carries the content of a memory. Unless its row says otherwise, nothing was written.

| code | when | retry | what to do |
|---|---|---|---|
${rows.join('\n')}
`
}

test('docs/errors.md lists every code as the code does', async () => {
  if (process.env['UPDATE_DOCS'] === '1') await writeFile(file, page())
  expect(await readFile(file, 'utf8')).toBe(page())
})
