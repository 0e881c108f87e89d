/** Finding runs: in the table `fact`, or, for `knownAt`, from the statements known then. */
import type { Statement } from './precedence.ts'
import { decidingSlots, hasFacts, STATEMENT_COLUMNS, statementOf, type StatementRow } from './project.ts'
import { decisionsOn, leastVariant, verdictOf } from './standing.ts'
import { statementsAround, type Scene, type SlotRun } from './fact-builder.ts'
import type { LedgerState } from './state.ts'
import { runs } from './timeline.ts'

/** A run with what is needed to build its fact. */
export interface FoundRun {
  readonly run: SlotRun
  scene(): Scene
}

type RunRow = [from: number, to: number | null, resumed: number, ...StatementRow]

const RUN_COLUMNS = `f.valid_from, f.valid_to, f.resumed, ${STATEMENT_COLUMNS.split(', ')
  .map(column => (column.startsWith('case') ? 'a.value' : `a.${column}`))
  .join(', ')}`

function decode(state: LedgerState, slot: number, row: RunRow): FoundRun {
  const [from, to, resumed, ...statement] = row
  const founder = statementOf(statement)
  const run: SlotRun = { slot, from, to, value: founder.value as string, founder, resumed: resumed === 1 }
  return { run, scene: () => ({ statements: statementsAround(state, run), before: runEndingAt(state, slot, from)?.run }) }
}

/** The run of a slot that contains `at`, from the table. */
export function runAt(state: LedgerState, slot: number, at: number): FoundRun | undefined {
  const found = lastRunFrom(state, slot, at)
  return found !== undefined && (found.run.to === null || found.run.to > at) ? found : undefined
}

/** The last run of a slot that starts at or before `at`, from the table. */
export function lastRunFrom(state: LedgerState, slot: number, at: number): FoundRun | undefined {
  const row = state.db.first<RunRow>(
    `select ${RUN_COLUMNS} from fact f join assertion a on a.nr = f.founder where f.slot = ? and f.valid_from <= ? order by f.valid_from desc limit 1`,
    [slot, at],
  )
  return row === undefined ? undefined : decode(state, slot, row)
}

function runEndingAt(state: LedgerState, slot: number, at: number): FoundRun | undefined {
  const found = lastRunFrom(state, slot, at - 1)
  return found?.run.to === at ? found : undefined
}

export function runFrom(state: LedgerState, slot: number, from: number): FoundRun | undefined {
  const found = lastRunFrom(state, slot, from)
  return found?.run.from === from ? found : undefined
}

/** Every run of a slot, oldest first: from the table, or as it was known when clocks were below `bound`. */
export function runsOf(state: LedgerState, slot: number, bound: string | undefined): FoundRun[] {
  if (bound === undefined) {
    return state.db
      .all<RunRow>(
        `select ${RUN_COLUMNS} from fact f join assertion a on a.nr = f.founder where f.slot = ? order by f.valid_from`,
        [slot],
      )
      .map(row => decode(state, slot, row))
  }
  if (!hasFacts(state, slot)) return []
  const { tenant, attribute } = state.slotRow(slot)
  const statements = statementsKnown(state, slot, bound)
  const found = runs(statements, state.skipsTrust(tenant, attribute)).map(run => ({ ...run, slot }))
  return found.map((run, index) => {
    const before = found[index - 1]
    return { run, scene: () => ({ statements, before: before?.to === run.from ? before : undefined }) }
  })
}

/**
 * The statements that stood when everything recorded at `bound` or later was unknown: the same rules over the assertions
 * and decisions below it. Schema and erasures are as of now.
 */
function statementsKnown(state: LedgerState, slot: number, bound: string): Statement[] {
  const { tenant } = state.slotRow(slot)
  return decidingSlots(state, slot).flatMap(source =>
    state.db
      .all<[...StatementRow, number]>(
        `select ${STATEMENT_COLUMNS}, born from assertion where slot = ? and clock < ? order by clock, nr`,
        [source, bound],
      )
      .flatMap(row => {
        const born = row.at(-1) as number
        const statement = statementOf(row.slice(0, -1) as StatementRow)
        // The variant of an id that stands is the earliest recorded, so it is the same one as now.
        if (leastVariant(state, tenant, statement.id) !== statement.nr) return []
        const { accepted, confirmed } = verdictOf(decisionsOn(state, tenant, statement.id, bound))
        return (accepted ?? born === 1) ? [{ ...statement, confirmed }] : []
      }),
  )
}
