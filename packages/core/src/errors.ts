/**
 * The one error class of Palimpsest and the published table of its codes.
 *
 * `docs/errors.md` is generated from this table; a code is never renamed or reused.
 */

/** What one code means: when it is raised, whether the same call may succeed later, and what to do. */
export interface ErrorCodeEntry {
  readonly when: string
  readonly retryable: boolean
  readonly todo: string
  /** By `details.reason`, where something else is to be done than for the code at large. */
  readonly reasons?: Readonly<Record<string, ErrorReason>>
}

export interface ErrorReason {
  readonly when: string
  /** Default as the code. */
  readonly retryable?: boolean
  readonly todo: string
}

/** Published codes. */
export type ErrorCode =
  | 'INVALID_ARGUMENT'
  | 'INVALID_INSTANT'
  | 'INVALID_INTERVAL'
  | 'INVALID_NAME'
  | 'INVALID_VALUE'
  | 'VALUE_REFUSED'
  | 'UNKNOWN_ATTRIBUTE'
  | 'INVALID_SCHEMA'
  | 'TOO_LARGE'
  | 'NOT_FOUND'
  | 'ERASED'
  | 'ALREADY_EXISTS'
  | 'QUOTE_NOT_FOUND'
  | 'CONFLICT'
  | 'FACT_CHANGED'
  | 'KEY_REUSED'
  | 'EMPTY_SCOPE'
  | 'PLAN_STALE'
  | 'NOT_READ_ONLY'
  | 'QUERY_FAILED'
  | 'ABORTED'
  | 'CLOSED'
  | 'LOCKED'
  | 'READ_ONLY'
  | 'NOT_STORED'
  | 'STORE_CORRUPT'
  | 'STORE_UNAVAILABLE'
  | 'STORE_LOST'
  | 'KEY_NEEDED'
  | 'KEY_WRONG'
  | 'KEY_DAMAGED'
  | 'KEY_MISSING'
  | 'WORKER_LOST'
  | 'FILE_INVALID'
  | 'EXTRACTION_FAILED'
  | 'INTERNAL'

