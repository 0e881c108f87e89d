/** The key under which a tenant's erasure tags are made: the earliest of its keys; made at the first forgetting. */
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Writer } from '../write/writer.ts'

export function tenantKey(writer: Writer): { readonly id: string; readonly secret: string } {
  const row = writer.state.db.first<[string, string]>(
    'select id, secret from tenant_key where tenant = ? order by clock, id limit 1',
    [writer.tenant],
  )
  if (row) return { id: row[0], secret: row[1] }
  const key = { id: writer.around.newId(), secret: bytesToHex(crypto.getRandomValues(new Uint8Array(32))) }
  writer.write({ kind: 'tenantKey', clock: writer.tick(), ...key })
  return key
}
