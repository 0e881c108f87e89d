/**
 * One entry of the journal, as bytes. Version 1:
 *
 * | bytes | what |
 * |---|---|
 * | 0..31 | SHA-256 of everything after it |
 * | 32.. | UTF-8 JSON: `{v, seq, commit, part, parts, attempt?, prev, items: [{tenant, records}]}` |
 *
 * `prev` is the hash (hex) of the entry before: the chain. A commit larger than one entry is `parts` entries under one
 * commit id and one `attempt`, other entries in between or not, without effect before the last; part 0 gives the attempt up.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { AnyRecord, TenantRecord } from '../records/record.ts'
import { ENTRY_BYTES } from './limits.ts'

const ENTRY_VERSION = 1
/** The `prev` of the first entry. */
export const CHAIN_START: string = '0'.repeat(64)

export interface Entry {
  readonly v: number
  readonly seq: number
  readonly commit: string
  /** 1 to `parts`; 0 in the entry that gives an attempt up. */
  readonly part: number
  readonly parts: number
  /** Where there are several parts: which run of the operation made them. Parts of different runs do not mix. */
  readonly attempt?: string
  readonly prev: string
  readonly items: readonly EntryItem[]
}

export interface EntryItem {
  readonly tenant: string
  readonly records: readonly AnyRecord[]
}

/** An entry before it has its place in the journal. */
export type Unplaced = Pick<Entry, 'commit' | 'part' | 'parts' | 'attempt' | 'items'>

export interface DecodedEntry {
  readonly entry: Entry
  readonly hash: string
}

/** Why an entry cannot be read. `newer` is not damage: a later version wrote it. */
export interface UnreadableEntry {
  readonly problem: 'damaged' | 'newer'
  readonly reason: string
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })
const KINDS: ReadonlySet<string> = new Set([
  'episode',
  'extraction',
  'assertion',
  'decision',
  'schema',
  'erasure',
  'tenantKey',
  'operation',
])

export function encodeEntry(entry: Entry): { readonly bytes: Uint8Array; readonly hash: string } {
  const body = encoder.encode(JSON.stringify(entry))
  const digest = sha256(body)
  const bytes = new Uint8Array(32 + body.length)
  bytes.set(digest)
  bytes.set(body, 32)
  return { bytes, hash: bytesToHex(digest) }
}

export function decodeEntry(seq: number, bytes: Uint8Array): DecodedEntry | UnreadableEntry {
  const body = bytes.subarray(32)
  const hash = bytesToHex(sha256(body))
  if (bytes.length < 34 || hash !== bytesToHex(bytes.subarray(0, 32))) return { problem: 'damaged', reason: 'checksum mismatch' }
  let entry: Entry
  try {
    entry = JSON.parse(decoder.decode(body)) as Entry
  } catch (error) {
    return { problem: 'damaged', reason: error instanceof Error ? error.message : String(error) }
  }
  if (entry.v !== ENTRY_VERSION) return { problem: 'newer', reason: `entry version ${entry.v}` }
  if (entry.seq !== seq) return { problem: 'damaged', reason: `sequence ${entry.seq} under key ${seq}` }
  const unknown = entry.items.flatMap(item => item.records).find(record => !KINDS.has(record.kind))
  return unknown === undefined ? { entry, hash } : { problem: 'newer', reason: `record kind ${unknown.kind}` }
}

/** The hash of an entry without decoding it: what the next one names as `prev`. */
export function entryHash(bytes: Uint8Array): string {
  return bytesToHex(bytes.subarray(0, 32))
}

/** Gives an entry its place: after `prev`, as number `seq`. */
export function placeEntry(entry: Unplaced, seq: number, prev: string): { readonly bytes: Uint8Array; readonly hash: string } {
  const { commit, part, parts, attempt, items } = entry
  return encodeEntry({ v: ENTRY_VERSION, seq, commit, part, parts, ...(attempt === undefined ? {} : { attempt }), prev, items })
}

/** Splits the records of a commit into the items of its entries. */
export function partition(records: readonly TenantRecord[]): EntryItem[][] {
  const parts: { tenant: string; records: AnyRecord[] }[][] = [[]]
  let size = 0
  for (const { tenant, record } of records) {
    const length = JSON.stringify(record).length
    if (size > 0 && size + length > ENTRY_BYTES) {
      parts.push([])
      size = 0
    }
    size += length
    const part = parts.at(-1) as { tenant: string; records: AnyRecord[] }[]
    const group = part.at(-1)
    if (group?.tenant === tenant) group.records.push(record)
    else part.push({ tenant, records: [record] })
  }
  return parts
}