export const ERROR_CODES: Readonly<Record<ErrorCode, ErrorCodeEntry>> = {
  INVALID_ARGUMENT: {
    when: 'an argument has the wrong shape; `details.field` names it',
    retryable: false,
    todo: 'Correct the named field.',
  },
  INVALID_INSTANT: {
    when: 'a time is not ISO 8601 with an offset, is not a real date, or lies outside the years 0001 to 9999',
    retryable: false,
    todo: 'Give an instant such as 2026-06-30T09:00:00Z, a bare date with a time zone known, or a Date.',
  },
  INVALID_INTERVAL: {
    when: '`validUntil` is not after `validFrom`',
    retryable: false,
    todo: 'Swap or correct the two instants; the end is exclusive.',
  },
  INVALID_NAME: {
    when: 'a subject, attribute or tenant is empty, blank, too long or holds control characters',
    retryable: false,
    todo: 'Give a name with at least one visible character.',
  },
  INVALID_VALUE: {
    when: 'a value is not JSON: NaN, infinite, an unsafe integer, undefined, a lone surrogate, a cycle, an own `__proto__`',
    retryable: false,
    todo: 'Give a JSON value; write large integers as strings.',
  },
  VALUE_REFUSED: {
    when: "the value does not fit the attribute's schema",
    retryable: false,
    todo: 'Correct the value; `details.issues` lists what the schema said.',
  },
  UNKNOWN_ATTRIBUTE: {
    when: 'the schema refuses attributes it does not declare, and this is one',
    retryable: false,
    todo: 'Declare the attribute, or set `unknownAttributes` to accept.',
  },
  INVALID_SCHEMA: {
    when: 'defineSchema was given something it cannot use',
    retryable: false,
    todo: 'Correct the named part of the schema.',
  },
  TOO_LARGE: {
    when: 'a value is over 256 KiB, a record over 1 MiB, deeper than 16 levels or with more than 64 keys in one object',
    retryable: false,
    todo: 'Store less in one record; keep the rest outside and give its `uri`.',
  },
  NOT_FOUND: {
    when: 'the id names nothing in this tenant',
    retryable: false,
    todo: 'Check the id; ids of other tenants are never found.',
  },
  ERASED: {
    when: 'the id was forgotten; it never returns',
    retryable: false,
    todo: 'Say the thing again under a new id if it should be remembered.',
  },
  ALREADY_EXISTS: {
    when: 'an episode with this id and other content is already there',
    retryable: false,
    todo: 'Use another id, or leave it out.',
  },
  QUOTE_NOT_FOUND: {
    when: 'the quote does not stand in the source episode',
    retryable: false,
    todo: 'Give a passage exactly as it stands in the episode.',
  },
  CONFLICT: {
    when: 'another value already starts at the same second and the policy of the attribute does not decide',
    retryable: false,
    todo: 'Give another `validFrom`, or `correct` the fact that is there.',
  },
  FACT_CHANGED: {
    when: '`ifFact` names another fact than the one that holds now',
    retryable: false,
    todo: 'Read again and decide again.',
  },
  KEY_REUSED: {
    when: 'the idempotency key was used before for a different call',
    retryable: false,
    todo: 'Use a new key for a new call.',
  },
  EMPTY_SCOPE: {
    when: 'a scope to forget is empty or names nothing',
    retryable: false,
    todo: 'Name exactly one thing to forget.',
  },
  PLAN_STALE: {
    when: 'the memory changed since the plan was made, and the plan no longer says what would happen',
    retryable: true,
    todo: 'Make the plan again and look at it.',
  },
  NOT_READ_ONLY: {
    when: '`memory.query` was given something other than one reading statement',
    retryable: false,
    todo: 'Use select, with or values; write through the handle of a tenant.',
  },
  QUERY_FAILED: {
    when: 'SQLite refused the statement of `memory.query`',
    retryable: false,
    todo: 'Correct the SQL; `details.reason` is what SQLite said.',
  },
  ABORTED: {
    when: 'the signal was aborted before the commit; nothing was written',
    retryable: true,
    todo: 'Call again if it is still wanted.',
  },
  CLOSED: {
    when: 'the memory was closed',
    retryable: false,
    todo: 'Open it again.',
  },
  LOCKED: {
    when: 'another process has the directory open',
    retryable: true,
    todo: 'Close the other process; `details.pid` names it where known.',
  },
  READ_ONLY: {
    when: 'newer code wrote something to the store that this version does not know',
    retryable: false,
    todo: 'Update the application (in a page: reload it). Where the store is open, reading goes on.',
  },
  NOT_STORED: {
    when: "the journal could not make the write durable; nothing was written, or with `details.outcome: 'unknown'` (any code) that is not known",
    retryable: true,
    todo: 'Look at `details.reason` (quota, disk, lost connection) and try again; where the outcome is unknown, with the same `key`.',
  },
  STORE_CORRUPT: {
    when: 'no generation of the store can be read',
    retryable: false,
    todo: 'Restore from an exported file.',
  },
  STORE_UNAVAILABLE: {
    when: 'the place of storage cannot be opened or reached',
    retryable: true,
    todo: 'Look at `details.reason` (blocked, no access, no room), put it right and try again.',
    reasons: {
      'no IndexedDB': {
        when: 'the browser offers no IndexedDB here',
        retryable: false,
        todo: 'Leave the private window, allow the site to store data, or use another browser; `ephemeral: true` opens a memory that keeps nothing.',
      },
      'insecure context': {
        when: 'the page has no encryption to offer',
        retryable: false,
        todo: "Serve the page over https or from localhost, or open with `atRest: { kind: 'off' }`.",
      },
      'no mirror': {
        when: "`durability: 'mirrored'`, where there is no place for a mirror",
        retryable: false,
        todo: 'Open it with another `durability`, or where there is a private file system.',
      },
      sqlite: {
        when: 'the wasm of SQLite did not load',
        todo: 'Open it with a new worker (in a page: reload it): the old one keeps the failure.',
      },
      newer: {
        when: 'newer code changed where the store lies',
        retryable: false,
        todo: 'Update the application (in a page: reload it).',
      },
      deleted: {
        when: 'its storage was cleared or deleted while it was in use',
        todo: 'Close it and open it again: what its mirror holds comes back.',
      },
      deleting: {
        when: 'somebody is deleting the store',
        todo: 'Wait for that, then open it again.',
      },
      held: {
        when: 'another tab holds what is to be deleted',
        todo: 'Close the other tabs of this site, then try again.',
      },
      blocked: {
        when: 'another tab does not let go of the database',
        todo: 'Close or reload the other tabs of this site, then try again.',
      },
      busy: {
        when: 'others were faster every time',
        todo: 'Try again.',
      },
      foreign: {
        when: 'the directory holds something else',
        retryable: false,
        todo: 'Give another directory.',
      },
      'lock removed': {
        when: "somebody removed the directory's lock",
        todo: 'Close it and open it again, in one process.',
      },
    },
  },
  STORE_LOST: {
    when: 'this device has had this store, its storage came back empty, and no mirror can restore it; nothing was written',
    retryable: false,
    todo: "Import an exported file into a store opened with `ifLost: 'startNew'`, which begins an empty one.",
  },
  KEY_NEEDED: {
    when: 'the store is locked by a passphrase or a key, and none was given; `details.lock` says which',
    retryable: true,
    todo: 'Open it with `atRest` as `details.lock` says. Nothing was changed.',
  },
  KEY_WRONG: {
    when: 'the passphrase or key does not open the store, or the store is locked in another way; `details.lock` says which',
    retryable: true,
    todo: 'Ask for it again. Nothing was changed.',
  },
  KEY_DAMAGED: {
    when: 'every copy of the keyring fails its checksum, or asks for more memory than any keyring needs',
    retryable: false,
    todo: 'Restore the keyring from a backup of the device, or import an exported file into a new store. Nothing was changed.',
  },
  KEY_MISSING: {
    when: 'the store holds encrypted data, and no keyring is there',
    retryable: false,
    todo: 'Restore the keyring from a backup of the device, or import an exported file into a new store. Nothing was changed.',
  },
  WORKER_LOST: {
    when: 'the worker died or did not answer in time; whether a pending write was stored is not known',
    retryable: true,
    todo: 'Open again with a new worker; repeat writes with the same `key`.',
  },
  FILE_INVALID: {
    when: 'a memory file cannot be trusted: not the format, cut, changed, or over a limit; `details.line` names the line',
    retryable: false,
    todo: 'Take the file again from its source; nothing was written.',
  },
  EXTRACTION_FAILED: {
    when: 'the extractor failed; the episode is kept',
    retryable: true,
    todo: 'Call again, or state the fact with `assert`.',
  },
  INTERNAL: {
    when: 'something that should be impossible happened',
    retryable: false,
    todo: 'Report it with the message.',
  },
}

