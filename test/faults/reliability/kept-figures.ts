/** What the proofs counted, as it is kept in docs/reliability. What was not run is not there. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Endurance } from '../../bench/endurance/point.ts'
import type { Summary } from '../../bench/measurement.ts'
import type { StoredBytes } from '../../bench/page/measured-memory.ts'
import type { Ratio } from '../../bench/targets.ts'
import type { EngineReport } from '../engines/run-engine.ts'

export const FOLDER: string = fileURLToPath(new URL('../../../docs/reliability', import.meta.url))

/** Of a suite that runs under Node; which numbers, `page.ts` knows. */
export type Counted = Readonly<Record<string, number>> & { readonly at: string; readonly size: 'ci' | 'full' }

export interface Cost {
  readonly at: string
  readonly chromium: string
  readonly measurements: readonly Summary[]
  readonly ratios: readonly Ratio[]
  readonly stored: readonly StoredBytes[]
}

export interface KeptFigures {
  readonly engines: readonly EngineReport[]
  readonly counted: Readonly<Record<string, Counted>>
  readonly endurance: Endurance | undefined
  readonly cost: Cost | undefined
}

/** Each leaves its figures only where everything in it passed. */
export const SUITES = [
  'journal-one-replica',
  'journal-two-replicas',
  'journal-encrypted',
  'journal-long-commits',
  'mirror-faults',
  'change-of-keys',
  'disk-faults',
  'damage',
  'power-loss',
  'node-kills',
  'large-commit',
  'tabs-and-storage',
] as const

export async function keptFigures(): Promise<KeptFigures> {
  const lines = (await text('engines.jsonl')).split('\n').filter(line => line !== '')
  const counted = await Promise.all(SUITES.map(async name => [name, await json<Counted>(`${name}.json`)] as const))
  return {
    engines: lines.map(line => JSON.parse(line) as EngineReport),
    counted: Object.fromEntries(counted.flatMap(([name, figures]) => (figures === undefined ? [] : [[name, figures]]))),
    endurance: await json<Endurance>('endurance.json'),
    cost: await json<Cost>('cost.json'),
  }
}

async function json<T>(name: string): Promise<T | undefined> {
  const found = await text(name)
  return found === '' ? undefined : (JSON.parse(found) as T)
}

async function text(name: string): Promise<string> {
  return readFile(`${FOLDER}/${name}`, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
}
