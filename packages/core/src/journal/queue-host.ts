/** What commits need of the store around them. */
import { MemoryError, toMemoryError } from '../errors.ts'
import type { Journal, StoredEntry } from './port.ts'
import type { Replica } from './replica.ts'

/** Who opens a replica again, and who is told. */
export interface QueueHost {
  readonly journal: Journal
  replica(): Replica
  /** Applies what other replicas have appended; opens again where the floor has passed us. */
  catchUp(): Promise<void>
  /** Discards the image and opens it from the journal. */
  reopen(): Promise<void>
  /** Applies entries that this replica has just appended, and tells about it. */
  applyAppended(entries: readonly StoredEntry[]): void
  /** The transaction was rolled back: what was remembered of it is void. */
  forgetUncommitted(): void
  committed(entries: readonly StoredEntry[], tenants: ReadonlySet<string>): void
}

/** Another replica may win the race for a sequence number so often before this one gives up. */
export const MAX_COLLISIONS = 1000

/** What a failed append means where the journal cannot be asked: unless it was refused for certain, it may be stored. */
export function ifUnknown(error: unknown): MemoryError {
  const failure = toMemoryError(error)
  const { code, message, details } = failure
  if (code === 'NOT_STORED' || code === 'CLOSED' || code === 'LOCKED') return failure
  return new MemoryError(code, message, { ...details, outcome: 'unknown' }, { cause: error })
}

/** A write of which it is not known whether it is stored. */
export function isUnknown(error: unknown): boolean {
  return MemoryError.is(error) && error.details['outcome'] === 'unknown'
}
