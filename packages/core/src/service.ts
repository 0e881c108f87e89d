/**
 * The answering end of every call: opens a store, and turns requests of the protocol into reads and commits.
 * It runs in a worker or in a Node process, next to SQLite.
 */
import { v7 as uuidv7 } from 'uuid'
import { changeKeys, finishChange, type KeyedStore } from './at-rest/change-keys.ts'
import { checkAtRest, type AtRest } from './at-rest/lock.ts'
import { MemoryError, toMemoryError } from './errors.ts'
import type { Extractor } from './extractor.ts'
import { loadPageHashes } from './journal/page-hashes.ts'
import type { Journal } from './journal/port.ts'
import { Store } from './journal/store.ts'
import type { LedgerState } from './ledger/state.ts'
import type { Actor, Health, MemoryEvent } from './memory.ts'
import type { MirrorPlace } from './mirror/port.ts'
import { recover, type Restored } from './mirror/recover.ts'
import { spareImages } from './mirror/restore-base.ts'
import { openJournal } from './open-journal.ts'
import type { CallRequest, CallResponse } from './protocol.ts'
import { queryReadOnly } from './read-only-sql.ts'
import { tenantName } from './records/name.ts'
import { anySchema, type Schema } from './schema/define-schema.ts'
import { loadSql } from './sql/sqljs.ts'
import { TenantService } from './tenant-service.ts'
import { HybridClock, type TimeSource } from './time/hybrid-clock.ts'
import { checkTimeZone } from './time/instant.ts'
import { oneOf } from './write/input.ts'
import type { Surroundings } from './write/writer.ts'

export interface ServiceOptions {
  readonly journal: Journal
  /** In a page: where `sql-wasm-browser.wasm` is served. */
  readonly sql?: { readonly wasmUrl?: string }
  /** Default: every attribute is single-valued JSON. */
  readonly schema?: Schema
  /** The first one serves `remember`. */
  readonly extractors?: readonly Extractor[]
  /** Where bare dates begin, IANA; default UTC. */
  readonly timeZone?: string
  /** What the journal was opened with; `mirrored` waits for the mirror as well. Default strict. */
  readonly durability?: Health['durability']
  /** How the store is encrypted at rest. Default: as it is; a new one with a key kept on the device. */
  readonly atRest?: AtRest
  /** Where copies of what is committed go, outside the journal's own storage. */
  readonly mirror?: MirrorPlace
  /** The id that this store is known to have had: if the journal is empty nevertheless, it was lost. */
  readonly knownStoreId?: string
  /** What to do about a store that was lost and that no mirror can restore. Default fail: STORE_LOST. */
  readonly ifLost?: 'fail' | 'startNew'
  /** Whether the platform promised to keep the storage; undefined where it cannot say. */
  readonly persisted?: () => Promise<boolean | undefined>
  /** Milliseconds since 1970; default the wall clock. */
  readonly now?: TimeSource
}

export interface MemoryService {
  readonly storeId: string
  /** Answers one call; never rejects. */
  handle(request: CallRequest, signal?: AbortSignal): Promise<CallResponse>
  on(listener: (event: MemoryEvent) => void): () => void
  /** Re-reads the head of the journal before anything else is served. */
  refresh(): Promise<void>
  close(): Promise<void>
}

const ACTORS: readonly Actor[] = ['user', 'assistant', 'tool', 'event', 'document']

/**
 * Opens the store of a journal.
 * @throws {MemoryError} STORE_CORRUPT, STORE_UNAVAILABLE, STORE_LOST, KEY_NEEDED, KEY_WRONG, KEY_DAMAGED, KEY_MISSING,
 *   READ_ONLY, INVALID_ARGUMENT (timeZone, atRest). The journal stays the caller's to close then.
 */
export async function openService(options: ServiceOptions): Promise<MemoryService> {
  const timeZone = options.timeZone === undefined ? 'UTC' : checkTimeZone(options.timeZone, 'timeZone')
  const { journal: bare, durability = 'strict' } = options
  const [openDb, pageHashes] = await Promise.all([loadSql(options.sql ?? {}), loadPageHashes()])
  if (durability === 'mirrored' && options.mirror === undefined)
    throw new MemoryError('STORE_UNAVAILABLE', 'There is no place for a mirror here', { reason: 'no mirror' })
  const opened = await openJournal({ ...options, waitForMirror: durability === 'mirrored' })
  const { storeId, deviceId } = opened.identity
  const clock = new HybridClock(deviceId, options.now ?? Date.now)
  const schemaChecked = new Set<string>()
  const listeners = new Set<(event: MemoryEvent) => void>()
  const { sealed, mirror: copies } = opened
  const store = await Store.open({
    journal: opened.journal,
    ...(sealed === undefined || copies === undefined ? {} : { spare: spareImages(sealed, copies.place, storeId) }),
    openDb,
    pageHashes,
    observe: value => clock.observe(value),
    forgetUncommitted: () => schemaChecked.clear(),
    emit: event => tell(listeners, event),
  })
  const { restored, levelled } = await recover(bare, opened, store)
  const { keys, mirror } = opened
  // Somebody died while changing keys. Whoever opens the store next goes on, and nothing waits for it.
  const keyed = keys && { store, keys, mirror, bare }
  if (keyed?.keys.changing === true) void levelled.then(() => finishChange(keyed)).catch(() => undefined)
  return new Service(store, {
    schema: options.schema ?? anySchema,
    clock,
    timeZone,
    storeId,
    deviceId,
    schemaChecked,
    listeners,
    durability,
    extractor: options.extractors?.[0],
    keyed,
    restored,
    persisted: options.persisted ?? ((): Promise<undefined> => Promise.resolve(undefined)),
  })
}

