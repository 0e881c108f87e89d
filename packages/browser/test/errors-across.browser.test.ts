/** Errors on their way from a worker to the page: every code arrives as the error that it was. */
import { ERROR_CODES, MemoryError } from '@palimpsest/core'
import type { ErrorCode, Memory } from '@palimpsest/core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openMemory } from '../src/index.ts'
import { DETAILS } from './workers/calls.details.ts'
import { PATIENT, endWorkers, newCallsWorker, openCalls } from './workers/open-calls.ts'

vi.setConfig({ testTimeout: 120_000 })
afterEach(endWorkers)

const codes = Object.keys(ERROR_CODES) as ErrorCode[]

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    value => new Error(`Expected a failure, got ${String(value)}`),
    (error: unknown) => error,
  )
}

function expectWhole(error: unknown, code: ErrorCode): void {
  if (!(error instanceof MemoryError)) throw error
  expect(MemoryError.is(error, code)).toBe(true)
  expect({ ...error }).toEqual({
    name: 'MemoryError',
    brand: 'palimpsest.MemoryError',
    code,
    retryable: ERROR_CODES[code].retryable,
    details: DETAILS,
  })
  expect(error.message).toBe(`Refused with ${code}`)
  expect(error.stack).toMatch(/MemoryError/)
}

describe('an error of every code keeps its class, code, message and details', () => {
  test('from a read, a write, a call with a signal, and a plan', async () => {
    const { memory } = await openCalls('hangs')
    const { signal } = new AbortController()
    for (const code of codes) {
      const mine = memory.tenant(code)
      const calls: Promise<unknown>[] = [
        mine.get('mira', 'passport'),
        mine.assert({ subject: 'mira', attribute: 'passport', value: 1 }, { signal }),
        mine.forget({ subject: 'mira' }),
      ]
      for (const error of await Promise.all(calls.map(failure))) expectWhole(error, code)
    }
  })

  test('from opening the memory', async () => {
    const worker = newCallsWorker()
    for (const code of codes) expectWhole(await failure(openMemory({ name: code, worker, ...PATIENT })), code)
    // None of it keeps the worker from serving.
    const memory: Memory = await openMemory({ name: 'hangs', worker, ...PATIENT })
    expect(await memory.tenant('received').get('mira', 'passport')).toBe(1)
  })
})

test('a request that cannot be sent is the caller’s mistake; an answer that cannot be is not', async () => {
  const { memory } = await openCalls('hangs')
  const value = (() => {}) as never
  const notSent = await failure(memory.tenant('home').assert({ subject: 'mira', attribute: 'passport', value }))
  expect(notSent).toMatchObject({ code: 'INVALID_ARGUMENT' })
  expect(await failure(memory.tenant('answers with a function').get('mira', 'passport'))).toMatchObject({ code: 'INTERNAL' })
  expect(await memory.tenant('received').get('mira', 'passport')).toBe(2)
})
