/** Operation: an idempotency key and the answer that was given under it. Local: it leaves the device in no file and no segment. */
import type { JsonValue } from './json.ts'

export interface OperationRecord {
  readonly kind: 'operation'
  readonly id: string
  readonly clock: string
  readonly key: string
  /** HMAC-SHA-256 of the call under the store's own salt, so that another call under the same key is recognised. */
  readonly digest: string
  readonly result: JsonValue
}
