/** What the contract suite asks of the journal under test and of the test runner, and the small things its tests share. */
import { MemoryError } from '../../errors.ts'
import type { ErrorCode } from '../../errors.ts'
import type { Journal, StoredEntry } from '../port.ts'

/** One new, empty store, opened. */
export interface JournalUnderTest {
  readonly journal: Journal
  /** Closes every replica of the store that is still open, then opens the same store anew, as after a restart. */
  reopen(): Promise<Journal>
  /** Another replica of the same store beside the first; undefined where a store takes one replica at a time. */
  second(): Promise<Journal> | undefined
  /** Closes what is open and removes the store. */
  cleanup(): Promise<void>
}

export interface JournalPlace {
  open(): Promise<JournalUnderTest>
}

export interface Matchers {
  toBe(expected: unknown): void
  toEqual(expected: unknown): void
  toBeGreaterThan(expected: number): void
}

export interface ContractTestContext {
  skip(why?: string): void
}

/** The part of a test runner's API that the suite uses; `{ describe, test, expect }` of vitest fits. */
export interface ContractApi {
  readonly describe: (name: string, body: () => void) => void
  readonly test: (name: string, body: (context: ContractTestContext) => Promise<void>, timeoutMs: number) => void
  readonly expect: (actual: unknown, message?: string) => Matchers
}

/** Defines one test with a new, empty store. */
export type WithJournal = (title: string, body: (under: JournalUnderTest, skip: (why: string) => void) => Promise<void>) => void

/** For what must hold before a restart and after it. */
export async function* beforeAndAfter(journal: Journal, reopen: () => Promise<Journal>): AsyncGenerator<Journal> {
  yield journal
  yield await reopen()
}

export function entry(seq: number, text: string = `entry ${seq}`): StoredEntry {
  return { seq, bytes: bytesOf(text) }
}

export function entries(from: number, to: number): StoredEntry[] {
  return Array.from({ length: to - from + 1 }, (_, i) => entry(from + i))
}

/** ASCII text as bytes: TextEncoder is not part of the language, and the core asks nothing else of its surroundings. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, character => character.charCodeAt(0))
}

export function textOf(bytes: Uint8Array): string {
  return Array.from(bytes, byte => String.fromCharCode(byte)).join('')
}

/** Bytes without a pattern, so that no engine can store them in less; the same for the same seed. */
export function noise(sizeBytes: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes)
  let state = seed >>> 0
  for (let i = 0; i < sizeBytes; i += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[i] = state >>> 24
  }
  return bytes
}

export async function seqsAfter(journal: Journal, after: number): Promise<number[]> {
  return (await journal.read(after)).map(stored => stored.seq)
}

export async function textsAfter(journal: Journal, after: number): Promise<string[]> {
  return (await journal.read(after)).map(stored => textOf(stored.bytes))
}

/** The code and details of the MemoryError that `promise` rejects with; anything else is given as it is. */
export async function refusal(promise: Promise<unknown>): Promise<{ code: ErrorCode; details: unknown } | { settled: unknown }> {
  try {
    return { settled: await promise }
  } catch (error) {
    return MemoryError.is(error) ? { code: error.code, details: error.details } : { settled: error }
  }
}

export async function refusalCode(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await refusal(promise)
  return 'code' in outcome ? outcome.code : outcome.settled
}
