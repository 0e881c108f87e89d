/**
 * What a user of Palimpsest holds: a memory, and the handle of one tenant in it.
 *
 * The interfaces are the same in a page and under Node; `client.ts` implements them over a transport, and `service.ts`
 * answers. Every promise of a write settles after the write is durable; every promise of a read sees only durable state.
 */
import type { AtRest } from './at-rest/lock.ts'
import type { MirrorHealth } from './mirror/mirror.ts'
import type { Restored } from './mirror/recover.ts'
import type { JsonValue } from './records/json.ts'
import type { AttributeName, IsMany, Schema, ValueOf } from './schema/define-schema.ts'
import type { MemoryRecord } from './records/record.ts'

/** ISO 8601 with an offset (`2026-06-30T09:00:00Z`), a bare date (resolved in the memory's time zone), or a Date. */
export type InstantInput = string | Date

/** Who speaks in an episode. Trust follows from it: user, event, tool, document, assistant. */
export type Author = 'user' | 'assistant' | 'tool' | 'document' | 'event'

/** Who acts through a handle; written into every decision. Only a `user` confirms with the weight of the user. */
export type Actor = 'user' | 'assistant' | 'tool' | 'event' | 'document'

/** From high to low: user, event, tool, document, imported, assistant. */
export type Trust = 'user' | 'event' | 'tool' | 'document' | 'imported' | 'assistant'

export type EpisodeKind = 'message' | 'tool_result' | 'event' | 'file' | 'confirmation'

export interface EpisodeInput {
  /** Default: a new UUIDv7. Giving one that is already there with the same content changes nothing. */
  readonly id?: string
  readonly text: string
  readonly author: Author
  /** Default `message`. */
  readonly kind?: EpisodeKind
  /** When it was said or happened. Default: now. */
  readonly at?: InstantInput
  /** IANA zone in which its bare dates are meant. */
  readonly timeZone?: string
  readonly session?: string
  /** Where the original is: a file, a ticket, a tool call. */
  readonly uri?: string
  /** Digest of the original, as `algorithm:hex`. */
  readonly digest?: string
  /** The name of the person or thing that spoke, where `author` is not enough. */
  readonly speaker?: string
  readonly place?: string
  readonly entities?: readonly string[]
  readonly tags?: readonly string[]
  /** Retention class; kept with the episode. */
  readonly retention?: string
}

