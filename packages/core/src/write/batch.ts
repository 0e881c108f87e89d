/** `batch`: several operations as one commit, everything or nothing. */
import { MemoryError } from '../errors.ts'
import type { Asserted } from '../memory.ts'
import { objectInput } from './input.ts'
import { recordEpisode } from './record-episode.ts'
import { stateFact } from './state-fact.ts'
import type { Writer } from './writer.ts'

/** Most operations of one batch. */
const MAX_BATCH = 100_000

/** What the handle sends: the operations in order, and the ids that it made up for this call. */
export interface BatchPayload {
  readonly operations: readonly { readonly method: 'record' | 'assert' | 'retract'; readonly input: unknown }[]
  readonly generated: readonly string[]
}

export function writeBatch(writer: Writer, payload: unknown): (Asserted | { readonly id: string })[] {
  const { operations } = objectInput(payload, 'batch')
  if (!Array.isArray(operations)) throw new MemoryError('INVALID_ARGUMENT', 'batch.operations must be a list', { field: 'batch' })
  if (operations.length > MAX_BATCH)
    throw new MemoryError('TOO_LARGE', `A batch takes at most ${MAX_BATCH} operations`, { field: 'batch' })
  return operations.map((operation: unknown, index) => {
    const { method, input } = objectInput(operation, `batch[${index}]`)
    try {
      if (method === 'record') return { id: recordEpisode(writer, input) }
      if (method === 'assert') return stateFact(writer, 'value', input)
      if (method === 'retract') return stateFact(writer, 'retraction', input)
    } catch (error) {
      if (!MemoryError.is(error)) throw error
      throw new MemoryError(error.code, `batch[${index}]: ${error.message}`, { ...error.details, index }, { cause: error })
    }
    throw new MemoryError('INVALID_ARGUMENT', `batch[${index}] is not record, assert or retract`, { field: `batch[${index}]` })
  })
}
