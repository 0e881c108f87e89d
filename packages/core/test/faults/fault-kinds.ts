/**
 * What can go wrong in a call of a journal.
 *
 * | kind | the effect | what the caller is told |
 * |---|---|---|
 * | refused | none | NOT_STORED |
 * | aborted after success | there | NOT_STORED, unknown |
 * | unknown and not done | none | NOT_STORED, unknown |
 * | timed out, done / not done | there / none | nothing for some turns, then NOT_STORED, unknown |
 * | timed out, lands late | when the caller has gone on | the same |
 * | unknown until opened again | when it is opened again | NOT_STORED, unknown; until then every write is refused |
 * | aborted, then unreadable | there | NOT_STORED, unknown; the next two readings fail |
 * | connection lost before / after | none / there | STORE_UNAVAILABLE, as is every call until it is opened again |
 * | closed | none | CLOSED, as is every call until it is opened again |
 * | unreadable once, from then on | (a call that reads) | STORE_UNAVAILABLE |
 */
export const WRITE_FAULTS = [
  'refused',
  'aborted after success',
  'unknown and not done',
  'timed out, done',
  'timed out, not done',
  'timed out, lands late',
  'unknown until opened again',
  'aborted, then unreadable',
] as const

export const READ_FAULTS = ['unreadable once', 'unreadable from then on'] as const

const CONNECTION_FAULTS = ['connection lost before', 'connection lost after', 'closed'] as const

export const FAULT_KINDS = [...WRITE_FAULTS, ...READ_FAULTS, ...CONNECTION_FAULTS] as const

export type FaultKind = (typeof FAULT_KINDS)[number]

/** Whether a fault of this kind can meet a call. */
export function canMeet(kind: FaultKind, writes: boolean): boolean {
  if ((WRITE_FAULTS as readonly FaultKind[]).includes(kind)) return writes
  return (CONNECTION_FAULTS as readonly FaultKind[]).includes(kind) || !writes
}
