/**
 * Journal and mirrors, brought level. What the mirrors hold and the journal lost goes back into the journal; what the journal
 * holds and the mirrors lack (a tab died before its mirror was written) goes into this replica's log.
 *
 * Commits are told by their ids, not by their places: after a restore a commit may stand at another one.
 */
import type { SealedJournal } from '../at-rest/sealed-journal.ts'
import { decodeEntry, type Entry } from '../journal/entry.ts'
import type { Journal, StoredEntry } from '../journal/port.ts'
import { sameBytes } from '../journal/same-bytes.ts'
import type { MirrorPlace } from './port.ts'
import type { Mirror } from './mirror.ts'
import { findBases, readLogs, type MirroredLog } from './read-mirror.ts'

export interface Mirrored {
  readonly logs: readonly MirroredLog[]
  /** The highest sequence number in them; 0 where there is none. */
  readonly last: number
}

export async function readMirrored(place: MirrorPlace, storeId: string): Promise<Mirrored> {
  const logs = await readLogs(place, storeId)
  let last = 0
  for (const { entries } of logs) for (const { seq } of entries) last = Math.max(last, seq)
  return { logs, last }
}

export interface LostEntries {
  /** In the order of their old places. */
  readonly entries: readonly Entry[]
  /** Entries of the logs that cannot be read. */
  readonly damaged: number
}

/**
 * The entries of the logs that do not stand in the journal as they do in the logs; most of these may still be in effect.
 * @param kept all entries that the journal below encryption keeps
 */
export async function entriesNotIn(
  kept: readonly StoredEntry[],
  sealed: SealedJournal,
  { logs }: Mirrored,
): Promise<LostEntries> {
  const stored = new Map(kept.map(({ seq, bytes }) => [seq, bytes]))
  const suspects = logs.flatMap(log => log.entries).filter(({ seq, bytes }) => !sameBytes(stored.get(seq), bytes))
  const entries: Entry[] = []
  let damaged = logs.reduce((sum, log) => sum + log.damaged, 0)
  for (const { seq, bytes } of await sealed.openEntries(sealed.withoutCovered(suspects))) {
    const decoded = decodeEntry(seq, bytes)
    if ('problem' in decoded) damaged++
    else entries.push(decoded.entry)
  }
  return { entries: entries.toSorted((a, b) => a.seq - b.seq), damaged }
}

/**
 * Gives the mirror what it lacks of the journal: the base, where no copy of it is there, and entries.
 * @param journal the one below encryption: what is copied stays sealed
 * @param kept all entries that it keeps
 */
export async function levelMirror(
  journal: Journal,
  kept: readonly StoredEntry[],
  mirror: Mirror,
  { logs }: Mirrored,
): Promise<void> {
  const { covered } = await copyBase(journal, kept, mirror)
  const there = new Map(logs.flatMap(log => log.entries).map(({ seq, bytes }) => [seq, bytes]))
  const lacking: StoredEntry[] = kept.filter(({ seq, bytes }) => seq > covered && !sameBytes(there.get(seq), bytes))
  if (lacking.length > 0) await mirror.log(lacking, { flush: true })
}

/**
 * Whether the mirror has a whole copy of the journal's base and all else that opens it, or could be given it now.
 * @param journal the one below encryption
 */
export async function isBaseCopied(journal: Journal, mirror: Mirror): Promise<boolean> {
  // A base that this replica saved is still being copied, and what the mirror could not take is tried again.
  await mirror.log([], { flush: true })
  const { isWhole } = await copyBase(journal, await journal.read(0), mirror)
  return isWhole && mirror.failure === undefined
}

interface BaseCopy {
  readonly isWhole: boolean
  /** Entries up to here are not needed beside it. */
  readonly covered: number
}

async function copyBase(journal: Journal, kept: readonly StoredEntry[], mirror: Mirror): Promise<BaseCopy> {
  const { generation, floor } = await journal.state()
  const [copy] = await findBases(mirror.place)
  if (generation === 0 || copy?.generation === generation) return { isWhole: true, covered: copy?.floor ?? 0 }
  const image = await journal.image(generation)
  // Everything that the base lacks is kept, so it reaches at least to just before the first entry.
  const covered = (kept[0]?.seq ?? floor + 1) - 1
  const isWhole = image !== undefined && (await mirror.writeBase({ generation, segments: image.segments, floor: covered }))
  return { isWhole, covered }
}
