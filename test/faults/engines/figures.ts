/** What a run counts. Everything adds up, so runs can be continued. */

export interface Figures {
  /** The whole browser was ended by SIGKILL. */
  kills: number
  /** Of these, while a store was being opened. */
  killsWhileOpening: number
  terminations: number
  reloads: number
  closedTabs: number
  /** The browser was closed as a person closes it. */
  closes: number
  /** How often a store was opened and read back. */
  checks: number
  /** Writes whose promise was fulfilled, and whose message reached the harness. */
  acks: number
  /** Of these, batches from pages that write in parts. */
  longAcks: number
  /** Acknowledged, and not there, without an excuse: see `lostWithWipe` and `wipedAway`. Must be 0. */
  lost: number
  /** A part is there more than once. Must be 0. */
  doubled: number
  /** Some parts of an operation are there and others are not. Must be 0. */
  torn: number
  /** A part has another length than it was written with, or nobody wrote it. Must be 0. */
  changed: number
  /** Quarantine not empty, integrity check not ok, or SQL and API count differently. Must be 0. */
  unsound: number
  /** A call that never settled after its worker had ended. Must be 0. */
  unsettled: number
  /** The store did not open, three times in a row. Must be 0. */
  unopened: number
  /** Databases that the harness damaged so that the engine throws them away. */
  injected: number
  /** Databases whose end the harness cut off, which no engine says anything of. */
  cuts: number
  /** The engine threw the database away and made a new one, by itself or because of injected damage. */
  wipes: number
  /** Of these, the memory said so itself: by STORE_LOST, `health().restored` or another `storeId`. Must equal `wipes`. */
  wipesDetected: number
  /** Of these, the memory restored itself from its mirror. */
  restored: number
  /** The memory restored commits to a database that was there, but lacked them. */
  tailsRestored: number
  /** Acknowledged without waiting for the mirror, and gone with a wipe or a cut: the mirror had not been written yet. */
  lostWithWipe: number
  /** How long before the fault the oldest of these was acknowledged, in ms. */
  lostWithWipeMs: number
  /** Acknowledged, and gone with a wipe where there is no place for a mirror. */
  wipedAway: number
  /** The browser went away by itself, or the page failed. */
  crashes: number
  /** The browser brought no page up, before anything of the memory ran in it, and was ended. */
  stalls: number
  /** Writes and openings that were refused, by code. */
  refused: Record<string, number>
}

export function noFigures(): Figures {
  return {
    kills: 0,
    killsWhileOpening: 0,
    terminations: 0,
    reloads: 0,
    closedTabs: 0,
    closes: 0,
    checks: 0,
    acks: 0,
    longAcks: 0,
    lost: 0,
    doubled: 0,
    torn: 0,
    changed: 0,
    unsound: 0,
    unsettled: 0,
    unopened: 0,
    injected: 0,
    cuts: 0,
    wipes: 0,
    wipesDetected: 0,
    restored: 0,
    tailsRestored: 0,
    lostWithWipe: 0,
    lostWithWipeMs: 0,
    wipedAway: 0,
    crashes: 0,
    stalls: 0,
    refused: {},
  }
}

export function addFigures(one: Figures, other: Partial<Figures>): Figures {
  const sum = { ...one, refused: { ...one.refused } }
  for (const key of Object.keys(one) as (keyof Figures)[]) {
    if (key === 'refused') {
      for (const [code, count] of Object.entries(other.refused ?? {})) sum.refused[code] = (sum.refused[code] ?? 0) + count
    } else if (key === 'lostWithWipeMs') sum[key] = Math.max(one[key], other[key] ?? 0)
    else sum[key] = one[key] + (other[key] ?? 0)
  }
  return sum
}

/** Every fault of whatever kind. */
export function faultsIn({ kills, terminations, reloads, closedTabs, closes }: Figures): number {
  return kills + terminations + reloads + closedTabs + closes
}

const FORBIDDEN = ['lost', 'doubled', 'torn', 'changed', 'unsound', 'unsettled', 'unopened'] as const

/** What must not be, one sentence each; empty when all is well. */
export function violations(figures: Figures): string[] {
  const found = FORBIDDEN.filter(key => figures[key] > 0).map(key => `${key}: ${figures[key]}`)
  const { wipes, wipesDetected, restored, wipedAway, injected } = figures
  if (wipesDetected !== wipes) found.push(`${wipes} wipes, of which the memory noticed ${wipesDetected}`)
  if (injected > wipes) found.push(`${injected} databases were damaged, and only ${wipes} were thrown away`)
  // Where there is no place for a mirror, what was in it is counted as wiped away.
  if (restored !== wipes && wipedAway === 0) found.push(`${wipes} wipes, of which the memory restored ${restored}`)
  return found
}
