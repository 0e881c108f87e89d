/**
 * How entries lie in a journal file: a line that a person can read, the bytes as they were given, a line feed.
 *
 * ```
 * {"seq":12,"part":1,"parts":2,"sizeBytes":345,"sum":"9f3a6c21d0e4b788","check":"51c0aa93be7f0d12"}
 * …345 bytes…
 * {"sealed":13,"check":"0d7716e2f08c4ab5"}
 * ```
 *
 * | field       | meaning                                                                                              |
 * |-------------|------------------------------------------------------------------------------------------------------|
 * | part, parts | which of the entries of one append this is: an append that is not whole at the end is not there at all |
 * | sum         | first 64 bits of SHA-256 of the bytes                                                                |
 * | check       | the same of the file's salt and the line up to here: a line that only looks like one, inside somebody's bytes, does not pass |
 * | sealed      | the file was ended on purpose, with this entry as the highest: what is missing before it was damaged later |
 */
import { hash } from 'node:crypto'
import type { StoredEntry } from '@palimpsest/core'

export interface EntryFrame {
  readonly kind: 'entry'
  readonly seq: number
  readonly part: number
  readonly parts: number
  readonly sum: string
  /** Offsets in the file: the frame, and the entry's own bytes in it. Half-open. */
  readonly from: number
  readonly to: number
  readonly bytesFrom: number
  readonly bytesTo: number
}

export interface SealFrame {
  readonly kind: 'seal'
  readonly seq: number
  readonly from: number
  readonly to: number
}

/** Bytes that are neither: what a crash left, or what was damaged. */
export interface DamagedFrame {
  readonly kind: 'damage'
  readonly from: number
  readonly to: number
}

export type Frame = EntryFrame | SealFrame | DamagedFrame

const ENTRY_LINE = /^\{"seq":(\d{1,16}),"part":(\d{1,16}),"parts":(\d{1,16}),"sizeBytes":(\d{1,16}),"sum":"([0-9a-f]{16})"$/
const SEAL_LINE = /^\{"sealed":(\d{1,16})$/
const CHECK = /^,"check":"([0-9a-f]{16})"\}$/
const CHECK_LENGTH = ',"check":"0123456789abcdef"}'.length
/** What both kinds of line begin with. */
const BEGIN = '{"se'
const LONGEST_LINE = 200
const LINE_FEED = 0x0a

/** The first 64 bits of SHA-256, in hex: against damage and look-alikes, not against somebody who rewrites the file. */
export function sumOf(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex').slice(0, 16)
}

/** The frames of one append, in one buffer, to be written at offset `at` of the file. */
export function encodeAppend(
  entries: readonly StoredEntry[],
  salt: string,
  at: number,
): { bytes: Uint8Array; frames: EntryFrame[] } {
  const pieces: Uint8Array[] = []
  const frames: EntryFrame[] = []
  let from = at
  for (const [i, { seq, bytes }] of entries.entries()) {
    const [part, parts, sum, sizeBytes] = [i + 1, entries.length, sumOf(bytes), bytes.byteLength]
    const head = line(`{"seq":${seq},"part":${part},"parts":${parts},"sizeBytes":${sizeBytes},"sum":"${sum}"`, salt)
    const bytesFrom = from + head.byteLength
    const to = bytesFrom + sizeBytes + 1
    frames.push({ kind: 'entry', seq, part, parts, sum, from, to, bytesFrom, bytesTo: bytesFrom + sizeBytes })
    pieces.push(head, bytes, Uint8Array.of(LINE_FEED))
    from = to
  }
  return { bytes: Buffer.concat(pieces), frames }
}

export function encodeSeal(seq: number, salt: string): Uint8Array {
  return line(`{"sealed":${seq}`, salt)
}

function line(text: string, salt: string): Uint8Array {
  return Buffer.from(`${text},"check":"${sumOf(salt + text)}"}\n`, 'latin1')
}

/** The whole file as frames, without holes. Damage hides nothing behind it. */
export function scanFrames(file: Uint8Array, salt: string): Frame[] {
  const buffer = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const frames: Frame[] = []
  let at = 0
  while (at < buffer.length) {
    const frame = frameAt(buffer, salt, at) ?? damageFrom(buffer, salt, at)
    frames.push(frame)
    at = frame.to
  }
  return frames
}

/** The frame that begins at `from`, where its line and its bytes are as they were written. */
function frameAt(buffer: Buffer, salt: string, from: number): EntryFrame | SealFrame | undefined {
  const head = lineAt(buffer, salt, from)
  if (!head) return undefined
  const seal = SEAL_LINE.exec(head.text)
  if (seal) return { kind: 'seal', seq: Number(seal[1]), from, to: head.to }
  const fields = ENTRY_LINE.exec(head.text)
  if (!fields) return undefined
  const [seq = 0, part = 0, parts = 0, sizeBytes = 0] = fields.slice(1, 5).map(Number)
  const sum = fields[5] ?? ''
  const bytesTo = head.to + sizeBytes
  // The line feed must be there, or the frame is not whole; it need not be right, unless the next frame stands in its place.
  if (bytesTo >= buffer.length || sumOf(buffer.subarray(head.to, bytesTo)) !== sum) return undefined
  const isGlued = buffer[bytesTo] !== LINE_FEED && lineAt(buffer, salt, bytesTo) !== undefined
  return { kind: 'entry', seq, part, parts, sum, from, to: isGlued ? bytesTo : bytesTo + 1, bytesFrom: head.to, bytesTo }
}

/** From `from` to the next line that is one of ours, or to the end. */
function damageFrom(buffer: Buffer, salt: string, from: number): DamagedFrame {
  // Not by line: the line feed before it may be what was damaged.
  for (let to = buffer.indexOf(BEGIN, from + 1, 'latin1'); to !== -1; to = buffer.indexOf(BEGIN, to + 1, 'latin1')) {
    if (lineAt(buffer, salt, to)) return { kind: 'damage', from, to }
  }
  return { kind: 'damage', from, to: buffer.length }
}

/** The text of a line whose check is right, without the check; `to` is behind its line feed. */
function lineAt(buffer: Buffer, salt: string, from: number): { readonly text: string; readonly to: number } | undefined {
  const feed = buffer.subarray(from, from + LONGEST_LINE).indexOf(LINE_FEED)
  if (feed < CHECK_LENGTH) return undefined
  const whole = buffer.toString('latin1', from, from + feed)
  const text = whole.slice(0, -CHECK_LENGTH)
  const check = CHECK.exec(whole.slice(-CHECK_LENGTH))?.[1]
  return check === sumOf(salt + text) ? { text, to: from + feed + 1 } : undefined
}
