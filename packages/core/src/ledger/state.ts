/**
 * What applying and reading share: the database, and small caches over it. Caches hold only what rows say, so they are
 * dropped whenever a transaction is rolled back.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { SchemaAttribute, SchemaRecord } from '../records/schema.ts'
import type { SqlDatabase } from '../sql/database.ts'

export interface SlotRow {
  readonly nr: number
  readonly tenant: number
  readonly subject: string
  readonly attribute: string
  readonly member: string
}

/** What projection reads of a tenant's schema: the winning schema record. */
export interface Projection {
  readonly record: SchemaRecord | undefined
  readonly attributes: ReadonlyMap<string, SchemaAttribute>
}

/** A range of erased content: a slot, a subject, a session (by keyed tag) or everything, recorded up to `clock`. */
export interface ScopeRow {
  readonly what: string
  readonly tag: string
  readonly key: string
  readonly clock: string
}

const CACHE_LIMIT = 50_000

export class LedgerState {
  readonly db: SqlDatabase
  readonly #tenants = new Map<string, number>()
  readonly #slots = new Map<number, SlotRow>()
  readonly #projections = new Map<number, Projection>()
  readonly #scopes = new Map<number, readonly ScopeRow[]>()

  constructor(db: SqlDatabase) {
    this.db = db
  }

  /** After a rollback: rows that the caches know may be gone. */
  dropCaches(): void {
    this.#tenants.clear()
    this.#slots.clear()
    this.#projections.clear()
    this.#scopes.clear()
  }

  /** The tenant's number, undefined where it has no records. */
  findTenant(name: string): number | undefined {
    const known = this.#tenants.get(name)
    if (known !== undefined) return known
    const row = this.db.first<[number]>('select nr from tenant where name = ?', [utf8ToBytes(name)])
    if (row) this.#tenants.set(name, row[0])
    return row?.[0]
  }

  tenant(name: string): number {
    const found = this.findTenant(name)
    if (found !== undefined) return found
    this.db.run('insert into tenant (name, id) values (?, ?)', [utf8ToBytes(name), name.replaceAll('\u0000', '\u2400')])
    return this.findTenant(name) as number
  }

  findSlot(tenant: number, subject: string, attribute: string, member: string): number | undefined {
    return this.db.first<[number]>('select nr from slot where tenant = ? and subject = ? and attribute = ? and member = ?', [
      tenant,
      subject,
      attribute,
      member,
    ])?.[0]
  }

  slot(tenant: number, subject: string, attribute: string, member: string): number {
    const found = this.findSlot(tenant, subject, attribute, member)
    if (found !== undefined) return found
    this.db.run('insert into slot (tenant, subject, attribute, member) values (?, ?, ?, ?)', [tenant, subject, attribute, member])
    return this.findSlot(tenant, subject, attribute, member) as number
  }

  slotRow(nr: number): SlotRow {
    const known = this.#slots.get(nr)
    if (known) return known
    const row = this.db.first<[number, string, string, string]>(
      'select tenant, subject, attribute, member from slot where nr = ?',
      [nr],
    )
    if (!row) throw new Error(`slot ${nr} is not there`)
    const slot = { nr, tenant: row[0], subject: row[1], attribute: row[2], member: row[3] }
    if (this.#slots.size >= CACHE_LIMIT) this.#slots.clear()
    this.#slots.set(nr, slot)
    return slot
  }

  /** The row is gone, and its number may be given to another slot. */
  forgetSlot(nr: number): void {
    this.#slots.delete(nr)
  }

  /** The number of an episode's id; made when it is named for the first time, also where the episode has not arrived. */
  episodeRef(tenant: number, id: string): { readonly nr: number; readonly erased: boolean } {
    const find = (): [number, number] | undefined =>
      this.db.first<[number, number]>('select nr, erased from episode_id where tenant = ? and id = ?', [tenant, id])
    let row = find()
    if (!row) {
      this.db.run('insert into episode_id (tenant, id) values (?, ?)', [tenant, id])
      row = find() as [number, number]
    }
    return { nr: row[0], erased: row[1] === 1 }
  }

  projection(tenant: number): Projection {
    const known = this.#projections.get(tenant)
    if (known) return known
    const row = this.db.first<[string]>(
      'select body from schema_version where tenant = ? order by version desc, clock desc, id desc, body desc limit 1',
      [tenant],
    )
    const record = row ? (JSON.parse(row[0]) as SchemaRecord) : undefined
    const projection = { record, attributes: new Map((record?.attributes ?? []).map(attribute => [attribute.name, attribute])) }
    this.#projections.set(tenant, projection)
    return projection
  }

  isMany(tenant: number, attribute: string): boolean {
    return this.projection(tenant).attributes.get(attribute)?.many ?? false
  }

  skipsTrust(tenant: number, attribute: string): boolean {
    return this.projection(tenant).attributes.get(attribute)?.onEqualSecond === 'latest'
  }

  forgetProjection(tenant: number): void {
    this.#projections.delete(tenant)
  }

  scopes(tenant: number): readonly ScopeRow[] {
    const known = this.#scopes.get(tenant)
    if (known) return known
    const rows = this.db
      .all<[string, string, string, string]>('select what, tag, key, clock from erasure_scope where tenant = ?', [tenant])
      .map(([what, tag, key, clock]) => ({ what, tag, key, clock }))
    this.#scopes.set(tenant, rows)
    return rows
  }

  forgetScopes(tenant: number): void {
    this.#scopes.delete(tenant)
  }

  /** Every tag that a text may have in this tenant: one for each key. */
  tags(tenant: number, text: string): { readonly key: string; readonly tag: string }[] {
    return this.db
      .all<[string, string]>('select id, secret from tenant_key where tenant = ? order by clock, id', [tenant])
      .map(([key, secret]) => ({ key, tag: keyedTag(secret, text) }))
  }
}

/** HMAC-SHA-256 as 64 hex digits. @param secret 64 hex digits */
export function keyedTag(secret: string, text: string): string {
  return bytesToHex(hmac(sha256, hexToBytes(secret), utf8ToBytes(text)))
}

/** What is tagged. Names hold no control characters, so the separator is unambiguous. */
export const tagText: {
  slot(subject: string, attribute: string): string
  subject(subject: string): string
  session(session: string): string
} = {
  slot: (subject, attribute) => `slot\u0000${subject}\u0000${attribute}`,
  subject: subject => `subject\u0000${subject}`,
  session: session => `session\u0000${session}`,
}
