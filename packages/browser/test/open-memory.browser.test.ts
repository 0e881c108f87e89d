import { MemoryError, defineSchema } from '@palimpsest/core'
import type { Fact } from '@palimpsest/core'
import { afterEach, expect, expectTypeOf, test, vi } from 'vitest'
import { z } from 'zod'
import { openMemory } from '../src/index.ts'
import type { OpenMemoryOptions } from '../src/index.ts'

const schema = defineSchema({
  version: 1,
  unknownAttributes: 'refuse',
  attributes: { passport_deadline: { value: z.string() }, diet: { value: z.string(), many: true } },
})

// A worker loads its modules one by one here, and the machine may be busy.
vi.setConfig({ testTimeout: 30_000 })

const workers: Worker[] = []
afterEach(() => workers.splice(0).forEach(worker => worker.terminate()))

function stubWorker(): Worker {
  const worker = new Worker(new URL('./workers/stub.worker.ts', import.meta.url), { type: 'module' })
  workers.push(worker)
  return worker
}

async function refusal(options: Partial<OpenMemoryOptions>): Promise<unknown> {
  const error: unknown = await openMemory({ name: 'test', worker: stubWorker(), ...options }).catch((reason: unknown) => reason)
  return MemoryError.is(error) ? [error.code, error.details.field] : error
}

test('a memory is typed by the schema, of which the page needs no more than the type', async () => {
  const memory = await openMemory<typeof schema>({ name: 'test', worker: stubWorker() })
  const mine = memory.tenant('home')
  expectTypeOf(mine.get('mira', 'passport_deadline')).resolves.toEqualTypeOf<Fact<string> | undefined>()
  expectTypeOf(mine.get('mira', 'diet')).resolves.toEqualTypeOf<readonly Fact<string>[]>()
  expectTypeOf(mine.get<'diet'>)
    .parameter(1)
    .toEqualTypeOf<'diet'>()
  await memory.close()
})

test('closing ends the worker, and every later call says CLOSED', async () => {
  const memory = await openMemory({ name: 'test', worker: stubWorker() })
  await memory.close()
  await memory.close()
  expect(await memory.health().catch((error: unknown) => MemoryError.is(error, 'CLOSED'))).toBe(true)
})

test('arguments that make no sense are refused, and the field is named', async () => {
  expect(await refusal({ name: ' ' })).toEqual(['INVALID_ARGUMENT', 'name'])
  expect(await refusal({ name: 'x'.repeat(201) })).toEqual(['INVALID_ARGUMENT', 'name'])
  expect(await refusal({ durability: 'ephemeral' as 'strict' })).toEqual(['INVALID_ARGUMENT', 'durability'])
  expect(await refusal({ worker: {} as Worker })).toEqual(['INVALID_ARGUMENT', 'worker'])
})

test('a worker serves one memory', async () => {
  const worker = stubWorker()
  await openMemory({ name: 'test', worker })
  expect(await refusal({ worker })).toEqual(['INVALID_ARGUMENT', 'worker'])
})

test('a worker whose store could not be opened may be asked to open another', async () => {
  const worker = stubWorker()
  expect(await refusal({ name: 'refused', worker })).toEqual(['STORE_UNAVAILABLE', undefined])
  await openMemory({ name: 'test', worker })
})
