/** Faults at random moments under load, one after another, on one profile after another. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { damageIndexedDb } from './damage-profile.ts'
import type { Engine } from './engine.ts'
import { NoPage, type FaultServer } from './fault-server.ts'
import type { Figures } from './figures.ts'
import { ProfileLife } from './profile-life.ts'
import { seededRandom } from './seeded-random.ts'
import type { Random } from './seeded-random.ts'
import type { WorkerKind } from './tab-protocol.ts'

/** `wipe` and `cut`: killed, and the engine's files damaged before it starts again. */
export const FAULTS = ['kill', 'killWhileOpening', 'wipe', 'cut', 'terminate', 'reload', 'closeTab', 'close'] as const

export type Fault = (typeof FAULTS)[number]

export interface CampaignOptions {
  readonly engine: Engine
  readonly backend: string
  readonly server: FaultServer
  readonly seed: string
  readonly worker: WorkerKind
  readonly figures: Figures
  /** What befalls cycle `i` of the campaign; undefined ends it. */
  next(i: number, random: Random): Fault | undefined
  /** Told after each fault. */
  readonly remark: (text: string) => void
}

/** So much in one store, then a new profile: each check reads all of it. */
const FULL_STORE = 2_500
const LONGEST_LOAD_MS = 900
const ENOUGH = 20

export async function runCampaign(options: CampaignOptions): Promise<void> {
  const { seed, next } = options
  let i = 0
  for (let lives = 1; ; lives += 1) {
    const random = seededRandom(`${seed}/life ${lives}`)
    if (next(i, random) === undefined) return
    i = await liveOnce(options, `${seed}/${lives}`, random, i)
  }
}

/** @returns the number of the next cycle */
async function liveOnce(options: CampaignOptions, name: string, random: Random, first: number): Promise<number> {
  const { engine, backend, server, figures, worker } = options
  const profile = await mkdtemp(join(tmpdir(), `palimpsest-faults-${engine.name}-`))
  // Half of the stores wait for their copy outside IndexedDB, where there can be one.
  const durability = engine.hasMirror && worker === 'real' && random.chance(0.5) ? 'mirrored' : 'strict'
  const remark = (text: string): void => options.remark(`${engine.name} ${backend} ${durability} ${name}: ${text}`)
  const life = new ProfileLife({ durability, engine, backend, server, profile, name, seed: name, worker, figures, remark })
  let i = first
  let isSecond = false
  try {
    for (;;) {
      const fault = life.acknowledged.size < FULL_STORE ? options.next(i, random) : undefined
      try {
        if (life.tabs.all.length === 0) await life.tabs.start().then(() => life.reopen(0))
        if (fault === undefined) break
        await strike(life, fault, options, profile, random)
        i += 1
        isSecond = false
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error)
        figures[error instanceof NoPage ? 'stalls' : 'crashes'] += 1
        i += 1
        remark(`${isSecond ? 'gave up on this profile' : 'the browser is started again'}: ${said}`)
        if (isSecond) break
        isSecond = true
        // What was acknowledged must be there all the same: the next turn looks.
        await life.strike(set => set.kill())
      }
    }
  } finally {
    await life.tabs.kill()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  return i
}

async function strike(life: ProfileLife, fault: Fault, options: CampaignOptions, profile: string, random: Random): Promise<void> {
  const { figures, backend } = options
  const tabs = random.pick([1, 1, 2, 3])
  // A browser whose only page closes ends with it.
  while (life.tabs.all.length < Math.max(tabs, fault === 'closeTab' ? 2 : 1)) await life.addTab()
  const last = life.tabs.all.length - 1
  await life.load(random.pick([60, 250, 100_000]))
  const before = life.acknowledged.size
  await pause(LONGEST_LOAD_MS * random.next())
  // What is thrown away must hold something.
  if (fault === 'wipe' || fault === 'cut') await life.untilAcknowledged(before + ENOUGH)
  switch (fault) {
    case 'terminate':
      await life.strike(() => life.terminateWorker(last))
      figures.terminations += 1
      break
    case 'reload':
      await life.strike(set => set.reload(last))
      figures.reloads += 1
      break
    case 'closeTab':
      await life.strike(set => set.replace(last))
      figures.closedTabs += 1
      break
    case 'close':
      await life.strike(set => set.close())
      figures.closes += 1
      return
    default:
      await life.strike(set => set.kill())
      figures.kills += 1
      if (fault === 'wipe' || fault === 'cut') {
        life.remark(`damaged: ${await damageIndexedDb(profile, backend, fault, random)}`)
        if (fault === 'cut') life.cut()
        figures[fault === 'wipe' ? 'injected' : 'cuts'] += 1
      }
      if (fault !== 'killWhileOpening') return
      await life.killWhileOpening(random.between(0, 150))
      figures.kills += 1
      figures.killsWhileOpening += 1
      return
  }
  await life.quieten(last)
  await life.reopen(last)
}
