/** Facts with their history, up to a count. */
import type { Fact } from '@palimpsest/core'
import type { Home } from '../home/home.ts'

export interface FactsRead {
  readonly facts: readonly Fact[]
  readonly more: boolean
  /** When they were read, ISO 8601: what is current is so at this instant. */
  readonly now: string
}

const PAGE = 1000

export async function readFacts({ person }: Home, count: number): Promise<FactsRead> {
  const facts: Fact[] = []
  let after: string | undefined
  do {
    const page = await person.facts({
      history: true,
      limit: Math.min(PAGE, count - facts.length),
      ...(after === undefined ? {} : { after }),
    })
    facts.push(...page.facts)
    after = page.next ?? undefined
  } while (after !== undefined && facts.length < count)
  return { facts, more: after !== undefined, now: new Date().toISOString() }
}