export interface Episode {
  readonly id: string
  readonly text: string
  readonly author: Author
  readonly kind: EpisodeKind
  /** `YYYY-MM-DDTHH:MM:SS.mmmZ` */
  readonly at: string
  readonly timeZone?: string
  readonly session?: string
  readonly uri?: string
  readonly digest?: string
  readonly speaker?: string
  readonly place?: string
  readonly entities: readonly string[]
  readonly tags: readonly string[]
  readonly retention?: string
  /** When this memory learned it: `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
  readonly recordedAt: string
}

/** One piece of evidence: the passage of an episode that an assertion rests on. */
export interface Source {
  readonly episode: string
  /** The id of the assertion it supports. */
  readonly assertion: string
  /** The passage; undefined where the episode has not arrived in this memory. */
  readonly quote: string | undefined
  /** UTF-16 offsets of the passage, half-open; undefined where the whole text is the evidence. */
  readonly start: number | undefined
  readonly end: number | undefined
  readonly author: Author | undefined
  /** Time of the episode. */
  readonly at: string | undefined
  readonly uri: string | undefined
}

/** Another statement that starts at the same second with another value, and lost. */
export interface Contender {
  readonly assertion: string
  /** undefined for a retraction. */
  readonly value: JsonValue | undefined
  readonly trust: Trust
}

export interface Fact<V = JsonValue> {
  /** The assertion that the fact began with, `<id>@<validFrom>` where it resumes under an older one. */
  readonly id: string
  /** Normal form. */
  readonly subject: string
  /** Normal form. */
  readonly attribute: string
  readonly value: V
  /** Inclusive, `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly validFrom: string
  /** Exclusive; null while no end is known. A fact that is open is not thereby current: see `get`. */
  readonly validTo: string | null
  /** The id of the fact whose interval ended where this one starts; null where there is none. */
  readonly supersedes: string | null
  /** Every piece of evidence, oldest episode first. */
  readonly sources: readonly Source[]
  /** The ids of every assertion in the fact, earliest recorded first. */
  readonly assertions: readonly string[]
  /** 0..1 as stated by the first assertion; null where it was not given. */
  readonly confidence: number | null
  readonly contested: readonly Contender[]
  readonly trust: Trust
  readonly memoryType: string
  readonly schemaVersion: number
  readonly retention: string | null
  /** When this memory first learned it: `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
  readonly recordedAt: string
}

export interface ReadOptions {
  /** Valid time: the state of the world at this instant. Default: now. */
  readonly at?: InstantInput
  /** Recorded time: what this memory had learned by then. Default: everything. */
  readonly knownAt?: InstantInput
  readonly signal?: AbortSignal
}

export interface WriteOptions {
  /** Idempotency key: the same call under the same key is done once and answers the same. */
  readonly key?: string
  readonly signal?: AbortSignal
}

export interface AssertInput<S extends Schema = Schema, K extends AttributeName<S> = AttributeName<S>> {
  /** Default: a new UUIDv7. */
  readonly id?: string
  readonly subject: string
  readonly attribute: K
  readonly value: ValueOf<S, K>
  /** Default: the time of the source episode, else now. */
  readonly validFrom?: InstantInput
  /** Exclusive; null or absent while no end is known. */
  readonly validUntil?: InstantInput | null
  /** The source episode. */
  readonly from?: string
  /** The passage of the source episode; default its whole text. */
  readonly quote?: string
  /** 0..1 */
  readonly confidence?: number
  readonly retention?: string
  /** The id of the fact that must hold in the slot at `validFrom`, or null for none; else FACT_CHANGED. */
  readonly ifFact?: string | null
}

export interface RetractInput<S extends Schema = Schema, K extends AttributeName<S> = AttributeName<S>> {
  readonly id?: string
  readonly subject: string
  readonly attribute: K
  /** For a many-valued attribute: the one value that ends. Absent: all of them. */
  readonly value?: ValueOf<S, K>
  readonly validFrom?: InstantInput
  readonly validUntil?: InstantInput | null
  readonly from?: string
  readonly quote?: string
  readonly ifFact?: string | null
}

/** What a write of one assertion did. */
export interface Asserted {
  /** The id of the assertion; `fact(id)` finds the fact it is part of. */
  readonly id: string
  /** `accepted`: the rule of time decides what holds. `held`: it waits for `confirm`. */
  readonly status: 'accepted' | 'held'
  /** Why it is held. */
  readonly reason?: string
}

export interface Correction<V = JsonValue> {
  readonly value: V
  readonly from?: string
  readonly quote?: string
}

export interface FactsFilter {
  readonly subject?: string
  readonly attribute?: string
  /** Only facts with this value. */
  readonly value?: JsonValue
  /** Every interval, superseded ones included, instead of those that hold `at`. Default false. */
  readonly history?: boolean
  /** The cursor of the page before. */
  readonly after?: string
  /** 1..1000, default 100. */
  readonly limit?: number
}

export interface FactsPage {
  /** By subject, attribute, validFrom, id. */
  readonly facts: readonly Fact[]
  /** Give as `after` for the next page; null on the last one. */
  readonly next: string | null
}

export interface EpisodesFilter {
  readonly session?: string
  readonly kind?: EpisodeKind
  readonly author?: Author
  readonly tag?: string
  readonly entity?: string
  readonly uri?: string
  readonly place?: string
  readonly retention?: string
  /** Only episodes whose own time is at or before this. */
  readonly at?: InstantInput
  /** Only episodes that this memory had learned by then. */
  readonly knownAt?: InstantInput
  readonly after?: string
  /** 1..1000, default 100. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

export interface EpisodesPage {
  /** By their own time, then by when they were recorded, then by id. */
  readonly episodes: readonly Episode[]
  readonly next: string | null
}

/**
 * What can be said about a slot at an instant.
 * `known`: a fact holds. `contested`: one holds, but another value starts at the same second and nobody decided.
 * `withheld`: nothing holds, and a statement waits for confirmation. `ended`: something held before. `erased`: something
 * was forgotten and nothing was said since. `never`: nothing was ever said that had begun by then.
 */
export type StandingState = 'known' | 'never' | 'ended' | 'contested' | 'withheld' | 'erased'

export interface Standing<V = JsonValue> {
  readonly state: StandingState
  /** The facts that hold (known, contested) or the last that held (ended); else empty. */
  readonly facts: readonly Fact<V>[]
}

export type AssertionStatus = 'accepted' | 'held' | 'rejected'

export interface DecisionView {
  readonly id: string
  readonly verdict: 'confirm' | 'reject' | 'promote' | 'hold' | 'extend'
  readonly by: string
  readonly recordedAt: string
  readonly undone: boolean
}

export interface AssertionView {
  readonly id: string
  readonly kind: 'value' | 'retraction'
  readonly value: JsonValue | undefined
  readonly validFrom: string
  readonly validUntil: string | null
  readonly status: AssertionStatus
  readonly born: 'accepted' | 'held'
  readonly reason: string | null
  readonly trust: Trust
  readonly by: string
  readonly confidence: number | null
  readonly recordedAt: string
  readonly sources: readonly Source[]
  readonly decisions: readonly DecisionView[]
}

/** Everything that explains a fact. */
export interface Explanation {
  readonly fact: Fact
  /** Every assertion in the fact, earliest recorded first. */
  readonly assertions: readonly AssertionView[]
  /** The fact it replaced, and the one that replaced it. */
  readonly superseded: Fact | null
  readonly supersededBy: Fact | null
}

/** Exactly one thing to forget. */
export type ForgetScope =
  | { readonly fact: string }
  | { readonly subject: string; readonly attribute?: string }
  | { readonly episode: string }
  | { readonly session: string }
  /** The whole tenant of the handle; true is spelled out so that nothing falls into it. */
  | { readonly tenant: true }

/** What a forget will do, exactly; nothing is done before `apply`. */
export interface ForgetPreview {
  /** Episodes that go, whole. */
  readonly episodes: readonly { readonly id: string; readonly text: string }[]
  /** Assertions that go, the cascade from episodes included. */
  readonly assertions: readonly {
    readonly id: string
    readonly subject: string
    readonly attribute: string
    readonly value: JsonValue | undefined
  }[]
  /** Passages blacked out in episodes that stay. */
  readonly redactions: readonly {
    readonly episode: string
    readonly start: number
    readonly end: number
    readonly quote: string
  }[]
  /** Facts that no read returns afterwards. */
  readonly gone: readonly Fact[]
  /** Facts that hold afterwards and did not before: what the forgotten ones had replaced. */
  readonly resumed: readonly Fact[]
}

export interface ForgetResult {
  readonly erasure: string
  readonly episodes: number
  readonly assertions: number
  readonly redactions: number
}

export interface ForgetPlan {
  readonly preview: ForgetPreview
  /**
   * Does what the preview says. When it settles, no read returns what was forgotten, and the erasure is durable.
   * @throws {MemoryError} PLAN_STALE when the memory changed so that the preview is no longer exact.
   */
  apply(options?: WriteOptions): Promise<ForgetResult>
}

/** Collects the operations of one commit. Everything is written, or nothing. */
export interface Batch<S extends Schema = Schema> {
  /** Returns the id that the episode will have. */
  record(episode: EpisodeInput): string
  /** Returns the id that the assertion will have. */
  assert<K extends AttributeName<S>>(input: AssertInput<S, K>): string
  retract<K extends AttributeName<S>>(input: RetractInput<S, K>): string
}

export interface RememberInput extends EpisodeInput {}

/** What became of one candidate. */
export interface Outcome {
  /** `stored`, `held`, or a reason why not: see docs/errors.md and the gate. */
  readonly code:
    | 'stored'
    | 'held'
    | 'no_change'
    | 'malformed'
    | 'attribute_refused'
    | 'value_refused'
    | 'quote_not_found'
    | 'conflict'
    | 'nothing_to_retract'
  readonly subject: string
  readonly attribute: string
  readonly change: 'new' | 'update' | 'retract' | 'no_change'
  readonly value?: JsonValue
  /** The assertion written, for `stored` and `held`. */
  readonly assertion?: string
  readonly message?: string
}

export interface Remembered {
  readonly episode: string
  readonly outcomes: readonly Outcome[]
}

export interface ChangeSet {
  /** Records that were new. */
  readonly added: number
  /** Records that were there already. */
  readonly identical: number
}

/** The handle of one tenant. Nothing it returns comes from another tenant. */
export interface TenantMemory<S extends Schema = Schema> {
  readonly tenant: string
  readonly actor: Actor

