/** The least that a mirror can be given. */
import type { BaseWrite, StoredEntry } from '../../src/journal/port.ts'

export const IDENTITY = { storeId: 'a store', deviceId: 'a device' }

export function entry(seq: number): StoredEntry {
  return { seq, bytes: Uint8Array.of(seq) }
}

export function base(generation: number, floor: number): BaseWrite {
  return { generation, floor, segments: [Uint8Array.of(generation)] }
}
