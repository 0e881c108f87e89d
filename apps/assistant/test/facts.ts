/** Facts as memory returns them, with what a test does not care about filled in. */
import type { Fact, Source } from '@palimpsest/core'

export const frame = { now: '2026-06-10T12:00:00.000Z', timeZone: 'Europe/Oslo' }

export function said(quote: string | undefined, at = '2026-06-03T10:00:00.000Z', more: Partial<Source> = {}): Source {
  return { episode: `e-${at}`, assertion: 'a', quote, start: 0, end: quote?.length, author: 'user', at, uri: undefined, ...more }
}

export function fact(attribute: string, value: Fact['value'], more: Partial<Fact> = {}): Fact {
  return {
    id: `${attribute}-${JSON.stringify(value)}`,
    subject: 'user',
    attribute,
    value,
    validFrom: '2026-06-03T10:00:00Z',
    validTo: null,
    supersedes: null,
    sources: [said('Actually it moved to June 30')],
    assertions: ['a'],
    confidence: 1,
    contested: [],
    trust: 'user',
    memoryType: 'fact',
    schemaVersion: 1,
    retention: null,
    recordedAt: '2026-06-03T10:00:00.000Z',
    ...more,
  }
}
