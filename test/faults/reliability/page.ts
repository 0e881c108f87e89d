/** docs/reliability.md, made of what was counted. */
import type { Figures } from '../engines/figures.ts'
import type { EngineReport } from '../engines/run-engine.ts'
import type { Cost, Counted, KeptFigures } from './kept-figures.ts'
import type { Endurance } from '../../bench/endurance/point.ts'

export function reliabilityPage({ engines, counted, endurance, cost }: KeptFigures): string {
  return `# Reliability

What was acknowledged is never lost: here is how that was tried, and what came of it. \`npm run reliability\` runs all of it and
writes this page from the figures it keeps beside it; \`npm test\` runs the small size of the same code. \`--only\` names parts:
\`engines\`, \`journals\`, \`endurance\`, \`cost\`.

## Browsers killed under load

A page, or up to three, writes as fast as it can; every acknowledgement goes out of the browser at once, to a process that
outlives it. At a random moment the browser gets SIGKILL, its worker is terminated, the page reloaded, a tab or the browser closed.
Then everything that was acknowledged must be there, once, whole and unchanged, and the database must pass its integrity
check. In the control, a journal that acknowledges before it stores has to be caught first.

${engines.map(engineSection).join('\n')}
A SIGKILL cannot tell whether the disk had what the system had; \`strict\` is asserted on the transactions instead
(\`packages/browser/test\`), and a power cut is modelled below.

## Journals and disks that fail

Each suite lets one fault strike at the first call, at the second, and so on, until none is left to strike, in random lives of
one or two replicas, against an oracle of its own.

| suite | what strikes | tried |
|---|---|---|
${[
  suite(
    counted,
    'journal-one-replica',
    'a call of the journal is refused, aborts after success, is unknown, late, lost',
    'faults',
  ),
  suite(counted, 'journal-two-replicas', 'the same, with a second replica that must not be harmed', 'faults'),
  suite(counted, 'journal-encrypted', 'the same, in an encrypted store', 'faults'),
  suite(
    counted,
    'journal-long-commits',
    'the same, where most commits are several entries and many are several appends',
    'faults',
  ),
  suite(counted, 'disk-faults', 'a call to the disk fails, before or after it did its work', 'faults'),
  suite(counted, 'power-loss', 'the power goes: any suffix of what was not flushed is lost', 'cuts'),
  suite(counted, 'node-kills', 'SIGKILL of a Node process that writes', 'kills', 'acks'),
  suite(
    counted,
    'large-commit',
    'SIGKILL while one commit of many entries is stored: all of it or nothing',
    'kills',
    'megabytes',
  ),
].join('\n')}

## A store that is written to for long

${enduranceSection(endurance)}
## What it costs

${costSection(cost)}`
}

function engineSection(report: EngineReport): string {
  const { control } = report
  const rows = Object.entries(report.backends).filter(([, figures]) => figures.checks > 0)
  return `### ${browser(report)}

${day(report.at)}, ${report.minutes.toFixed(0)} minutes, size \`${report.size}\`${report.complete ? '' : ', not reached'}. Control: ${control.lost} of ${control.acks} lost after ${control.kills} kills${control.caught ? ', caught' : ', NOT CAUGHT'}.

| IndexedDB in | kills (while opening) | terminations | reloads | tabs closed | closes | acknowledged | lost | doubled, torn or changed |
|---|--:|--:|--:|--:|--:|--:|--:|--:|
${rows.map(([backend, figures]) => faultRow(backend, figures)).join('\n')}
| all | ${faultRow('', report)
    .replace(/^\|\s*\|/, '')
    .trim()}

${report.wipes + report.cuts + report.tailsRestored > 0 ? wipeText(report) : 'The engine threw no database away.\n'}`
}

function faultRow(name: string, f: Figures): string {
  const wrong = f.doubled + f.torn + f.changed + f.unsound + f.unsettled + f.unopened
  return `| ${name} | ${f.kills} (${f.killsWhileOpening}) | ${f.terminations} | ${f.reloads} | ${f.closedTabs} | ${f.closes} | ${f.acks.toLocaleString('en')} | ${f.lost} | ${wrong} |`
}

