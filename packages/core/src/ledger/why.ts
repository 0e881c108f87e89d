/** What explains a fact: its assertions with their evidence and decisions, what it replaced and what replaced it. */
import type { AssertionView, Explanation, Fact } from '../memory.ts'
import { clockMs } from '../time/hybrid-clock.ts'
import { formatMs, parseSecond } from '../time/instant.ts'
import { factId, sourcesOf } from './fact-builder.ts'
import { toFact } from './reads.ts'
import { storedAssertions, type StoredAssertion } from './rows.ts'
import { runFrom, runsOf, type FoundRun } from './runs.ts'
import { decisionsOn, verdictOf } from './standing.ts'
import type { LedgerState } from './state.ts'

/** `<assertion>` or `<assertion>@<validFrom>`; a resumed run has no shorter name. */
const RESUMED = /^(?<assertion>.+)@(?<from>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/u

/**
 * The run that a fact id or an assertion id names: the run with that id; else the one that the assertion is part of,
 * the earliest where it is part of several.
 * @param bound as it was known when clocks were below it; undefined for now
 */
export function findRun(state: LedgerState, tenant: number, id: string, bound?: string): FoundRun | undefined {
  const direct = assertionsById(state, tenant, id)
  const resumed = RESUMED.exec(id)?.groups
  const assertion = direct.length > 0 || resumed === undefined ? id : (resumed['assertion'] as string)
  for (const slot of slotsOfAssertion(state, tenant, assertion)) {
    if (bound === undefined) {
      // The common case, without reading the slot's history: the run that starts with the assertion.
      const from = direct[0] === undefined ? undefined : parseSecond(direct[0].record.validFrom, { field: 'validFrom' })
      const founded = from === undefined ? undefined : runFrom(state, slot, from)
      if (founded !== undefined && factId(founded.run) === id) return founded
    }
    const found = runsOf(state, slot, bound)
    const exact = found.find(({ run }) => factId(run) === id)
    if (exact !== undefined) return exact
    const part = direct.length === 0 ? undefined : found.find(each => toFact(state, each).assertions.includes(id))
    if (part !== undefined) return part
  }
  return undefined
}

/** Every run that one of these assertions is part of, oldest first. */
export function runsWith(
  state: LedgerState,
  tenant: number,
  ids: readonly string[],
): { readonly found: FoundRun; readonly fact: Fact }[] {
  const slots = new Set(ids.flatMap(id => slotsOfAssertion(state, tenant, id)))
  return [...slots].flatMap(slot =>
    runsOf(state, slot, undefined)
      .map(found => ({ found, fact: toFact(state, found) }))
      .filter(({ fact }) => fact.assertions.some(id => ids.includes(id))),
  )
}

export function assertionsById(state: LedgerState, tenant: number, id: string): StoredAssertion[] {
  return storedAssertions(state, 'a.tenant = ? and a.id = ? order by a.clock, a.nr', [tenant, id])
}

/** The slots of an assertion's variants; for what is said of all values of an attribute, those of its values too. */
function slotsOfAssertion(state: LedgerState, tenant: number, id: string): number[] {
  return state.db.all<[number]>('select distinct slot from assertion where tenant = ? and id = ?', [tenant, id]).map(([nr]) => nr)
}

export function explain(state: LedgerState, tenant: number, found: FoundRun): Explanation {
  const fact = toFact(state, found)
  const { run } = found
  const all = runsOf(state, run.slot, undefined)
  const index = all.findIndex(each => each.run.from === run.from)
  const before = all[index - 1]
  const next = all[index + 1]
  return {
    fact,
    assertions: fact.assertions.flatMap(id =>
      assertionsById(state, tenant, id)
        .filter(each => each.standing)
        .map(each => viewOf(state, tenant, each)),
    ),
    superseded: before !== undefined && before.run.to === run.from ? toFact(state, before) : null,
    supersededBy: next !== undefined && run.to === next.run.from ? toFact(state, next) : null,
  }
}

function viewOf(state: LedgerState, tenant: number, { nr, record }: StoredAssertion): AssertionView {
  const decisions = decisionsOn(state, tenant, record.id)
  const accepted = verdictOf(decisions).accepted
  return {
    id: record.id,
    kind: record.statement,
    value: record.value,
    validFrom: record.validFrom,
    validUntil: record.validUntil,
    status: (accepted ?? record.born === 'accepted') ? 'accepted' : accepted === false ? 'rejected' : 'held',
    born: record.born,
    reason: record.reason ?? null,
    trust: record.trust,
    by: record.by,
    confidence: record.confidence ?? null,
    recordedAt: formatMs(clockMs(record.clock)),
    sources: sourcesOf(state, [{ nr, id: record.id }]),
    decisions: decisions.map(({ record: decision, undone }) => ({
      id: decision.id,
      verdict: decision.verdict as AssertionView['decisions'][number]['verdict'],
      by: decision.by,
      recordedAt: formatMs(clockMs(decision.clock)),
      undone,
    })),
  }
}

/** Assertions that were born held and wait for a decision, earliest recorded first. */
export function waiting(
  state: LedgerState,
  tenant: number,
): (AssertionView & { readonly subject: string; readonly attribute: string })[] {
  return storedAssertions(state, 'a.tenant = ? and a.born = 0 order by a.clock, a.nr', [tenant])
    .map(stored => ({ ...viewOf(state, tenant, stored), subject: stored.record.subject, attribute: stored.record.attribute }))
    .filter(view => view.status === 'held')
}
