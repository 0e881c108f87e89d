/** From a run of the projection to the Fact that a reader sees: sources, contenders, what it replaced. */
import type { Contender, Fact, Source } from '../memory.ts'
import { TRUST_ORDER } from '../records/assertion.ts'
import type { EpisodeRecord } from '../records/episode.ts'
import type { JsonValue } from '../records/json.ts'
import { formatMs, formatSecond } from '../time/instant.ts'
import { clockMs } from '../time/hybrid-clock.ts'
import { WHOLE } from './assertion-rows.ts'
import { byRecording, type Statement } from './precedence.ts'
import { decidingSlots, statementsIn } from './project.ts'
import type { LedgerState } from './state.ts'
import { segments, type Run } from './timeline.ts'

/** A run that knows its slot. */
export interface SlotRun extends Run {
  readonly slot: number
}

/** Where a run was found: in the table, or worked out from what was known at some time. */
export interface Scene {
  /** Every statement that can matter to the run. */
  readonly statements: readonly Statement[]
  /** The run that ended where this one starts. */
  readonly before: Run | undefined
}

export function factId(run: Run): string {
  return run.resumed ? `${run.founder.id}@${formatSecond(run.from)}` : run.founder.id
}

/** The statements that can matter to a run of the table. */
export function statementsAround(state: LedgerState, run: SlotRun): Statement[] {
  return decidingSlots(state, run.slot).flatMap(slot => statementsIn(state, slot, run.from, run.to))
}

/**
 * The assertions in a fact: its holders, and same-value ones that start within it. Earliest recorded first.
 */
function statementsOf(run: Run, statements: readonly Statement[], skipTrust: boolean): Statement[] {
  const found = new Map<number, Statement>()
  for (const statement of statements) {
    if (statement.value === run.value && statement.from >= run.from && (run.to === null || statement.from < run.to))
      found.set(statement.nr, statement)
  }
  // An older statement can hold within the run only where one that started with it can end.
  if (run.resumed || run.founder.until !== null) {
    for (const { holder } of segments(statements, run.from, run.to, skipTrust)) {
      if (holder !== undefined && holder.value === run.value) found.set(holder.nr, holder)
    }
  }
  return [...found.values()].toSorted(byRecording)
}

export function buildFact(state: LedgerState, run: SlotRun, scene: Scene): Fact {
  const slot = state.slotRow(run.slot)
  const members = statementsOf(run, scene.statements, state.skipsTrust(slot.tenant, slot.attribute))
  const [confidence, memoryType, schemaVersion, retention] = state.db.first<[number | null, string, number, string | null]>(
    'select confidence, memory_type, schema_version, retention from assertion where nr = ?',
    [run.founder.nr],
  ) ?? [null, 'fact', 1, null]
  return {
    id: factId(run),
    subject: slot.subject,
    attribute: slot.attribute,
    value: JSON.parse(run.value) as JsonValue,
    validFrom: formatSecond(run.from),
    validTo: run.to === null ? null : formatSecond(run.to),
    supersedes: scene.before === undefined ? null : factId(scene.before),
    sources: sourcesOf(state, members),
    assertions: members.map(statement => statement.id),
    confidence,
    contested: contenders(state, run, members, scene.statements),
    trust: TRUST_ORDER[run.founder.trust] ?? 'assistant',
    memoryType,
    schemaVersion,
    retention,
    recordedAt: formatMs(clockMs(run.founder.clock)),
  }
}

/** Evidence of assertions, oldest episode first; what has not arrived comes last. */
export function sourcesOf(state: LedgerState, statements: readonly { readonly nr: number; readonly id: string }[]): Source[] {
  const found = statements.flatMap(({ nr, id }) =>
    state.db
      .all<[string, number, number, string | null]>(
        `select e.id, v.start, v.stop, x.body from evidence v join episode_id e on e.nr = v.ref
         left join episode x on x.ref = v.ref and x.shown = 1 where v.assertion = ?`,
        [nr],
      )
      .map(([episode, start, stop, body]): Source => {
        const record = body === null ? undefined : (JSON.parse(body) as EpisodeRecord)
        const whole = start === WHOLE
        return {
          episode,
          assertion: id,
          quote: whole ? record?.text : record?.text.slice(start, stop),
          start: whole ? undefined : start,
          end: whole ? undefined : stop,
          author: record?.author,
          at: record?.at,
          uri: record?.uri,
        }
      }),
  )
  const key = (source: Source): string =>
    `${source.at ?? '~'}|${source.episode}|${String(source.start ?? 0).padStart(10, '0')}|${source.assertion}`
  return found.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

/**
 * Who else starts at the second of a holder, with another value. Not those that a policy of `latest`, a confirmation, or
 * a person's own undated correction has settled.
 */
function contenders(
  state: LedgerState,
  run: SlotRun,
  members: readonly Statement[],
  statements: readonly Statement[],
): Contender[] {
  const others = statements.filter(
    statement => statement.value !== run.value && members.some(member => member.from === statement.from),
  )
  if (others.length === 0) return []
  const { tenant, attribute } = state.slotRow(run.slot)
  if (state.skipsTrust(tenant, attribute)) return []
  const manner = (statement: Statement): string => {
    const row = state.db.first<[string, number]>('select actor, dated from assertion where nr = ?', [statement.nr])
    return row?.[1] === 0 ? `${row[0]}|${statement.trust}` : `dated ${statement.nr}`
  }
  return others
    .filter(other => {
      const rivals = members.filter(member => member.from === other.from)
      return !rivals.some(
        rival => (rival.confirmed !== null && rival.confirmed > (other.confirmed ?? '')) || manner(rival) === manner(other),
      )
    })
    .map(other => ({
      assertion: other.id,
      value: other.value === null ? undefined : (JSON.parse(other.value) as JsonValue),
      trust: TRUST_ORDER[other.trust] ?? 'assistant',
    }))
}
