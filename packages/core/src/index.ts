/** The core of Palimpsest: records, the rule of time, journal port, write and read path. */
export {
  MemoryError,
  toMemoryError,
  ERROR_CODES,
  type ErrorCode,
  type ErrorCodeEntry,
  type ErrorDetails,
  type ErrorEnvelope,
} from './errors.ts'
export type {
  Actor,
  AssertInput,
  AssertionStatus,
  AssertionView,
  Asserted,
  Author,
  Batch,
  ChangeSet,
  Contender,
  Correction,
  DecisionView,
  Episode,
  EpisodeInput,
  EpisodeKind,
  EpisodesFilter,
  EpisodesPage,
  Explanation,
  Fact,
  FactsFilter,
  FactsPage,
  ForgetPlan,
  ForgetPreview,
  ForgetResult,
  ForgetScope,
  Health,
  InstantInput,
  Memory,
  MemoryEvent,
  Outcome,
  ReadOptions,
  RememberInput,
  Remembered,
  RetractInput,
  Source,
  Standing,
  StandingState,
  TenantMemory,
  Trust,
  WriteOptions,
} from './memory.ts'
export {
  anySchema,
  defineSchema,
  type AttributeDefinition,
  type AttributeName,
  type EqualSecondPolicy,
  type IsMany,
  type MemoryType,
  type Schema,
  type SchemaDefinition,
  type ValueOf,
} from './schema/define-schema.ts'
export type { CurrentValue, ExtractionInput, Extractor, MemoryUpdate } from './extractor.ts'
export { canonicalJson, type JsonValue } from './records/json.ts'
export { normalizeName } from './records/name.ts'
export { parseRecord, type MemoryRecord } from './records/record.ts'
export type { CallRequest, CallResponse, Transport } from './protocol.ts'
export { openService, type MemoryService, type ServiceOptions } from './service.ts'
export { createClient } from './client.ts'
export { localTransport } from './local-transport.ts'
export type {
  AppendOutcome,
  BaseWrite,
  Damage,
  DeltaWrite,
  Journal,
  JournalMetaKey,
  JournalNews,
  JournalState,
  StoredEntry,
  StoredImage,
  StoredKeyring,
} from './journal/port.ts'
export type { AtRest } from './at-rest/lock.ts'
export type { MirrorHealth } from './mirror/mirror.ts'
export type { Restored } from './mirror/recover.ts'
export { MemoryJournal, MemoryStore } from './journal/memory-journal.ts'
export type { MirrorFile, MirrorPlace } from './mirror/port.ts'
export { MemoryFiles, MemoryPlace } from './mirror/memory-place.ts'
export type { TimeSource } from './time/hybrid-clock.ts'
export { formatMs, formatSecond, parseInstant } from './time/instant.ts'
