/** A call that must be refused, and the proof that nothing of it was written. */
import { expect } from 'vitest'
import { MemoryError, type ErrorCode, type Memory, type TenantMemory } from '../../src/index.ts'

export interface Refusal {
  readonly code: ErrorCode
  /** What the sentence or `details.field` must name. */
  readonly names?: string
}

/** Everything that may leave the device, and where the journal stands: equal before and after means nothing was written. */
async function traceOf(memory: Pick<Memory, 'health' | 'query'>, tenant: Pick<TenantMemory, 'records'>): Promise<unknown> {
  const { head, floor, generation } = await memory.health()
  const local = await memory.query('select count(*) as n from operation')
  return { head, floor, generation, local, records: await tenant.records() }
}

/** @param call may throw at once or reject: both are refusals */
export async function refuses(
  memory: Pick<Memory, 'health' | 'query'>,
  tenant: Pick<TenantMemory, 'records'>,
  call: () => unknown,
  wanted: Refusal,
): Promise<MemoryError> {
  const before = await traceOf(memory, tenant)
  let error: unknown
  let answered = false
  try {
    await call()
    answered = true
  } catch (caught) {
    error = caught
  }
  expect(answered, 'the call was answered instead of refused').toBe(false)
  expect(MemoryError.is(error), `not a MemoryError: ${String(error)}`).toBe(true)
  const refusal = error as MemoryError
  expect(refusal.code, refusal.message).toBe(wanted.code)
  expect(refusal.message.length).toBeGreaterThan(8)
  if (wanted.names !== undefined) expect(`${refusal.message} ${String(refusal.details['field'])}`).toContain(wanted.names)
  expect(await traceOf(memory, tenant)).toEqual(before)
  return refusal
}