function wipeText(f: Figures): string {
  const byItself = f.wipes - f.injected
  const late =
    f.lostWithWipe === 0
      ? 'Nothing that was acknowledged went with them.'
      : `Of stores that do not wait for the mirror, ${f.lostWithWipe} acknowledgements, at most ${f.lostWithWipeMs} ms old, went with them; of those that wait (\`mirrored\`), none.`
  return `The engine threw the database away ${f.wipes} times, ${byItself} of them by itself and ${f.injected} after the harness damaged its files;
the memory noticed ${f.wipesDetected} and restored ${f.restored}. Of ${f.cuts} databases the harness took the last transactions; commits that the
database lacked came back from the mirror ${f.tailsRestored} times. ${late}
`
}

function suite(counted: KeptFigures['counted'], name: string, what: string, ...units: readonly string[]): string {
  const figures: Counted | undefined = counted[name]
  if (figures === undefined) return `| ${name} | ${what} | not run |`
  const tried = units.map(unit => `${figures[unit] ?? 0} ${unit}`).join(', ')
  return `| ${name} | ${what} | ${tried} (${day(figures.at)}, \`${figures.size}\`): 0 lost |`
}

function enduranceSection(endurance: Endurance | undefined): string {
  if (endurance === undefined) return 'Not run.\n'
  const { points, commits, minutes, chromium, at } = endurance
  const chosen = points.filter((_, i) => (i + 1) % Math.ceil(points.length / 8) === 0)
  const rows = chosen.map(point =>
    [
      point.commits,
      point.commitMs.toFixed(2),
      point.commitP95Ms.toFixed(2),
      point.slowestMs.toFixed(0),
      point.openMs.toFixed(0),
      point.tail,
      (point.storeBytes / point.dataBytes).toFixed(2),
      (point.mirrorBytes / point.dataBytes).toFixed(2),
      (point.processBytes / 1024 / 1024).toFixed(0),
    ].join(' | '),
  )
  return `${commits} commits of one fact, one after the other, in ${minutes.toFixed(0)} minutes; Chromium ${chromium}, ${day(at)}. Checkpoints come as they come.
Data is what was handed over, as JSON. Opening is done by a second replica, as another tab does.

| commits | ms a commit | 95 of 100 | slowest | ms to open | entries replayed | store, bytes per byte | mirror | process MiB |
|--:|--:|--:|--:|--:|--:|--:|--:|--:|
${rows.map(row => `| ${row} |`).join('\n')}

![ms a commit](reliability/commit-time.svg)
![ms to open](reliability/open-time.svg)
![bytes on disk for a byte of data](reliability/bytes-on-disk.svg)
![memory of the process](reliability/memory.svg)
`
}

function costSection(cost: Cost | undefined): string {
  if (cost === undefined) return 'Not run.\n'
  const variants = cost.measurements.filter(({ name }) => name.startsWith('durable assert') || name === 'bare add')
  const costs = cost.ratios.filter(({ target }) => target === undefined)
  return `Chromium ${cost.chromium}, ${day(cost.at)}, everything in turn in one page (\`npm run bench -- --only browser\`).

| | facts | median ms | 95 of 100 |
|---|--:|--:|--:|
${variants.map(each => `| ${each.name} | ${each.facts ?? ''} | ${each.medianMs.toFixed(2)} | ${each.p95Ms.toFixed(2)} |`).join('\n')}

| ratio of medians | |
|---|--:|
${costs.map(({ what, value }) => `| ${what} | ${value.toFixed(2)} |`).join('\n')}

| on disk | facts | store KiB | mirror KiB |
|---|--:|--:|--:|
${cost.stored.map(each => `| ${each.name} | ${each.facts} | ${kibi(each.storeBytes)} | ${kibi(each.mirrorBytes)} |`).join('\n')}
`
}

function day(at: string): string {
  return at.slice(0, 10)
}

function kibi(bytes: number): string {
  return (bytes / 1024).toFixed(0)
}

/** By its name and what its user agent gives as the version: WebKitGTK names that of the Safari whose like it is. */
function browser({ engine, userAgent }: EngineReport): string {
  const [name, part] = {
    chromium: ['Chromium', 'Chrome'],
    firefox: ['Firefox', 'Firefox'],
    webkit: ['WebKitGTK, as Safari', 'Version'],
  }[engine]
  return `${name} ${new RegExp(`${part}/([\\d.]+)`, 'u').exec(userAgent)?.[1] ?? userAgent}`
}
