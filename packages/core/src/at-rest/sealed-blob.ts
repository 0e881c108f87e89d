/**
 * A sealed blob: an entry, a segment of a base, or a delta, as the journal below stores it. Version 1:
 *
 * | bytes | what |
 * |---|---|
 * | 0..7 | 0xF5, `PSEAL`, 0, 1; no entry, image or page of SQLite begins like this |
 * | 8..11 | u32 LE, id of the key |
 * | 12.. | nonce (12), AES-256-GCM ciphertext and tag (16); or the bytes as they are, under a key that does not encrypt |
 *
 * Bound to its place (additional data): store, kind, and sequence number or generation and index. Moved elsewhere it does
 * not open.
 */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { StoreKeys } from './store-keys.ts'

const MAGIC = Uint8Array.of(0xf5, 0x50, 0x53, 0x45, 0x41, 0x4c, 0, 1)
const HEADER_BYTES: number = MAGIC.length + 4

/** Where a blob belongs. */
export type BlobPlace =
  | { readonly kind: 'entry'; readonly seq: number }
  | { readonly kind: 'segment' | 'delta'; readonly generation: number; readonly index: number }

export function isSealed(bytes: Uint8Array): boolean {
  return bytes.length >= HEADER_BYTES && MAGIC.every((byte, at) => bytes[at] === byte)
}

export async function sealBlob(keys: StoreKeys, place: BlobPlace, bytes: Uint8Array): Promise<Uint8Array> {
  const { current } = keys
  const cipher = await keys.cipher(current)
  const content = cipher === undefined ? bytes : await cipher.seal(bytes, boundTo(keys.storeId, place))
  const blob = new Uint8Array(HEADER_BYTES + content.length)
  blob.set(MAGIC)
  new DataView(blob.buffer).setUint32(MAGIC.length, current.id, true)
  blob.set(content, HEADER_BYTES)
  return blob
}

/** @returns nothing (an empty array) where it cannot be opened: the checksums inside tell damage from content */
export async function openBlob(keys: StoreKeys, place: BlobPlace, bytes: Uint8Array): Promise<Uint8Array> {
  if (!isSealed(bytes)) return (await keys.find(0)) === undefined ? NOTHING : bytes
  const entry = await keys.find(keyOf(bytes))
  // Id 0 is for bytes without a header; a header that claims it was not written by us.
  if (entry === undefined || entry.id === 0) return NOTHING
  const content = bytes.subarray(HEADER_BYTES)
  const cipher = await keys.cipher(entry)
  if (cipher === undefined) return content.slice()
  return (await cipher.open(content, boundTo(keys.storeId, place))) ?? NOTHING
}

/** Was it sealed under a key that has been dropped since? Keys go only when a base holds whatever was under them. */
export function isUnderDroppedKey(keys: StoreKeys, bytes: Uint8Array): boolean {
  return isSealed(bytes) && keyOf(bytes) < keys.oldest.id
}

function keyOf(sealed: Uint8Array): number {
  return new DataView(sealed.buffer, sealed.byteOffset).getUint32(MAGIC.length, true)
}

const NOTHING = new Uint8Array(0)

function boundTo(storeId: string, place: BlobPlace): Uint8Array {
  const where = place.kind === 'entry' ? `${place.seq}` : `${place.generation}.${place.index}`
  return utf8ToBytes(`palimpsest v1 ${storeId} ${place.kind} ${where}`)
}
