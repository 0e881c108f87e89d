/**
 * Names: subjects and attributes are equal when their normal forms are; tenants are compared byte for byte.
 *
 * The normal form is NFKC, full case folding, white space trimmed and folded to one space. So composed and decomposed
 * 'José' are one subject, and so are 'Straße', 'STRASSE' and 'strasse'.
 */
import { MemoryError } from '../errors.ts'

/** Longest name, in UTF-16 units, before and after normalisation. */
export const MAX_NAME_LENGTH = 512

/** C0 and C1 controls: they are invisible, and SQLite ends a text at U+0000. */
// oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/u

/**
 * The normal form. Idempotent; '' for a blank name.
 *
 * Unicode's full case folding is not in ECMAScript; upper- and then lower-casing folds the same pairs ('ß' and 'SS', 'ς'
 * and 'Σ'). A second round reaches the fixed point where NFKC makes new cased letters.
 */
export function normalizeName(name: string): string {
  let folded = name
  for (let round = 0; round < 4; round++) {
    const next = folded.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').trim().replaceAll(/\s+/gu, ' ')
    if (next === folded) break
    folded = next
  }
  return folded
}

/**
 * The normal form of a subject or attribute.
 * @throws {MemoryError} INVALID_NAME when it is not a string, blank, longer than `MAX_NAME_LENGTH`, or holds control
 *   characters or a lone surrogate.
 */
export function nameKey(name: unknown, field: string): string {
  const text = checkName(name, field)
  const key = normalizeName(text)
  if (key === '') throw new MemoryError('INVALID_NAME', `${field} is blank`, { field })
  if (key.length > MAX_NAME_LENGTH) throw new MemoryError('INVALID_NAME', `${field} is longer than ${MAX_NAME_LENGTH}`, { field })
  if (CONTROL.test(key)) throw new MemoryError('INVALID_NAME', `${field} holds control characters`, { field })
  return key
}

/**
 * A tenant's name, unchanged: 'acme', 'ACME' and 'acme\u0000' are three tenants.
 * @throws {MemoryError} INVALID_NAME when it is not a string, blank, longer than `MAX_NAME_LENGTH`, or ill-formed.
 */
export function tenantName(name: unknown): string {
  const text = checkName(name, 'tenant')
  if (text.trim() === '') throw new MemoryError('INVALID_NAME', 'tenant is blank', { field: 'tenant' })
  return text
}

function checkName(name: unknown, field: string): string {
  if (typeof name !== 'string') throw new MemoryError('INVALID_NAME', `${field} must be a string`, { field })
  if (!name.isWellFormed()) throw new MemoryError('INVALID_NAME', `${field} holds a lone surrogate`, { field })
  if (name.length > MAX_NAME_LENGTH)
    throw new MemoryError('INVALID_NAME', `${field} is longer than ${MAX_NAME_LENGTH}`, { field })
  return name
}
