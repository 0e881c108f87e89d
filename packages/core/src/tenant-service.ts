/** The calls of one tenant's handle, answered: which are reads, which are commits, and what their arguments mean. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { v7 as uuidv7 } from 'uuid'
import { MemoryError } from './errors.ts'
import type { Extractor } from './extractor.ts'
import { carryOut, previewForget } from './forget/plan.ts'
import type { Store } from './journal/store.ts'
import { FORGOTTEN_ANSWER } from './ledger/answers.ts'
import { exportRecords } from './ledger/export-records.ts'
import { keyedTag, type LedgerState } from './ledger/state.ts'
import type { Actor, ForgetPreview, ForgetResult, Remembered } from './memory.ts'
import type { CallRequest } from './protocol.ts'
import { canonicalJson, type JsonValue } from './records/json.ts'
import { TenantReads } from './tenant-reads.ts'
import { writeBatch } from './write/batch.ts'
import { correct, decide, undo } from './write/decide.ts'
import { idText, objectInput } from './write/input.ts'
import { mergeRecords } from './write/merge.ts'
import { recordEpisode } from './write/record-episode.ts'
import { admitAll, extract, extractionInput, restsOnOldValues } from './write/remember.ts'
import { stateFact } from './write/state-fact.ts'
import { Writer, type Surroundings } from './write/writer.ts'

export interface TenantServiceOptions {
  readonly store: Store
  readonly name: string
  readonly actor: Actor
  readonly extractor: Extractor | undefined
  /** Salts the digests of idempotent calls. */
  readonly secret: string
  around(state: LedgerState): Surroundings
}

/** How often a candidate is extracted again because what the extractor was shown has changed meanwhile. */
const EXTRACTION_ATTEMPTS = 3

export class TenantService {
  readonly #options: TenantServiceOptions

  constructor(options: TenantServiceOptions) {
    this.#options = options
  }

  call(request: CallRequest, signal: AbortSignal | undefined): Promise<unknown> {
    const { method, args } = request
    const [first, second, third] = args
    switch (method) {
      case 'record':
        return this.#commit(request, second, signal, writer => recordEpisode(writer, first))
      case 'assert':
        return this.#commit(request, second, signal, writer => stateFact(writer, 'value', first))
      case 'retract':
        return this.#commit(request, second, signal, writer => stateFact(writer, 'retraction', first))
      case 'batch':
        return this.#commit(request, second, signal, writer => writeBatch(writer, first))
      case 'confirm':
      case 'reject':
        return this.#commit(request, second, signal, writer => decide(writer, method, first))
      case 'undo':
        return this.#commit(request, second, signal, writer => undo(writer, first))
      case 'correct':
        return this.#commit(request, third, signal, writer => correct(writer, first, second))
      case 'merge':
        return this.#commit(request, second, signal, writer => mergeRecords(writer, first))
      case 'remember':
        return this.#remember(request, first, second, signal)
      case 'forgetPlan':
        return this.#forgetPlan(first)
      case 'forgetApply':
        return this.#commit(request, third, signal, writer => this.#forgetApply(writer, first, second))
      case 'records':
        return this.#options.store.read(({ state }) => exportRecords(state, state.findTenant(this.#options.name) ?? -1))
      default:
        return this.#read(method, args)
    }
  }

  #read(method: string, args: readonly unknown[]): Promise<unknown> {
    const { store, name } = this.#options
    return store.read(({ state }) =>
      new TenantReads(this.#options.around(state), state.findTenant(name) ?? -1).call(method, args),
    )
  }

