/**
 * A file of the mirror: frames one after the other, of which the first is a JSON header. Version 1:
 *
 * | bytes of a frame | what |
 * |---|---|
 * | 0..3 | u32 LE, length of the payload |
 * | 4..11 | first 8 bytes of the payload's SHA-256 |
 * | 12.. | the payload |
 *
 * | file | name | header | further frames |
 * |---|---|---|---|
 * | identity | `identity-ID` | `{v, storeId, deviceId}` | |
 * | keyring | `keyring-REVISION-ID` | `{v, storeId, revision}` | the keyring |
 * | log | `log-ID` | `{v, storeId}` | f64 LE sequence number, then the entry as the journal stores it |
 * | base | `base-GENERATION-FLOOR-ID` | `{v, storeId}` | its segments, as the journal stores them |
 * | whole | `whole-GENERATION-FLOOR-ID` | `{v, storeId}` | none: it says that the base of this name is complete |
 *
 * A file is written once, from front to back; a cut end is what a killed writer leaves.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { StoredEntry } from '../journal/port.ts'

const HEADER_BYTES = 12
const SUM_BYTES = 8
const SEQ_BYTES = 8

export function encodeFrame(payload: Uint8Array): Uint8Array {
  const frame = new Uint8Array(HEADER_BYTES + payload.length)
  new DataView(frame.buffer).setUint32(0, payload.length, true)
  frame.set(sha256(payload).subarray(0, SUM_BYTES), 4)
  frame.set(payload, HEADER_BYTES)
  return frame
}

export interface ReadFrames {
  readonly frames: readonly Uint8Array[]
  /** Frames whose checksum is wrong, and a cut end: they are left out. */
  readonly damaged: number
}

export function readFrames(bytes: Uint8Array): ReadFrames {
  const frames: Uint8Array[] = []
  let damaged = 0
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < bytes.length;) {
    const length = at + HEADER_BYTES <= bytes.length ? view.getUint32(at, true) : Infinity
    const end = at + HEADER_BYTES + length
    if (end > bytes.length) return { frames, damaged: damaged + 1 }
    const payload = bytes.subarray(at + HEADER_BYTES, end)
    const sum = sha256(payload)
    if (bytes.subarray(at + 4, at + HEADER_BYTES).every((byte, i) => byte === sum[i])) frames.push(payload)
    else damaged++
    at = end
  }
  return { frames, damaged }
}

export interface FileHeader {
  readonly v: 1
  readonly storeId: string
  readonly deviceId?: string
  readonly revision?: number
}

export function encodeHeader(header: FileHeader): Uint8Array {
  return encodeFrame(utf8ToBytes(JSON.stringify(header)))
}

/** @returns undefined where it is not a header of this version */
export function decodeHeader(frame: Uint8Array | undefined): FileHeader | undefined {
  try {
    const header = JSON.parse(new TextDecoder('utf-8').decode(frame ?? new Uint8Array(0))) as FileHeader
    return header.v === 1 && typeof header.storeId === 'string' ? header : undefined
  } catch {
    return undefined
  }
}

export function encodeLogEntry({ seq, bytes }: StoredEntry): Uint8Array {
  const number = new Uint8Array(SEQ_BYTES)
  new DataView(number.buffer).setFloat64(0, seq, true)
  return encodeFrame(concatBytes(number, bytes))
}

export function decodeLogEntry(frame: Uint8Array): StoredEntry {
  const seq = new DataView(frame.buffer, frame.byteOffset, frame.byteLength).getFloat64(0, true)
  return { seq, bytes: frame.slice(SEQ_BYTES) }
}
