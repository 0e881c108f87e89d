/** Reads of the public API as an evaluation wants them: facts as a list, whatever the cardinality, and every page. */
import type { Fact, FactsFilter, ReadOptions, TenantMemory } from '@palimpsest/core'

/** What holds in an attribute at an instant. */
export async function factsAt(tenant: TenantMemory, subject: string, attribute: string, at: string): Promise<readonly Fact[]> {
  // The schema is made from the file, so the type cannot know that `get` answers a list for a many-valued attribute.
  const answer = (await tenant.get(subject, attribute, { at })) as Fact | readonly Fact[] | undefined
  if (answer === undefined) return []
  return isList(answer) ? answer : [answer]
}

function isList(answer: Fact | readonly Fact[]): answer is readonly Fact[] {
  return Array.isArray(answer)
}

/** Every fact that the filter lets through. */
export async function allFacts(tenant: TenantMemory, filter: FactsFilter & ReadOptions): Promise<readonly Fact[]> {
  const facts: Fact[] = []
  let after: string | undefined
  do {
    const page = await tenant.facts({ ...filter, limit: 1000, ...(after === undefined ? {} : { after }) })
    facts.push(...page.facts)
    after = page.next ?? undefined
  } while (after !== undefined)
  return facts
}
