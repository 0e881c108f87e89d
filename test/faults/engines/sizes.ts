/** How much is done: `ci` in about a minute and a half, `full` in hours. */
import type { Fault } from './campaign.ts'
import type { Engine } from './engine.ts'
import type { Random } from './seeded-random.ts'

export type SizeName = 'ci' | 'full'

export interface Size {
  readonly kills: number
  readonly acks: number
  /** Faults of every kind. */
  readonly faults: number
  /** Databases that are damaged at the end so that the engine throws them away; only where the harness knows how. */
  readonly wipes: number
  /** Databases of which it silently takes the last transactions. */
  readonly cuts: number
  /** Faults in a row with one way of storing IndexedDB; the second way gets every third such stretch. */
  readonly stretch: number
  /** The control may take so many kills to lose something. */
  readonly controlKills: number
}

const SIZES: Readonly<Record<SizeName, Readonly<Record<Engine['name'], Size>>>> = {
  ci: {
    chromium: { kills: 6, acks: 20, faults: 12, wipes: 2, cuts: 2, stretch: 8, controlKills: 8 },
    firefox: { kills: 2, acks: 10, faults: 4, wipes: 0, cuts: 0, stretch: 8, controlKills: 8 },
    webkit: { kills: 2, acks: 10, faults: 4, wipes: 0, cuts: 0, stretch: 8, controlKills: 8 },
  },
  full: {
    chromium: { kills: 1_000, acks: 50_000, faults: 1_000, wipes: 20, cuts: 10, stretch: 30, controlKills: 20 },
    firefox: { kills: 50, acks: 2_000, faults: 50, wipes: 0, cuts: 0, stretch: 30, controlKills: 20 },
    webkit: { kills: 50, acks: 2_000, faults: 50, wipes: 0, cuts: 0, stretch: 30, controlKills: 20 },
  },
}

export function sizeOf(name: SizeName, engine: Engine): Size {
  return SIZES[name][engine.name]
}

const EACH: readonly Fault[] = ['kill', 'terminate', 'kill', 'closeTab', 'reload', 'close', 'killWhileOpening']

/** One of each first, so that the smallest run has every kind; then mostly kills. */
export function faultAt(i: number, random: Random): Fault {
  const drawn = random.next()
  const first = EACH[i]
  if (first !== undefined) return first
  if (drawn < 0.8) return 'kill'
  if (drawn < 0.86) return 'killWhileOpening'
  return random.pick(['terminate', 'reload', 'closeTab', 'close'])
}
