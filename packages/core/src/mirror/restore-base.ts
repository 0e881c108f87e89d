/** The first step of a restore: the newest copy of a base that can be read becomes the base of the empty journal. */
import type { SealedJournal } from '../at-rest/sealed-journal.ts'
import { MemoryError } from '../errors.ts'
import { decodeEntry } from '../journal/entry.ts'
import { decodeImage, type LoadedImage } from '../journal/image.ts'
import type { Journal } from '../journal/port.ts'
import type { SpareImages } from '../journal/replica.ts'
import type { MirrorPlace } from './port.ts'
import { findBases, namesOf, readBase, readLogs } from './read-mirror.ts'

/**
 * Durable when it settles. The commits in the logs are the second step (`reconcile.ts`).
 * @throws {MemoryError} STORE_LOST when there are copies and none can be read
 */
export async function restoreBase(journal: Journal, sealed: SealedJournal, place: MirrorPlace, storeId: string): Promise<void> {
  const { generation } = await journal.state()
  // An earlier restore came as far as this.
  if (generation > 0) return
  const copy = await readableBase(sealed, place, storeId)
  if (copy !== undefined) {
    await sealed.saveBase({ generation: 1, segments: copy.segments, floor: copy.image.head })
    return
  }
  const isWithoutBase = (await findBases(place)).length === 0
  if (isWithoutBase && (await areLogsReadable(sealed, place, storeId))) return
  const files = [...(await namesOf(place, 'base')), ...(await namesOf(place, 'log'))]
  if (files.length > 0)
    throw new MemoryError('STORE_LOST', 'The storage of this memory came back empty, and no mirror of it can be read', {
      storeId,
      reason: 'the mirrors are damaged',
      files: files.length,
    })
}

/** The newest copy of a base that can be read. */
async function readableBase(
  sealed: SealedJournal,
  place: MirrorPlace,
  storeId: string,
): Promise<{ readonly segments: readonly Uint8Array[]; readonly image: LoadedImage } | undefined> {
  for (const base of await findBases(place)) {
    const stored = await readBase(place, base, storeId)
    if (stored === undefined) continue
    const { segments, ...rest } = await sealed.openImage(stored)
    const image = decodeImage({ segments, ...rest })
    if (!('reason' in image)) return { segments, image }
  }
  return undefined
}

/**
 * For a store of which no generation can be read, or that went back behind what a mirror has folded in: the logs hold only what
 * came later. A copy stands for no generation of the journal, so the next checkpoint writes a new base.
 */
export function spareImages(sealed: SealedJournal, place: MirrorPlace, storeId: string): SpareImages {
  return {
    isAhead: async head => (await findBases(place).catch(() => [])).some(({ floor }) => floor > head),
    load: async () => {
      const copy = await readableBase(sealed, place, storeId).catch(() => undefined)
      return copy && { ...copy.image, damaged: ['the base was taken from the mirror'] }
    },
  }
}

/** Some entry can be read, or every log is as it was left: without one, by a replica that died before it had written any. */
async function areLogsReadable(sealed: SealedJournal, place: MirrorPlace, storeId: string): Promise<boolean> {
  const logs = await readLogs(place, storeId)
  for (const { entries } of logs)
    for (const { seq, bytes } of await sealed.openEntries(entries)) if (!('problem' in decodeEntry(seq, bytes))) return true
  return logs.every(({ entries, damaged }) => entries.length === 0 && damaged === 0)
}
