/** What the command prints: colours only where a person looks, and never where NO_COLOR is set. */
const coloured = process.stdout.isTTY && process.env['NO_COLOR'] === undefined

function style(open: number, close: number): (text: string) => string {
  return text => (coloured ? `\u001b[${open}m${text}\u001b[${close}m` : text)
}

export const bold: (text: string) => string = style(1, 22)
export const dim: (text: string) => string = style(2, 22)
export const good: (text: string) => string = style(32, 39)
export const bad: (text: string) => string = style(31, 39)

export function print(text = ''): void {
  process.stdout.write(`${text}\n`)
}

/** Rows as columns, each as wide as its widest cell; the last one is not padded. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  return rows
    .map(row =>
      `  ${row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  ')}`.trimEnd(),
    )
    .join('\n')
}