  /**
   * Keeps an episode.
   * @returns its id
   * @throws {MemoryError} ALREADY_EXISTS when the id is there with other content; ERASED when it was forgotten.
   */
  record(episode: EpisodeInput, options?: WriteOptions): Promise<string>
  /**
   * States that `value` holds in the slot from `validFrom`.
   * @throws {MemoryError} CONFLICT by the attribute's policy; VALUE_REFUSED, UNKNOWN_ATTRIBUTE by the schema; NOT_FOUND
   *   when `from` is no episode of this tenant; QUOTE_NOT_FOUND; FACT_CHANGED; INVALID_* for bad input.
   */
  assert<K extends AttributeName<S>>(input: AssertInput<S, K>, options?: WriteOptions): Promise<Asserted>
  /** States that nothing holds in the slot from `validFrom`; history stays. Errors as `assert`. */
  retract<K extends AttributeName<S>>(input: RetractInput<S, K>, options?: WriteOptions): Promise<Asserted>
  /** Everything that `build` asks for, in one commit; results in its order. */
  batch(build: (batch: Batch<S>) => void, options?: WriteOptions): Promise<readonly (Asserted | { readonly id: string })[]>
  /** Accepts every assertion in the fact, or one held assertion. */
  confirm(id: string, options?: WriteOptions): Promise<readonly string[]>
  /** Rejects every assertion in the fact; what it had replaced holds again. Returns the ids of the decisions. */
  reject(id: string, options?: WriteOptions): Promise<readonly string[]>
  /** Takes a decision back, for ever. */
  undo(decisionId: string, options?: WriteOptions): Promise<string>
  /** Rejects the fact and states another value over the same interval, in one commit. */
  correct(id: string, correction: Correction, options?: WriteOptions): Promise<Asserted>
  /** Keeps the episode, extracts candidates with the memory's extractor, and stores what passes the gate. */
  remember(input: RememberInput, options?: WriteOptions): Promise<Remembered>

