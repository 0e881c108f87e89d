/** `Memory` and the handles of tenants, over a transport. Holds no state but names: everything is answered by the service. */
import { v7 as uuidv7 } from 'uuid'
import { MemoryError } from './errors.ts'
import type { Actor, Batch, ForgetPlan, ForgetPreview, ForgetResult, Memory, TenantMemory } from './memory.ts'
import type { Transport } from './protocol.ts'
import { tenantName } from './records/name.ts'
import type { Schema } from './schema/define-schema.ts'
import type { BatchPayload } from './write/batch.ts'

/** Calls whose last argument may carry a signal, with the index of that argument. */
const OPTIONS_AT: Readonly<Record<string, number>> = {
  record: 1,
  assert: 1,
  retract: 1,
  batch: 1,
  confirm: 1,
  reject: 1,
  undo: 1,
  correct: 2,
  remember: 1,
  merge: 1,
  forgetApply: 2,
  get: 2,
  standing: 2,
  facts: 0,
  fact: 1,
  episodes: 0,
}

/** Builds a memory over a transport. */
export function createClient<S extends Schema = Schema>(transport: Transport): Memory<S> {
  return {
    tenant: (name, options) => createTenant<S>(transport, tenantName(name), options?.actor ?? 'assistant'),
    query: (sql, params) => transport.call({ method: 'query', args: [sql, params ?? []] }) as ReturnType<Memory['query']>,
    on: listener => transport.on(listener),
    checkpoint: async () => {
      await transport.call({ method: 'checkpoint', args: [] })
    },
    health: () => transport.call({ method: 'health', args: [] }) as ReturnType<Memory['health']>,
    rekey: async atRest => {
      await transport.call({ method: 'rekey', args: atRest === undefined ? [] : [atRest] })
    },
    close: () => transport.close(),
  }
}

function createTenant<S extends Schema>(transport: Transport, tenant: string, actor: Actor): TenantMemory<S> {
  const call = (method: string, ...args: unknown[]): Promise<never> => {
    // Signals cannot be cloned: the transport carries them.
    const index = OPTIONS_AT[method]
    const options = index === undefined ? undefined : (args[index] as { signal?: AbortSignal } | undefined)
    if (index === undefined || options?.signal === undefined)
      return transport.call({ method, tenant, actor, args }) as Promise<never>
    const { signal, ...rest } = options
    return transport.call({ method, tenant, actor, args: args.with(index, rest) }, signal) as Promise<never>
  }
  return {
    tenant,
    actor,
    record: (episode, options) => call('record', episode, options),
    assert: (input, options) => call('assert', input, options),
    retract: (input, options) => call('retract', input, options),
    batch: (build, options) => call('batch', collect(build), options),
    confirm: (id, options) => call('confirm', id, options),
    reject: (id, options) => call('reject', id, options),
    undo: (id, options) => call('undo', id, options),
    correct: (id, correction, options) => call('correct', id, correction, options),
    remember: (input, options) => call('remember', input, options),
    get: (subject, attribute, options) => call('get', subject, attribute, options),
    standing: (subject, attribute, options) => call('standing', subject, attribute, options),
    facts: filter => call('facts', filter),
    fact: (id, options) => call('fact', id, options),
    why: id => call('why', id),
    review: () => call('review'),
    episode: id => call('episode', id),
    episodes: filter => call('episodes', filter),
    forget: async (scope): Promise<ForgetPlan> => {
      const { preview, token } = (await call('forgetPlan', scope)) as { preview: ForgetPreview; token: string }
      return { preview, apply: (options): Promise<ForgetResult> => call('forgetApply', scope, token, options) }
    },
    records: () => call('records'),
    merge: (records, options) => call('merge', records, options),
  }
}

function collect<S extends Schema>(build: (batch: Batch<S>) => void): BatchPayload {
  if (typeof build !== 'function')
    throw new MemoryError('INVALID_ARGUMENT', 'batch needs a function that says what to write', { field: 'build' })
  const operations: BatchPayload['operations'][number][] = []
  const generated: string[] = []
  const add = (method: 'record' | 'assert' | 'retract', input: { readonly id?: string }): string => {
    if (typeof input !== 'object' || input === null)
      throw new MemoryError('INVALID_ARGUMENT', `${method} needs an object`, { field: 'batch' })
    const id = input.id ?? uuidv7()
    if (input.id === undefined) generated.push(id)
    operations.push({ method, input: { ...input, id } })
    return id
  }
  const returned: unknown = build({
    record: input => add('record', input),
    assert: input => add('assert', input),
    retract: input => add('retract', input),
  })
  // What a promise adds after its first await would be lost in silence.
  if (returned instanceof Promise)
    throw new MemoryError('INVALID_ARGUMENT', 'the function given to batch must not be async', { field: 'build' })
  return { operations, generated }
}
