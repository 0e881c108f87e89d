/**
 * Holds the memory's ledger against the expected one: what holds at an instant, and the whole history of a slot.
 *
 * Of a history: at most one open fact, no two that overlap, every fact supersedes the one whose interval ended where it
 * starts, and values and intervals as expected.
 */
import type { Fact, JsonValue, Memory, TenantMemory } from '@palimpsest/core'
import { canonical } from './canonical.ts'
import { attributeKey, second, type ExpectedLedger } from './expected-ledger.ts'
import type { Problems } from './problems.ts'
import type { FactEvent, ReplayFile } from './replay-file.ts'
import type { Stretch } from './slot-model.ts'
import { allFacts, factsAt } from './read.ts'

/** The slot of a fact just told, at the second from which it was said to hold, and over all time. */
export async function checkSlot(
  tenant: TenantMemory,
  fact: FactEvent,
  file: ReplayFile,
  expected: ExpectedLedger,
  problems: Problems,
): Promise<void> {
  const { subject, attribute, valid_from: at } = fact
  const member: { readonly value?: JsonValue } = file.many && fact.value != null ? { value: fact.value } : {}
  const [holding, history] = await Promise.all([
    factsAt(tenant, subject, attribute, at),
    allFacts(tenant, { subject, attribute, ...member, history: true }),
  ])
  const values = holding.map(one => canonical(one.value)).toSorted()
  const wanted = expected.at(fact.tenant, subject, attribute, at)
  if (values.join() !== wanted.join())
    problems.add(fact.line, `value: ${wanted.join() || 'nothing'} must hold at ${at}, not ${values.join() || 'nothing'}`)
  const slots = expected.histories(attributeKey(fact.tenant, subject, attribute))
  const found = bySlot(history, file.many)
  const concerned = member.value === undefined ? slots.keys() : [canonical(member.value)]
  for (const value of new Set([...concerned, ...found.keys()]))
    for (const reason of flaws(found.get(value) ?? [], slots.get(value) ?? [])) problems.add(fact.line, reason)
}

/** Every slot of every tenant, over all time. */
export async function checkLedger(
  memory: Memory,
  file: ReplayFile,
  expected: ExpectedLedger,
  problems: Problems,
  progress: (text: string) => void,
): Promise<void> {
  const found = new Map<string, Fact[]>()
  for (const [done, tenant] of file.tenants.entries()) {
    progress(`${done} of ${file.tenants.length} tenants checked`)
    for (const fact of await allFacts(memory.tenant(tenant), { history: true })) {
      const key = attributeKey(tenant, fact.subject, fact.attribute)
      const facts = found.get(key)
      if (facts === undefined) found.set(key, [fact])
      else facts.push(fact)
    }
  }
  for (const key of new Set([...expected.keys(), ...found.keys()])) {
    const wanted = expected.histories(key)
    const slots = bySlot(found.get(key) ?? [], file.many)
    for (const value of new Set([...wanted.keys(), ...slots.keys()]))
      for (const reason of flaws(slots.get(value) ?? [], wanted.get(value) ?? []))
        problems.add(undefined, `${key} ${value}: ${reason}`)
  }
}

/** What is wrong with the facts of one slot; each flaw in a sentence that begins with its kind. */
export function flaws(facts: readonly Fact[], wanted: readonly Stretch[]): string[] {
  const found: string[] = []
  const sorted = facts.toSorted((a, b) => second(a.validFrom) - second(b.validFrom))
  if (sorted.filter(fact => fact.validTo === null).length > 1) found.push('open: more than one fact is open')
  let before: Fact | undefined
  for (const fact of sorted) {
    if (before !== undefined && (before.validTo === null || second(before.validTo) > second(fact.validFrom)))
      found.push(`overlap: ${show(before)} and ${show(fact)}`)
    const replaced = before !== undefined && before.validTo === fact.validFrom ? before.id : null
    if (fact.supersedes !== replaced)
      found.push(`supersedes: ${show(fact)} says ${String(fact.supersedes)}, not ${String(replaced)}`)
    before = fact
  }
  const has = sorted.map(fact =>
    showStretch(canonical(fact.value), second(fact.validFrom), fact.validTo === null ? null : second(fact.validTo)),
  )
  const should = wanted.map(stretch => showStretch(stretch.value, stretch.from, stretch.to))
  if (has.join() !== should.join())
    found.push(`history: ${has.join(' ') || 'nothing'} instead of ${should.join(' ') || 'nothing'}`)
  return found
}

/** By canonical JSON of the value where each value has a slot of its own, else all under ''. */
function bySlot(facts: readonly Fact[], many: boolean): Map<string, Fact[]> {
  const slots = new Map<string, Fact[]>()
  for (const fact of facts) {
    const key = many ? canonical(fact.value) : ''
    const slot = slots.get(key)
    if (slot === undefined) slots.set(key, [fact])
    else slot.push(fact)
  }
  return slots
}

function show(fact: Fact): string {
  return `${fact.id} [${fact.validFrom}, ${fact.validTo ?? 'open'})`
}

function showStretch(value: string, from: number, to: number | null): string {
  return `${value} [${iso(from)}, ${to === null ? 'open' : iso(to)})`
}

function iso(at: number): string {
  return new Date(at * 1000).toISOString().replace('.000Z', 'Z')
}
