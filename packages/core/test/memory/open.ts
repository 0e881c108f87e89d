/** A memory in this process, with a clock that the test owns. */
import {
  createClient,
  localTransport,
  MemoryJournal,
  MemoryStore,
  openService,
  type Memory,
  type Schema,
  type TenantMemory,
} from '../../src/index.ts'
import type { Extractor } from '../../src/extractor.ts'

export interface TestOptions<S extends Schema> {
  readonly store?: MemoryStore
  readonly schema?: S
  readonly now?: () => number
  readonly extractors?: readonly Extractor[]
  readonly timeZone?: string
}

export async function open<S extends Schema = Schema>(options: TestOptions<S> = {}): Promise<Memory<S>> {
  const { store = new MemoryStore(), ...rest } = options
  return createClient<S>(localTransport(await openService({ journal: new MemoryJournal(store), ...rest })))
}

export async function openTenant<S extends Schema = Schema>(options: TestOptions<S> = {}): Promise<TenantMemory<S>> {
  return (await open(options)).tenant('acme', { actor: 'user' })
}

export interface Told {
  readonly id: string
  readonly at: string
  readonly value: string
}

/** The passport's deadline: e2 corrects e1, and e0 arrives last though it was true first. */
export const E1: Told = { id: 'e1', at: '2026-06-01T09:00:00Z', value: '2026-07-15' }
export const E2: Told = { id: 'e2', at: '2026-06-03T10:00:00Z', value: '2026-06-30' }
export const E0: Told = { id: 'e0', at: '2026-05-30T08:00:00Z', value: '2026-08-01' }

export async function tell(memory: TenantMemory, told: Told, attribute = 'passport_deadline'): Promise<string> {
  await memory.record({ id: told.id, text: `${attribute} is ${told.value}`, author: 'user', at: told.at })
  return (await memory.assert({ subject: 'mira', attribute, value: told.value, from: told.id })).id
}

/** What a promise rejects with; fails where it does not. */
export async function refusal(
  promise: Promise<unknown>,
): Promise<{ code: string; message: string; details: Record<string, unknown> }> {
  try {
    await promise
  } catch (error) {
    return error as { code: string; message: string; details: Record<string, unknown> }
  }
  throw new Error('it was not refused')
}
