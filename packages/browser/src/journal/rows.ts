/**
 * What stands in the database, and under which keys. This is version 1, for ever: another layout is another database name.
 *
 * | store     | key              | row                                                                      |
 * |-----------|------------------|--------------------------------------------------------------------------|
 * | `journal` | seq              | `{ seq, bytes }`                                                         |
 * | `base`    | [generation, i]  | `{ generation, i, bytes }`, i from 0                                     |
 * | `delta`   | [generation, n]  | `{ generation, n, bytes }`, n from 1                                     |
 * | `meta`    | key              | `{ key, value }`, one row each:                                          |
 * |           |                  | `image`: ImageState                                                      |
 * |           |                  | `keyring`: its bytes; `keyringState`: `{ revision, sizeBytes }`          |
 * |           |                  | `incarnation`, `storeId`, `deviceId`: a text                             |
 */
import type { StoredEntry } from '@palimpsest/core'

export const JOURNAL = 'journal'
export const BASE = 'base'
export const DELTA = 'delta'
export const META = 'meta'

/** Dexie's way to declare the four stores. */
export const STORES: Readonly<Record<string, string>> = {
  [JOURNAL]: 'seq',
  [BASE]: '[generation+i]',
  [DELTA]: '[generation+n]',
  [META]: 'key',
}

/** Dexie multiplies its version numbers by ten. */
export const NATIVE_VERSION = 10

export interface MetaRow {
  readonly key: string
  readonly value: unknown
}

/** The row `image` of `meta`: read and written only inside the transaction that it guards. */
export interface ImageState {
  readonly generation: number
  readonly deltas: number
  readonly floor: number
  /** Bytes of base and deltas, by generation. */
  readonly sizesBytes: Readonly<Record<number, number>>
}

const NO_IMAGE: ImageState = { generation: 0, deltas: 0, floor: 0, sizesBytes: {} }

/** The value of the row `image` as a `get` returned it. */
export function imageState(row: unknown): ImageState {
  return ((row as MetaRow | undefined)?.value as ImageState | undefined) ?? NO_IMAGE
}

/** The entry as a row. A view is copied: structured clone would store the whole buffer behind it. */
export function entryRow(entry: StoredEntry): StoredEntry {
  return { seq: entry.seq, bytes: ownBytes(entry.bytes) }
}

export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice()
}

/** Every row of one generation in `base` or `delta`; an array sorts behind every number. */
export function generationRange(generation: number): IDBKeyRange {
  return IDBKeyRange.bound([generation], [generation, []])
}