  /** One operation as one commit; under an idempotency key it is done once, and the answer is kept with it. */
  #commit<T>(request: CallRequest, options: unknown, signal: AbortSignal | undefined, run: (writer: Writer) => T): Promise<T> {
    return this.#commitUnder(readKey(options), request, signal, run)
  }

  async #commitUnder<T>(
    key: string | undefined,
    request: CallRequest,
    signal: AbortSignal | undefined,
    run: (writer: Writer) => T,
  ): Promise<T> {
    const { store, name, actor } = this.#options
    const digest = key === undefined ? undefined : this.#digest(request)
    const work = (): { items: Writer['items']; value: unknown } => {
      const { state } = store.replica()
      const writer = new Writer(this.#options.around(state), name, actor)
      // Arguments that no digest can be made of are refused by the operation itself, with their own error.
      if (key === undefined || digest === undefined) return { value: run(writer), items: writer.items }
      const known = this.#answered(state, key, digest)
      if (known !== undefined) return { value: known.value, items: [] }
      const value = run(writer)
      // Nothing to answer with: the operation decided not to happen yet.
      if (value === undefined) return { value, items: writer.items }
      writer.write({
        kind: 'operation',
        id: uuidv7(),
        clock: writer.tick(),
        key,
        digest,
        result: JSON.parse(JSON.stringify({ value })) as JsonValue,
      })
      return { value, items: writer.items }
    }
    return (await store.write(uuidv7(), work, signal)) as T
  }

  /** The answer that was given under a key. @throws {MemoryError} KEY_REUSED, ERASED */
  #answered(state: LedgerState, key: string, digest: string): { readonly value: unknown } | undefined {
    const tenant = state.findTenant(this.#options.name) ?? -1
    const known = state.db.first<[string, string]>('select digest, result from operation where tenant = ? and key = ?', [
      tenant,
      key,
    ])
    if (known === undefined) return undefined
    if (known[0] !== digest)
      throw new MemoryError('KEY_REUSED', 'This idempotency key was used for another call', { field: 'key' })
    if (known[1] === FORGOTTEN_ANSWER)
      throw new MemoryError('ERASED', 'What was done under this key was forgotten since', { field: 'key' })
    return JSON.parse(known[1]) as { value: unknown }
  }

  /** What makes two calls the same: method and arguments, without ids that the handle made up for this one call. */
  #digest({ method, args }: CallRequest): string | undefined {
    const payload = args[0] as { generated?: readonly string[] } | undefined
    let text: string
    try {
      text = canonicalJson([method, ...args.map(arg => arg ?? null)] as JsonValue)
    } catch {
      return undefined
    }
    if (method === 'batch')
      for (const [index, id] of (payload?.generated ?? []).entries()) text = text.replaceAll(id, `#${index}`)
    return keyedTag(bytesToHex(sha256(utf8ToBytes(this.#options.secret))), text)
  }

  async #remember(request: CallRequest, input: unknown, options: unknown, signal: AbortSignal | undefined): Promise<Remembered> {
    const { store, name, extractor } = this.#options
    if (extractor === undefined)
      throw new MemoryError(
        'INVALID_ARGUMENT',
        'remember needs an extractor; give one when the memory is opened, or use assert',
        {
          field: 'extractors',
        },
      )
    const key = readKey(options)
    const digest = key === undefined ? undefined : this.#digest(request)
    if (key !== undefined && digest !== undefined) {
      const known = await store.read(({ state }) => this.#answered(state, key, digest))
      if (known !== undefined) return known.value as Remembered
    }
    // A caller's key holds no control characters, so this one is nobody else's.
    const episodeKey = key === undefined ? undefined : `\u0001episode\u0001${key}`
    const episode = await this.#commitUnder(episodeKey, request, signal, writer => recordEpisode(writer, input))
    for (let attempt = 1; ; attempt++) {
      const shown = await store.read(({ state }) =>
        extractionInput(this.#options.around(state), state, state.findTenant(name) ?? -1, episode, signal),
      )
      const candidates = await extract(extractor, shown)
      const outcomes = await this.#commitUnder(key, request, signal, writer => {
        const stale =
          attempt < EXTRACTION_ATTEMPTS &&
          candidates.length > 0 &&
          restsOnOldValues(writer.state, writer.tenant, shown, writer.around, episode)
        return stale ? undefined : { episode, outcomes: admitAll(writer, episode, extractor, candidates) }
      })
      if (outcomes !== undefined) return outcomes
    }
  }

  #forgetPlan(scope: unknown): Promise<{ preview: ForgetPreview; token: string }> {
    const { store, name, actor } = this.#options
    return store.read(({ state }) => {
      const preview = previewForget(state, () => new Writer(this.#options.around(state), name, actor), scope)
      return { preview, token: planToken(preview) }
    })
  }

  #forgetApply(writer: Writer, scope: unknown, token: unknown): ForgetResult {
    const { erasure, preview } = carryOut(writer, scope)
    if (planToken(preview) !== token)
      throw new MemoryError('PLAN_STALE', 'The memory changed since this plan was made; make it again')
    const { episodes, assertions, redactions } = preview
    return { erasure, episodes: episodes.length, assertions: assertions.length, redactions: redactions.length }
  }
}

/** Two previews that say the same have the same token. */
function planToken(preview: ForgetPreview): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(preview))))
}

function readKey(options: unknown): string | undefined {
  if (options === undefined || options === null) return undefined
  const { key } = objectInput(options, 'options')
  return key === undefined ? undefined : idText(key, 'key')
}