/** What a listener throws is for the program to see, as a rejection that nobody handles; the write that it hears of is stored. */
function tell(listeners: ReadonlySet<(event: MemoryEvent) => void>, event: MemoryEvent): void {
  for (const listener of [...listeners]) {
    try {
      listener(event)
    } catch (error) {
      void Promise.reject(error)
    }
  }
}

interface ServiceContext {
  readonly schema: Schema
  readonly clock: HybridClock
  readonly timeZone: string
  readonly storeId: string
  readonly deviceId: string
  readonly schemaChecked: Set<string>
  readonly listeners: Set<(event: MemoryEvent) => void>
  readonly durability: Health['durability']
  readonly extractor: Extractor | undefined
  readonly keyed: KeyedStore | undefined
  readonly restored: Restored | undefined
  persisted(): Promise<boolean | undefined>
}

class Service implements MemoryService {
  readonly #store: Store
  readonly #context: ServiceContext

  constructor(store: Store, context: ServiceContext) {
    this.#store = store
    this.#context = context
  }

  get storeId(): string {
    return this.#context.storeId
  }

  async handle(request: CallRequest, signal?: AbortSignal): Promise<CallResponse> {
    try {
      if (signal?.aborted === true) throw new MemoryError('ABORTED', 'The call was aborted; nothing was written')
      const value =
        request.tenant === undefined ? await this.#memoryCall(request) : await this.#tenantCall(request, request.tenant, signal)
      return { ok: true, value }
    } catch (error) {
      return { ok: false, error: toMemoryError(error).toEnvelope() }
    }
  }

  on(listener: (event: MemoryEvent) => void): () => void {
    // A listener of its own for every subscription, so that stopping one does not stop another of the same function.
    const own = (event: MemoryEvent): void => listener(event)
    this.#context.listeners.add(own)
    return () => void this.#context.listeners.delete(own)
  }

  refresh(): Promise<void> {
    return this.#store.refresh()
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  async #memoryCall({ method, args }: CallRequest): Promise<unknown> {
    switch (method) {
      case 'query':
        return this.#store.read(replica => queryReadOnly(replica.db, args[0], args[1]))
      case 'checkpoint':
        return this.#store.checkpoint()
      case 'health':
        return this.#health()
      case 'rekey':
        return this.#rekey(args[0])
      default:
        throw new MemoryError('INVALID_ARGUMENT', `There is no call ${method}`, { field: 'method' })
    }
  }

  #tenantCall(request: CallRequest, tenant: string, signal: AbortSignal | undefined): Promise<unknown> {
    const name = tenantName(tenant)
    const actor = request.actor === undefined ? 'assistant' : oneOf(request.actor, ACTORS, 'actor')
    const { extractor } = this.#context
    return new TenantService({
      store: this.#store,
      name,
      actor,
      extractor,
      secret: this.#context.storeId,
      around: state => this.#around(state),
    }).call(request, signal)
  }

  #around(state: LedgerState): Surroundings {
    const { clock, schema, timeZone, schemaChecked } = this.#context
    return { state, clock, schema, timeZone, schemaChecked, newId: () => uuidv7() }
  }

  async #rekey(atRest: unknown): Promise<void> {
    const { keyed } = this.#context
    if (keyed === undefined)
      throw new MemoryError('INVALID_ARGUMENT', 'A memory that keeps nothing has no keys', { field: 'atRest' })
    await changeKeys(keyed, atRest === undefined || atRest === null ? undefined : checkAtRest(atRest as AtRest))
  }

  async #health(): Promise<Health> {
    const { state, sizeBytes } = await this.#store.health()
    const { storeId, deviceId, durability, keyed, restored } = this.#context
    const quarantine = await this.#store.read(replica => [...replica.quarantine])
    const [persisted, isChanging] = await Promise.all([this.#context.persisted(), keyed?.keys.isStillChanging() ?? false])
    return {
      engine: this.#store.journal.engine,
      durability,
      storeId,
      deviceId,
      ...state,
      sizeBytes,
      quarantine,
      atRest: { kind: keyed?.keys.lockKind ?? 'off', isChanging },
      ...(keyed?.mirror === undefined ? {} : { mirror: keyed.mirror.health() }),
      ...(restored === undefined ? {} : { restored }),
      ...(persisted === undefined ? {} : { isPersisted: persisted }),
    }
  }
}
