/** A replica that may be met by a fault: its memory, and what became of calls. Every call has to settle, and with a typed error. */
import {
  createClient,
  localTransport,
  MemoryError,
  openService,
  type Memory,
  type MemoryService,
  type TenantMemory,
} from '../../src/index.ts'
import { turn, type FaultInjector } from './faulty-journal.ts'
import { journalOf, type LoggedStore } from './logged-store.ts'

export interface Replica {
  readonly memory: Memory
  readonly mine: TenantMemory
  readonly service: MemoryService
}

/** `acknowledged`: it was stored. `refused`: nothing of it was. `unknown`: one of both. */
export type Answer =
  | { readonly told: 'acknowledged' }
  | { readonly told: 'refused' | 'unknown'; readonly error: MemoryError; readonly byRule: boolean }

/** Refusals that rest on what is stored, not on the place where it is stored. */
const BY_RULE: ReadonlySet<string> = new Set(['NOT_FOUND', 'ERASED', 'PLAN_STALE'])
/** More turns than any call of a journal in memory can take; encryption runs beside them, so that some more are given in time. */
const TURNS = 300
const SLOW_TURNS = 2_000
const SLOW_TURN_MS = 5

export async function openReplica(store: LoggedStore, injector?: FaultInjector): Promise<Replica> {
  const inner = journalOf(store)
  const service = await openService({ journal: injector === undefined ? inner : injector.connect(inner) })
  const memory = createClient(localTransport(service))
  return { memory, mine: memory.tenant('acme', { actor: 'user' }), service }
}

/** What it comes to; fails where it does not settle. */
export async function settled<T>(call: Promise<T>, what: string): Promise<T> {
  const state = { isSettled: false }
  const end = (): void => void (state.isSettled = true)
  call.then(end, end)
  for (let i = 0; i < TURNS && !state.isSettled; i++) await turn()
  for (let i = 0; i < SLOW_TURNS && !state.isSettled; i++) await new Promise(resolve => void setTimeout(resolve, SLOW_TURN_MS))
  if (!state.isSettled) throw new Error(`${what} never settled`)
  return call
}

/** What a write was told. @throws where the error is not typed, or means that something impossible has happened */
export async function answerOf(call: Promise<unknown>, what: string): Promise<Answer> {
  try {
    await settled(call, what)
    return { told: 'acknowledged' }
  } catch (error) {
    const typed = typedError(error, what)
    const byRule = BY_RULE.has(typed.code)
    const isDefinite = byRule || (typed.code === 'NOT_STORED' && typed.details['outcome'] !== 'unknown')
    return { told: isDefinite ? 'refused' : 'unknown', error: typed, byRule }
  }
}

/** @throws where it is none that the place of storage may cause */
export function typedError(error: unknown, what: string): MemoryError {
  const expected = ['NOT_STORED', 'STORE_UNAVAILABLE', 'CLOSED', ...BY_RULE]
  if (MemoryError.is(error) && expected.includes(error.code)) return error
  throw new Error(`${what} failed with ${String(error)}`, { cause: error })
}
