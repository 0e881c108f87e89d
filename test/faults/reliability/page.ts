/** docs/reliability.md, made of what was counted. */
import type { Figures } from '../engines/figures.ts'
import type { EngineReport } from '../engines/run-engine.ts'
import { SUITES, type Cost, type Counted, type KeptFigures } from './kept-figures.ts'
import type { Endurance } from '../../bench/endurance/point.ts'

export function reliabilityPage({ engines, counted, endurance, cost }: KeptFigures): string {
  return `# Reliability

What was acknowledged is never lost: here is how that was tried, and what came of it. \`npm run reliability\` runs all of it and
writes this page from the figures it keeps beside it; \`npm test\` runs the small size of the same code. \`--only\` names parts:
\`engines\`, \`journals\`, \`tabs\`, \`endurance\`, \`cost\`.

## Browsers killed under load

A page, or up to three, writes as fast as it can; every acknowledgement goes out of the browser at once, to a process that
outlives it. At a random moment the browser gets SIGKILL, its worker is terminated, the page reloaded, a tab or the browser closed.
Then everything that was acknowledged must be there, once, whole and unchanged, and the database must pass its integrity
check. In the control, a journal that acknowledges before it stores has to be caught first.

${engines.map(engineSection).join('\n')}
A SIGKILL cannot tell whether the disk had what the system had; \`strict\` is asserted on the transactions instead
(\`packages/browser/test\`), and a power cut is modelled below.

## Journals and disks that fail

Most of these suites let one fault strike at the first call, at the second, and so on, until none is left to strike, in random
lives of one or two replicas, against an oracle of its own. Figures are kept only of suites in which everything passed: nothing
that was acknowledged was lost, nothing was there twice or in part.

| suite | what strikes | tried | |
|---|---|---|---|
${SUITES.map(name => suiteRow(name, counted[name])).join('\n')}

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

${partsText(report)}${stallsText(report)}${report.wipes + report.cuts + report.tailsRestored > 0 ? wipeText(report) : 'The engine threw no database away.\n'}`
}

/** Nothing of runs from before pages wrote in parts. */
function partsText({ longAcks = 0 }: Partial<Figures>): string {
  if (longAcks === 0) return ''
  return `${longAcks.toLocaleString('en')} of the acknowledgements were for batches of pages whose limits are lowered, so that most batches are commits of
several appends.

`
}

function stallsText({ stalls = 0 }: Partial<Figures>): string {
  if (stalls === 0) return ''
  return `${stalls} times the browser brought no page up within a minute. It was ended and started again, and the store looked at.\n\n`
}

function faultRow(name: string, f: Figures): string {
  const wrong = f.doubled + f.torn + f.changed + f.unsound + f.unsettled + f.unopened
  return `| ${name} | ${f.kills} (${f.killsWhileOpening}) | ${f.terminations} | ${f.reloads} | ${f.closedTabs} | ${f.closes} | ${f.acks.toLocaleString('en')} | ${f.lost} | ${wrong} |`
}

function wipeText(report: EngineReport): string {
  const { cuts, tailsRestored, lostWithWipe, lostWithWipeMs, backends } = report
  const rows = Object.entries(backends)
    .filter(([, { wipes }]) => wipes > 0)
    .map(([backend, f]) => `| ${backend} | ${f.wipes - f.injected} | ${f.injected} | ${f.wipesDetected} | ${f.restored} |`)
  const late =
    lostWithWipe === 0
      ? 'Nothing that was acknowledged went with them.'
      : `Of stores that do not wait for the mirror, ${lostWithWipe} acknowledgements, at most ${lostWithWipeMs} ms old, went with them; of those that wait (\`mirrored\`), none.`
  return `| databases thrown away by the engine, in | after a kill, by itself | after its files were damaged | noticed | restored |
|---|--:|--:|--:|--:|
${rows.join('\n')}

Of ${cuts} databases the harness took the last transactions; commits that the database lacked came back from the mirror ${tailsRestored} times.
${late}
`
}

const STRIKES: Readonly<Record<(typeof SUITES)[number], readonly [what: string, ...units: string[]]>> = {
  'journal-one-replica': ['a call of the journal is refused, aborts after success, is unknown, late, lost', 'faults'],
  'journal-two-replicas': ['the same, with a second replica that must not be harmed', 'faults'],
  'journal-encrypted': ['the same, in an encrypted store', 'faults'],
  'journal-long-commits': ['the same, where most commits are several entries and many are several appends', 'faults'],
  'mirror-faults': [
    'a call of the mirror fails, before or after it did its work or in the middle; then the storage is wiped',
    'faults',
  ],
  'change-of-keys': ['the process dies while keys are changed; then, or not, the storage is wiped', 'deaths'],
  'disk-faults': ['a call to the disk fails, before or after it did its work', 'faults'],
  damage: [
    'bytes of entries, bases, deltas and the head change or go: what is not hit is there, what is hit is named',
    'damages',
  ],
  'power-loss': ['the power goes: any suffix of what was not flushed is lost', 'cuts'],
  'node-kills': ['SIGKILL of a Node process that writes', 'kills', 'acks'],
  'large-commit': ['SIGKILL while one commit of many entries is stored: all of it or nothing', 'kills', 'megabytes'],
  'tabs-and-storage': [
    'tabs that start together, freeze, come back, are of two versions; quota, full disk, cleared data',
    'tests',
  ],
}

function suiteRow(name: (typeof SUITES)[number], figures: Counted | undefined): string {
  const [what, ...units] = STRIKES[name]
  if (figures === undefined) return `| ${name} | ${what} | not run | |`
  const tried = units.map(unit => `${(figures[unit] ?? 0).toLocaleString('en')} ${unit}`).join(', ')
  return `| ${name} | ${what} | ${tried} | ${day(figures.at)}, \`${figures.size}\` |`
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
