/** `openMemory` for Node: a directory that one process has open at a time. */
import {
  createClient,
  localTransport,
  type AtRest,
  MemoryError,
  MemoryJournal,
  MemoryStore,
  openService,
  type Extractor,
  type Journal,
  type Memory,
  type Schema,
  type TimeSource,
} from '@palimpsest/core'
import { openDirectoryJournal } from './journal/open-directory.ts'

interface CommonOptions<S extends Schema> {
  /** Default: every attribute is single-valued JSON. */
  readonly schema?: S
  /** The first one serves `remember`. */
  readonly extractors?: readonly Extractor[]
  /** Where bare dates begin, IANA; default: the time zone of the process. */
  readonly timeZone?: string
  /** Milliseconds since 1970; default the wall clock. */
  readonly now?: TimeSource
}

export interface DirectoryOptions<S extends Schema> extends CommonOptions<S> {
  /** Made where it is missing. */
  readonly directory: string
  /** How the store is encrypted. Default: as it is; a new one with a key kept in the directory, which serves erasure, not secrecy. */
  readonly atRest?: AtRest
  /** Writes are acknowledged when the operating system has them, not the disk: they survive the process, not a power cut. Default false. */
  readonly relaxed?: boolean
  readonly ephemeral?: false
}

export interface EphemeralOptions<S extends Schema> extends CommonOptions<S> {
  /** Nothing is kept: everything is gone with `close`. */
  readonly ephemeral: true
}

/**
 * Opens a memory. What a write acknowledged is on disk (fsync), unless `relaxed` or `ephemeral` was asked for.
 * @throws {MemoryError} LOCKED when another process has the directory; STORE_UNAVAILABLE when it cannot be used;
 *   STORE_CORRUPT; KEY_NEEDED, KEY_WRONG, KEY_DAMAGED, KEY_MISSING; READ_ONLY when a newer version wrote it; INVALID_ARGUMENT
 */
export async function openMemory<S extends Schema = Schema>(
  options: DirectoryOptions<S> | EphemeralOptions<S>,
): Promise<Memory<S>> {
  if (typeof options !== 'object' || options === null)
    throw new MemoryError('INVALID_ARGUMENT', 'openMemory needs options with a directory, or ephemeral: true', {
      field: 'options',
    })
  const journal = await openJournal(options)
  try {
    const { schema, extractors, now } = options
    const service = await openService({
      journal,
      timeZone: options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      durability: options.ephemeral === true ? 'ephemeral' : options.relaxed === true ? 'relaxed' : 'strict',
      ...(schema === undefined ? {} : { schema }),
      ...(extractors === undefined ? {} : { extractors }),
      ...(now === undefined ? {} : { now }),
      ...(options.ephemeral === true || options.atRest === undefined ? {} : { atRest: options.atRest }),
    })
    return createClient<S>(localTransport(service))
  } catch (error) {
    // The lock of the directory must not outlive a memory that did not open.
    await journal.close()
    throw error
  }
}

function openJournal<S extends Schema>(options: DirectoryOptions<S> | EphemeralOptions<S>): Promise<Journal> {
  if (options.ephemeral === true) return Promise.resolve(new MemoryJournal(new MemoryStore()))
  if (typeof options.directory !== 'string' || options.directory.trim() === '')
    throw new MemoryError(
      'INVALID_ARGUMENT',
      'directory must name a directory; ephemeral: true opens a memory that keeps nothing',
      { field: 'directory' },
    )
  return openDirectoryJournal(options.directory, { relaxed: options.relaxed ?? false })
}
