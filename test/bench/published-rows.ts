/** Synthetic facts as rows of the published table, in the order of PUBLISHED_INSERT. */
import { TENANT, instant, slotCount, syntheticFact } from './synthetic-facts.ts'

export type PublishedRow = [
  id: string,
  tenant: string,
  subject: string,
  attribute: string,
  value: string,
  from: string,
  to: string | null,
  supersedes: string | null,
  episode: string,
]

export function* publishedRows(size: number): Generator<PublishedRow> {
  for (let n = 0; n < size; n++) yield publishedRow(n, size, n + slotCount(size) < size)
}

/** @param closed a later version of its slot is there */
export function publishedRow(n: number, size: number, closed: boolean): PublishedRow {
  const { subject, attribute, value, from } = syntheticFact(n, size)
  const slots = slotCount(size)
  const supersedes = n < slots ? null : idOf(n - slots)
  return [idOf(n), TENANT, subject, attribute, value, instant(from), closed ? instant(from + slots) : null, supersedes, 'e1']
}

/** As long as the ids that a memory gives. */
function idOf(n: number): string {
  return `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`
}