  get<K extends AttributeName<S>>(
    subject: string,
    attribute: K,
    options?: ReadOptions,
  ): Promise<IsMany<S, K> extends true ? readonly Fact<ValueOf<S, K>>[] : Fact<ValueOf<S, K>> | undefined>
  standing<K extends AttributeName<S>>(subject: string, attribute: K, options?: ReadOptions): Promise<Standing<ValueOf<S, K>>>
  facts(filter?: FactsFilter & ReadOptions): Promise<FactsPage>
  /** The fact that has this id, or that the assertion with this id is part of; undefined when neither is there. */
  fact(id: string, options?: ReadOptions): Promise<Fact | undefined>
  /** @throws {MemoryError} NOT_FOUND, ERASED */
  why(id: string): Promise<Explanation>
  /** Assertions that were born held and wait for a decision, earliest recorded first. */
  review(): Promise<readonly (AssertionView & { readonly subject: string; readonly attribute: string })[]>
  episode(id: string): Promise<Episode | undefined>
  episodes(filter?: EpisodesFilter): Promise<EpisodesPage>

  /** @throws {MemoryError} EMPTY_SCOPE, NOT_FOUND, ERASED */
  forget(scope: ForgetScope): Promise<ForgetPlan>

  /** Every record of the tenant that may leave the device, in the order of the memory file (docs/format.md). For `@palimpsest/file`. */
  records(): Promise<readonly MemoryRecord[]>
  /** Applies records verbatim in one commit: an own backup, another device of the same person. Order and repetition do not matter. */
  merge(records: readonly MemoryRecord[], options?: WriteOptions): Promise<ChangeSet>
}

export interface Health {
  readonly engine: 'memory' | 'indexeddb' | 'directory'
  /**
   * `strict`: acknowledged means on disk as far as the platform promises. `mirrored`: and in the mirror too. `relaxed`: handed
   * to the operating system. `ephemeral`: nothing is kept.
   */
  readonly durability: 'strict' | 'mirrored' | 'relaxed' | 'ephemeral'
  readonly storeId: string
  readonly deviceId: string
  readonly generation: number
  readonly head: number
  readonly floor: number
  readonly deltas: number
  readonly sizeBytes: number
  /**
   * Entries and images that could not be read on open, set aside and reported. That entries are missing stays here, also after
   * an image has taken their place, up to the opening by which they come back from a mirror. Under Node what is damaged in a
   * journal file is kept beside it, as `quarantine-….bin`, until `rekey`.
   */
  readonly quarantine: readonly { readonly what: string; readonly reason: string }[]
  /** What locks the keys; `isChanging` while something may still be under an earlier key. */
  readonly atRest: { readonly kind: AtRest['kind']; readonly isChanging: boolean }
  /** The copies outside the journal's storage; absent where there is no place for them. */
  readonly mirror?: MirrorHealth
  /** This opening found that the storage had lost something, and what came back. */
  readonly restored?: Restored
  /** The platform promised not to evict the storage when space runs out (true), or did not (false); absent where it cannot say. */
  readonly isPersisted?: boolean
}

export type MemoryEvent =
  /** Something was committed, here or by another replica; `tenants` are those it touched. */
  | { readonly type: 'changed'; readonly head: number; readonly tenants: readonly string[]; readonly local: boolean }
  | { readonly type: 'checkpoint'; readonly generation: number; readonly delta: number }
  | { readonly type: 'lost'; readonly reason: string }

export interface Memory<S extends Schema = Schema> {
  /**
   * The handle of a tenant. The name is compared byte for byte.
   * @throws {MemoryError} INVALID_NAME
   */
  tenant(name: string, options?: { readonly actor?: Actor }): TenantMemory<S>
  /**
   * The owner's SQL over all tenants: one reading statement.
   * @throws {MemoryError} NOT_READ_ONLY, QUERY_FAILED
   */
  query(
    sql: string,
    params?: readonly (string | number | null)[],
  ): Promise<readonly Readonly<Record<string, string | number | null>>[]>
  /** Hears events until the returned function is called. */
  on(listener: (event: MemoryEvent) => void): () => void
  /** Folds the journal into the stored image now, rather than when idle. */
  checkpoint(): Promise<void>
  health(): Promise<Health>
  /**
   * Replaces the keys under which the store is encrypted, and with `atRest` what locks them: turns encryption on or off, sets
   * or changes a passphrase. When it settles nothing that stands in the store can be read with the keys it had. It may be cut
   * off at any moment: the store opens all the same, and the next opening finishes it.
   * @throws {MemoryError} INVALID_ARGUMENT, READ_ONLY; NOT_STORED, with `details.reason` `mirror` where the new keys are in use
   *   and the older ones stay, since the mirror did not take its copy: called again, or by the next opening, it is finished
   */
  rekey(atRest?: AtRest): Promise<void>
  /** Waits for writes under way, then lets go of the store. Calls after it raise CLOSED. */
  close(): Promise<void>
}