/** JSON-safe facts about an error; never the content of a memory beyond the offending field's name. */
export type ErrorDetails = Readonly<Record<string, unknown>>

/** A MemoryError as plain data, the form in which it crosses a worker boundary. */
export interface ErrorEnvelope {
  readonly code: ErrorCode
  readonly message: string
  readonly details: ErrorDetails
}

const BRAND = 'palimpsest.MemoryError'

/** Every error that a call of Palimpsest raises on purpose. */
export class MemoryError extends Error {
  override readonly name: string = 'MemoryError'
  /** Lets `MemoryError.is` recognise errors of another copy of this module. */
  readonly brand: string = BRAND
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
    this.retryable = reasonOf(code, details)?.retryable ?? ERROR_CODES[code].retryable
    this.details = details
  }

  /** What to do about it, as docs/errors.md says: by its `details.reason` where that is known, else by its code. */
  get todo(): string {
    return reasonOf(this.code, this.details)?.todo ?? ERROR_CODES[this.code].todo
  }

  static is(error: unknown, code?: ErrorCode): error is MemoryError {
    const candidate = error as Partial<MemoryError> | null | undefined
    return (
      typeof candidate === 'object' &&
      candidate !== null &&
      candidate.brand === BRAND &&
      (code === undefined || candidate.code === code)
    )
  }

  toEnvelope(): ErrorEnvelope {
    return { code: this.code, message: this.message, details: this.details }
  }

  static fromEnvelope(envelope: ErrorEnvelope): MemoryError {
    return new MemoryError(envelope.code, envelope.message, envelope.details)
  }
}

function reasonOf(code: ErrorCode, { reason }: ErrorDetails): ErrorReason | undefined {
  const { reasons = {} } = ERROR_CODES[code]
  return typeof reason === 'string' && Object.hasOwn(reasons, reason) ? reasons[reason] : undefined
}

/** Any thrown thing as a MemoryError: a MemoryError as it is, everything else as INTERNAL with its message. */
export function toMemoryError(error: unknown): MemoryError {
  if (MemoryError.is(error)) return error
  // sql.js throws strings for some failures, so `message` cannot be assumed.
  const reason = error instanceof Error ? error.message : String(error)
  return new MemoryError('INTERNAL', `Unexpected failure: ${reason}`, { reason }, { cause: error })
}
