/** Entries with content that can be recognised, and journals told in numbers and texts. */
import type { Journal, StoredEntry } from '@palimpsest/core'

export function entry(seq: number, text: string = `entry ${seq}`): StoredEntry {
  return { seq, bytes: Uint8Array.from(Buffer.from(text)) }
}

export function entries(from: number, to: number): StoredEntry[] {
  return Array.from({ length: to - from + 1 }, (_, i) => entry(from + i))
}

export async function textsIn(journal: Journal): Promise<string[]> {
  return (await journal.read(0)).map(({ bytes }) => Buffer.from(bytes).toString())
}

export async function seqsIn(journal: Journal): Promise<number[]> {
  return (await journal.read(0)).map(({ seq }) => seq)
}
