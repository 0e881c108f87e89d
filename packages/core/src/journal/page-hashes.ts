/**
 * 64-bit hashes of an image's pages, to find those that changed. They are always those of the persisted image, whoever
 * wrote it, never of this replica's own history: images that hold the same rows differ in bytes.
 */
import xxhash from 'xxhash-wasm'
import { PAGE_BYTES } from './image.ts'

export type PageHashes = (image: Uint8Array) => BigUint64Array

/** XXH64, by xxhash-wasm: 12,000 pages take some ten milliseconds where JavaScript would take a hundred. */
export async function loadPageHashes(): Promise<PageHashes> {
  const { h64Raw } = await xxhash()
  return image => {
    const hashes = new BigUint64Array(Math.ceil(image.length / PAGE_BYTES))
    for (let page = 0; page < hashes.length; page++)
      hashes[page] = h64Raw(image.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES))
    return hashes
  }
}

/** Indexes of the pages that are new or differ. */
export function changedPages(before: BigUint64Array, after: BigUint64Array): number[] {
  const changed: number[] = []
  for (let page = 0; page < after.length; page++) if (page >= before.length || before[page] !== after[page]) changed.push(page)
  return changed
}
