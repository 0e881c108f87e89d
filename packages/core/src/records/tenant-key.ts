/** Tenant key: the secret under which a tenant's erasure tags are made. Travels in backups and sync. Merge: union by (id, content). */
import * as z from 'zod'
import { clock, id } from './fields.ts'

export interface TenantKeyRecord {
  readonly kind: 'tenantKey'
  readonly id: string
  readonly clock: string
  /** 32 random bytes, 64 hex digits. */
  readonly secret: string
}

export const tenantKeyRecord: z.ZodType<TenantKeyRecord> = z.strictObject({
  kind: z.literal('tenantKey'),
  id,
  clock,
  secret: z.string().regex(/^[0-9a-f]{64}$/u),
})
