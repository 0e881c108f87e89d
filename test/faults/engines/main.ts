/**
 * Kills real browsers under load, and looks whether what they had acknowledged is there.
 *
 *   tsx test/faults/engines/main.ts [--engines chromium,firefox,webkit] [--minutes N] [--seed TEXT] [--out FILE [--resume]]
 *     [--faults wipe,kill]
 *
 * PALIMPSEST_FAULTS=full does as much as a release asks for; the default is the size of the tests. One JSON line an engine goes
 * to the output and to FILE, remarks to the error output. --minutes bounds each engine; --resume goes on from what FILE holds;
 * --faults does only these, in turn, until the minutes are over.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { FAULTS } from './campaign.ts'
import type { Fault } from './campaign.ts'
import { engines } from './engines.ts'
import { violations } from './figures.ts'
import { runEngine } from './run-engine.ts'
import type { EngineReport } from './run-engine.ts'

const { values } = parseArgs({
  options: {
    engines: { type: 'string', default: 'chromium,firefox,webkit' },
    minutes: { type: 'string', default: '600' },
    seed: { type: 'string', default: `${Date.now()}` },
    out: { type: 'string' },
    faults: { type: 'string' },
    resume: { type: 'boolean', default: false },
  },
})
const say = (text: string): void => void process.stderr.write(`${text}\n`)

// Through `exit`, which ends the browsers too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const named = values.engines.split(',')
const size = process.env['PALIMPSEST_FAULTS'] === 'full' ? 'full' : 'ci'
const before = values.resume && values.out !== undefined ? await reportsIn(values.out) : []
const reports = new Map(before.map(report => [report.engine, report]))
say(`seed ${values.seed}, size ${size}`)
for (const engine of engines()) {
  if (!named.includes(engine.name)) continue
  const missing = engine.missing()
  if (missing !== undefined) {
    say(`${engine.name}: left out, ${missing}`)
    continue
  }
  const minutes = Number(values.minutes)
  const faults = values.faults === undefined ? {} : { faults: values.faults.split(',').map(asFault) }
  const report = await runEngine(engine, {
    size,
    seed: values.seed,
    minutes,
    remark: say,
    before: reports.get(engine.name),
    ...faults,
  })
  reports.set(engine.name, report)
  process.stdout.write(`${JSON.stringify(report)}\n`)
  const wrong = [...violations(report), ...(report.control.caught ? [] : ['the control lost nothing'])]
  for (const sentence of wrong) say(`${engine.name}: ${sentence}`)
  if (wrong.length > 0) process.exitCode = 1
  if (values.out !== undefined) {
    await writeFile(values.out, [...reports.values()].map(one => `${JSON.stringify(one)}\n`).join(''))
  }
}

function asFault(name: string): Fault {
  const fault = FAULTS.find(one => one === name)
  if (fault === undefined) throw new Error(`--faults: ${name} is none of ${FAULTS.join()}`)
  return fault
}

async function reportsIn(file: string): Promise<EngineReport[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as EngineReport)
}
