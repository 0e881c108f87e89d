/** The first step of a restore: the newest copy of a base that can be read becomes the base of the empty journal. */
import type { SealedJournal } from '../at-rest/sealed-journal.ts'
import { MemoryError } from '../errors.ts'
import { decodeEntry } from '../journal/entry.ts'
import { decodeImage } from '../journal/image.ts'
import type { Journal } from '../journal/port.ts'
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
  const bases = await findBases(place)
  for (const base of bases) {
    const stored = await readBase(place, base, storeId)
    if (stored === undefined) continue
    const image = await sealed.openImage(stored)
    const decoded = decodeImage(image)
    if ('reason' in decoded) continue
    await sealed.saveBase({ generation: 1, segments: image.segments, floor: decoded.head })
    return
  }
  if (bases.length === 0 && (await hasReadableEntry(sealed, place, storeId))) return
  const files = [...(await namesOf(place, 'base')), ...(await namesOf(place, 'log'))]
  if (files.length > 0)
    throw new MemoryError('STORE_LOST', 'The storage of this memory came back empty, and no mirror of it can be read', {
      storeId,
      reason: 'the mirrors are damaged',
      files: files.length,
    })
}

async function hasReadableEntry(sealed: SealedJournal, place: MirrorPlace, storeId: string): Promise<boolean> {
  for (const { entries } of await readLogs(place, storeId))
    for (const { seq, bytes } of await sealed.openEntries(entries)) if (!('problem' in decodeEntry(seq, bytes))) return true
  return false
}
