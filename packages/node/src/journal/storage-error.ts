/** What a failing disk means for the caller: Node's errors as errors of Palimpsest. */
import { MemoryError } from '@palimpsest/core'

const SAID: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the file would be larger than the system allows',
  EIO: 'the disk reported a failure',
  EROFS: 'the file system is read-only',
  EACCES: 'the permission to read or write it is missing',
  EPERM: 'the system does not permit it',
  ENOTDIR: 'a part of the path is a file, not a directory',
  EEXIST: 'there is a file of that name, not a directory',
  ENOENT: 'it is not there',
  EMFILE: 'the process has too many files open',
  ENFILE: 'the system has too many files open',
  ENAMETOOLONG: 'the path is too long',
}

/** The code that Node gave (`ENOSPC`), else the message. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message ?? String(error)
}

/**
 * A write that did not become durable. With `outcome: 'unknown'` it may have: the disk failed after the point from which
 * a restart may find it.
 */
export function notStored(error: unknown, outcome?: 'unknown'): MemoryError {
  if (MemoryError.is(error)) return error
  const reason = reasonOf(error)
  const message = `The write did not become durable: ${SAID[reason] ?? reason}`
  return new MemoryError('NOT_STORED', message, outcome ? { reason, outcome } : { reason }, { cause: error })
}

/** A directory that cannot be opened or read. */
export function unavailable(error: unknown, directory: string): MemoryError {
  if (MemoryError.is(error)) return error
  const reason = reasonOf(error)
  const message = `The store in ${directory} cannot be used: ${SAID[reason] ?? reason}`
  return new MemoryError('STORE_UNAVAILABLE', message, { reason, directory }, { cause: error })
}
