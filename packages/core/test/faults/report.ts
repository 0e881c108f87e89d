/** What a memory says that it holds, in the lines of the model. */
import type { MemoryRecord, TenantMemory } from '../../src/index.ts'
import { lineOf } from './model.ts'

const interval = (from: string, to: string | null): string => `[${from}, ${to ?? '…'})`

/** Everything that is stored, a line each; twice where it is there twice. */
export function storedLines(records: readonly MemoryRecord[]): string[] {
  return records
    .flatMap(record => {
      switch (record.kind) {
        case 'episode':
          return [`episode ${record.id}: ${record.text}`]
        case 'assertion':
          return [
            lineOf(
              record.subject,
              record.attribute,
              record.value as string | undefined,
              interval(record.validFrom, record.validUntil),
            ),
          ]
        case 'decision':
          return [`${record.verdict} ${record.target}`]
        case 'erasure':
          return [...record.episodes, ...record.assertions].map(id => `gone ${id}`)
        default:
          return []
      }
    })
    .toSorted()
}

export async function factLines(mine: TenantMemory): Promise<string[]> {
  const { facts } = await mine.facts({ history: true, limit: 1000 })
  return facts
    .map(({ subject, attribute, value, validFrom, validTo }) =>
      lineOf(subject, attribute, value as string, interval(validFrom, validTo)),
    )
    .toSorted()
}
