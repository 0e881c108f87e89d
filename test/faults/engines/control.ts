/**
 * The control: a journal that acknowledges before it stores must be caught. A harness that finds nothing here would find
 * nothing elsewhere either, so its other figures would mean nothing.
 */
import { runCampaign } from './campaign.ts'
import type { Engine } from './engine.ts'
import type { FaultServer } from './fault-server.ts'
import { noFigures } from './figures.ts'

export interface Control {
  readonly kills: number
  readonly acks: number
  readonly lost: number
  readonly caught: boolean
}

interface ControlOptions {
  readonly engine: Engine
  readonly server: FaultServer
  readonly seed: string
  /** It ends with the first loss, or after so many kills. */
  readonly kills: number
  readonly remark: (text: string) => void
}

export async function runControl({ engine, server, seed, kills, remark }: ControlOptions): Promise<Control> {
  const figures = noFigures()
  await runCampaign({
    engine,
    server,
    seed: `${seed}/control`,
    backend: engine.backends[0],
    worker: 'early',
    figures,
    remark: text => remark(`control: ${text}`),
    next: () => (figures.lost === 0 && figures.kills < kills ? 'kill' : undefined),
  })
  const { acks, lost } = figures
  return { kills: figures.kills, acks, lost, caught: lost > 0 }
}
