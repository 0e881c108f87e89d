/** Brings a store that has just been opened level with its mirrors: at once where it lost something, else in its own time. */
import type { OpenedJournal } from '../open-journal.ts'
import type { Journal, StoredEntry } from '../journal/port.ts'
import type { Store } from '../journal/store.ts'
import { entriesNotIn, levelMirror, readMirrored, type Mirrored } from './reconcile.ts'

/** What came back from the mirrors when the store was opened. */
export interface Restored {
  /** The storage came back empty, or without an image that can be read; else it only lacked the last commits. */
  readonly wasEmpty: boolean
  /** Entries that the logs of the mirrors brought back, beside the base. */
  readonly entries: number
  /** Entries of the logs that could not be read. */
  readonly damaged: number
}

export interface Recovery {
  /** Undefined where nothing was lost. */
  readonly restored: Restored | undefined
  /** The rest, which can wait. Never rejects. */
  readonly levelled: Promise<void>
}

/**
 * @param bare the journal below encryption and mirror
 * @throws what the journal raises while lost commits are put back; the next open goes on with them
 */
export async function recover(bare: Journal, opened: OpenedJournal, store: Store): Promise<Recovery> {
  const { mirror, sealed, identity, wasLost } = opened
  const dropStale = (): Promise<void> => store.dropStaleParts().catch(() => undefined)
  if (mirror === undefined || sealed === undefined) return { restored: undefined, levelled: dropStale() }
  const isBaseLost = wasLost || store.replica().isFromSpare
  const putBack = async (kept: readonly StoredEntry[], from: Mirrored): Promise<Restored> => {
    const { entries, damaged } = await entriesNotIn(kept, sealed, from)
    const appended = await store.place(entries)
    await store.heal(new Set(entries.map(({ seq }) => seq)))
    mirror.settle(from.logs, (await bare.state()).head)
    return { wasEmpty: isBaseLost, entries: appended, damaged }
  }
  const mirrored = opened.mirrored ?? (await readMirrored(mirror.place, identity.storeId).catch(() => undefined))
  if (mirrored === undefined) {
    // A mirror that cannot be read is no reason to refuse a store that can. It is not current before it could be.
    await mirror.bringLevel(async () => {
      const found = await readMirrored(mirror.place, identity.storeId)
      await putBack(await bare.read(0), found)
      await levelMirror(bare, await bare.read(0), mirror, found)
    })
    return { restored: undefined, levelled: dropStale() }
  }
  // An image that is ahead of the journal takes it along, or nothing could be appended behind it.
  if (store.replica().isFromSpare) await store.rebase()
  const { head } = await bare.state()
  const isShort = isBaseLost || mirrored.last > head
  const kept = await bare.read(0)
  const found = isShort ? await putBack(kept, mirrored) : undefined
  // Before anything new is acknowledged: what an earlier replica could not mirror any more must not depend on the journal alone.
  const now = isShort ? await bare.read(0) : kept
  await mirror.bringLevel(() => levelMirror(bare, now, mirror, mirrored))
  const later = async (): Promise<void> => {
    if (!isShort) await putBack(kept, mirrored)
    if (wasLost && store.replica().head > 0) await store.rebase()
    await dropStale()
  }
  const restored = found !== undefined && (isBaseLost || found.entries > 0) ? found : undefined
  return { restored, levelled: later().catch(() => undefined) }
}
