/** Everything that is done with one engine: the control first, then faults, then damage. */
import { runCampaign } from './campaign.ts'
import type { CampaignOptions, Fault } from './campaign.ts'
import { runControl } from './control.ts'
import type { Control } from './control.ts'
import type { Engine } from './engine.ts'
import { startFaultServer } from './fault-server.ts'
import { addFigures, faultsIn, noFigures } from './figures.ts'
import type { Figures } from './figures.ts'
import { faultAt, sizeOf } from './sizes.ts'
import type { SizeName } from './sizes.ts'

export interface EngineReport extends Figures {
  readonly engine: Engine['name']
  /** How it called itself. */
  readonly userAgent: string
  /** When the run ended; the last one, where it was continued. */
  readonly at: string
  readonly size: SizeName
  readonly seed: string
  /** Every figure again, by the way in which IndexedDB was stored. */
  readonly backends: Readonly<Record<string, Figures>>
  readonly control: Control
  /** False where it was stopped before it had reached its size. */
  readonly complete: boolean
  readonly minutes: number
}

export interface RunOptions {
  readonly size: SizeName
  readonly seed: string
  /** No new fault is begun after so many minutes. */
  readonly minutes: number
  readonly remark: (text: string) => void
  /** Only these, in turn, until the time is over: to look for one thing. */
  readonly faults?: readonly Fault[]
  /** A report that is continued. */
  readonly before: EngineReport | undefined
}

/** More browsers that go away by themselves than this, and the run ends: something else is wrong. */
const CRASHES = 10

export async function runEngine(engine: Engine, options: RunOptions): Promise<EngineReport> {
  const { seed, remark, before } = options
  const size = sizeOf(options.size, engine)
  const began = Date.now()
  const server = await startFaultServer()
  const backends: Record<string, Figures> = Object.fromEntries(
    engine.backends.map(backend => [backend, addFigures(noFigures(), before?.backends[backend] ?? {})]),
  )
  const total = (): Figures => Object.values(backends).reduce(addFigures, noFigures())
  const goOn = (): boolean => Date.now() - began < options.minutes * 60_000 && total().crashes + total().stalls <= CRASHES
  const { faults = [] } = options
  const reached = (): boolean => {
    if (faults.length > 0) return false
    const { kills, acks } = total()
    return kills >= size.kills && acks >= size.acks && faultsIn(total()) >= size.faults
  }
  const campaign = (backend: string, part: string, next: CampaignOptions['next']): Promise<void> => {
    const figures = backends[backend] ?? noFigures()
    return runCampaign({ engine, backend, server, seed: `${seed}/${part}`, worker: 'real', figures, remark, next })
  }
  try {
    const control = await runControl({ engine, server, seed, kills: size.controlKills, remark })
    for (let stretch = faultsIn(total()) / size.stretch; goOn() && !reached(); stretch += 1) {
      const turn = Math.floor(stretch)
      const backend = engine.backends[turn % 3 === 1 ? 1 : 0] ?? engine.backends[0]
      const first = turn * size.stretch
      await campaign(backend, `${backend} from ${first}`, (i, random) =>
        i < size.stretch && goOn() && !reached() ? (faults[i % faults.length] ?? faultAt(first + i, random)) : undefined,
      )
    }
    for (const [nth, backend] of engine.backends.entries()) {
      const share = (count: number): number => Math.ceil((count - nth) / engine.backends.length)
      for (const fault of ['wipe', 'cut'] as const) {
        const count = share(fault === 'wipe' ? size.wipes : size.cuts)
        await campaign(backend, `${backend} ${fault}`, i => (goOn() && i < count ? fault : undefined))
      }
    }
    const minutes = (before?.minutes ?? 0) + (Date.now() - began) / 60_000
    const complete = reached() && total().injected >= size.wipes && total().cuts >= size.cuts
    const { userAgent } = server
    const at = new Date().toISOString()
    return { engine: engine.name, userAgent, at, size: options.size, seed, complete, minutes, ...total(), control, backends }
  } finally {
    await server.close()
    await engine.dispose()
  }
}
