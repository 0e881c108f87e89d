/**
 * Stored images: a base and its deltas, as bytes. Version 1:
 *
 * | blob | layout |
 * |---|---|
 * | base segment 0 | JSON header `{v, head, chain, sizeBytes, sha256: [of each further segment]}`, sealed |
 * | base segment 1.. | the SQLite file in pieces of `SEGMENT_BYTES` |
 * | delta | u32 LE length of header, JSON header `{v, head, chain, sizeBytes, pages: [index]}`, the pages, sealed |
 *
 * Sealed: the SHA-256 of everything before it stands at the end.
 *
 * `head` is the last entry folded in, `chain` its hash: the anchor of the tail's chain. Pages are `PAGE_BYTES` long.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { StoredImage } from './port.ts'

export const PAGE_BYTES = 4096
const SEGMENT_BYTES: number = 4 * 1024 * 1024

export interface ImagePoint {
  readonly head: number
  readonly chain: string
}

export interface LoadedImage extends ImagePoint {
  readonly bytes: Uint8Array
  readonly generation: number
  /** How many deltas are in it, and their size together. */
  readonly deltas: number
  readonly deltaBytes: number
  /** Deltas that were there and could not be read, in words. */
  readonly damaged: readonly string[]
}

const SEAL_BYTES = 32
const encoder = new TextEncoder()
const decoder = new TextDecoder()

export function encodeBase(image: Uint8Array, point: ImagePoint): Uint8Array[] {
  const segments: Uint8Array[] = []
  for (let at = 0; at < image.length; at += SEGMENT_BYTES) segments.push(image.slice(at, at + SEGMENT_BYTES))
  const header = { v: 1, ...point, sizeBytes: image.length, sha256: segments.map(segment => bytesToHex(sha256(segment))) }
  return [seal(encoder.encode(JSON.stringify(header))), ...segments]
}

export function encodeDelta(image: Uint8Array, pages: readonly number[], point: ImagePoint): Uint8Array {
  const body = new Uint8Array(pages.length * PAGE_BYTES)
  pages.forEach((page, index) => body.set(image.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES), index * PAGE_BYTES))
  const header = encoder.encode(JSON.stringify({ v: 1, ...point, sizeBytes: image.length, pages }))
  const bytes = new Uint8Array(4 + header.length + body.length)
  new DataView(bytes.buffer).setUint32(0, header.length, true)
  bytes.set(header, 4)
  bytes.set(body, 4 + header.length)
  return seal(bytes)
}

function seal(content: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(content.length + SEAL_BYTES)
  sealed.set(content)
  sealed.set(sha256(content), content.length)
  return sealed
}

/** What was sealed; undefined where it is not as it was. */
function unseal(sealed: Uint8Array): Uint8Array | undefined {
  const content = sealed.subarray(0, Math.max(0, sealed.length - SEAL_BYTES))
  return bytesToHex(sha256(content)) === bytesToHex(sealed.subarray(content.length)) ? content : undefined
}

/**
 * Puts an image together: the base, and its deltas up to the first that cannot be read.
 * @returns what is wrong with the base where it cannot be read
 */
export function decodeImage(stored: StoredImage): LoadedImage | { readonly reason: string } {
  const base = decodeBase(stored.segments)
  if ('reason' in base) return base
  let { bytes } = base
  let point: ImagePoint = { head: base.head, chain: base.chain }
  const damaged: string[] = []
  let applied = 0
  let deltaBytes = 0
  for (const blob of stored.deltas) {
    const delta = decodeDelta(blob)
    if ('reason' in delta) {
      // Later deltas build on this one: without it they would mix two states.
      damaged.push(`delta ${stored.generation}.${applied + 1}: ${delta.reason}`)
      break
    }
    if (delta.sizeBytes !== bytes.length) {
      const grown = new Uint8Array(delta.sizeBytes)
      grown.set(bytes.subarray(0, delta.sizeBytes))
      bytes = grown
    }
    delta.pages.forEach((page, index) =>
      bytes.set(delta.body.subarray(index * PAGE_BYTES, (index + 1) * PAGE_BYTES), page * PAGE_BYTES),
    )
    point = { head: delta.head, chain: delta.chain }
    applied++
    deltaBytes += blob.length
  }
  return { ...point, bytes, generation: stored.generation, deltas: applied, deltaBytes, damaged }
}

function decodeBase(
  segments: readonly Uint8Array[],
): (ImagePoint & { readonly bytes: Uint8Array }) | { readonly reason: string } {
  const [first, ...pieces] = segments
  if (first === undefined) return { reason: 'no segments' }
  try {
    const content = unseal(first)
    if (content === undefined) return { reason: 'header: checksum mismatch' }
    const header = JSON.parse(decoder.decode(content)) as {
      v: number
      head: number
      chain: string
      sizeBytes: number
      sha256: string[]
    }
    if (header.v !== 1) return { reason: `version ${header.v}` }
    if (header.sha256.length !== pieces.length) return { reason: `${pieces.length} segments of ${header.sha256.length}` }
    const bytes = new Uint8Array(header.sizeBytes)
    let at = 0
    for (const [index, piece] of pieces.entries()) {
      if (bytesToHex(sha256(piece)) !== header.sha256[index]) return { reason: `segment ${index + 1}: checksum mismatch` }
      bytes.set(piece, at)
      at += piece.length
    }
    return { head: header.head, chain: header.chain, bytes }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

function decodeDelta(
  blob: Uint8Array,
):
  | (ImagePoint & { readonly sizeBytes: number; readonly pages: readonly number[]; readonly body: Uint8Array })
  | { readonly reason: string } {
  try {
    const content = unseal(blob)
    if (content === undefined) return { reason: 'checksum mismatch' }
    const length = new DataView(content.buffer, content.byteOffset, content.byteLength).getUint32(0, true)
    const header = JSON.parse(decoder.decode(content.subarray(4, 4 + length))) as {
      v: number
      head: number
      chain: string
      sizeBytes: number
      pages: number[]
    }
    if (header.v !== 1) return { reason: `version ${header.v}` }
    const body = content.subarray(4 + length)
    return { head: header.head, chain: header.chain, sizeBytes: header.sizeBytes, pages: header.pages, body }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}
