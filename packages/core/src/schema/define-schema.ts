/**
 * `defineSchema`: what may be remembered, as code. The part that decides projection (cardinality, policy, memory type)
 * is also data: it is stored in a schema record, and projection reads only that.
 */
import type { z } from 'zod'
import { MemoryError } from '../errors.ts'
import { normalizeName } from '../records/name.ts'
import type { JsonValue } from '../records/json.ts'

/**
 * What happens when a local write starts at the same second as another value (DESIGN 3): `reject` raises CONFLICT;
 * `latest` stores it and the one said later holds; `trusted` stores it if its trust is greater, else CONFLICT; `ask` stores it held.
 */
export type EqualSecondPolicy = 'reject' | 'latest' | 'trusted' | 'ask'

export type MemoryType = 'fact' | 'preference' | 'task' | 'note' | (string & {})

export interface AttributeDefinition {
  /** What a value may be. Checked on every write; the value is stored as given, not as transformed. */
  readonly value: z.ZodType
  /** True where several values hold at once (each value then has its own slot). Default false. */
  readonly many?: boolean
  /** Default `fact`. */
  readonly type?: MemoryType
  /** Default `reject`. */
  readonly onEqualSecond?: EqualSecondPolicy
  /** For people and for extractors. */
  readonly description?: string
}

export interface SchemaDefinition<
  A extends Readonly<Record<string, AttributeDefinition>> = Readonly<Record<string, AttributeDefinition>>,
> {
  /** Positive integer; raise it when the meaning of an attribute changes. */
  readonly version: number
  /** What happens to attributes that are not declared: accepted as single-valued JSON, or refused. Default `accept`. */
  readonly unknownAttributes?: 'accept' | 'refuse'
  readonly attributes: A
}

export interface Schema<
  A extends Readonly<Record<string, AttributeDefinition>> = Readonly<Record<string, AttributeDefinition>>,
  U extends 'accept' | 'refuse' = 'accept' | 'refuse',
> extends SchemaDefinition<A> {
  readonly unknownAttributes: U
}

/** The schema that is used where none is given: every attribute is single-valued JSON. */
export const anySchema: Schema<Record<never, never>, 'accept'> = Object.freeze({
  version: 1,
  unknownAttributes: 'accept',
  attributes: {},
})

/**
 * Checks and freezes a schema.
 * @throws {MemoryError} INVALID_SCHEMA when the version is not a positive integer, or an attribute's name is blank or
 *   equals another one under normalisation, or its parts are not what `AttributeDefinition` says.
 */
export function defineSchema<
  const A extends Readonly<Record<string, AttributeDefinition>>,
  const U extends 'accept' | 'refuse' = 'accept',
>(definition: SchemaDefinition<A> & { readonly unknownAttributes?: U }): Schema<A, U> {
  const refuse = (field: string, why: string): never => {
    throw new MemoryError('INVALID_SCHEMA', `${field} ${why}`, { field })
  }
  if (!Number.isSafeInteger(definition.version) || definition.version < 1) refuse('version', 'must be a positive integer')
  // Without one, U is inferred as its default.
  const unknownAttributes = definition.unknownAttributes ?? ('accept' as U)
  if (unknownAttributes !== 'accept' && unknownAttributes !== 'refuse') refuse('unknownAttributes', 'must be accept or refuse')
  const seen = new Map<string, string>()
  for (const [name, attribute] of Object.entries<AttributeDefinition>(definition.attributes)) {
    const field = `attributes.${name}`
    const key = normalizeName(name)
    if (key === '') refuse(field, 'must have a name')
    const twin = seen.get(key)
    if (twin !== undefined) refuse(field, `is the same name as ${twin} after normalisation`)
    seen.set(key, name)
    if (typeof attribute.value?.safeParse !== 'function') refuse(`${field}.value`, 'must be a zod schema')
    if (!['reject', 'latest', 'trusted', 'ask', undefined].includes(attribute.onEqualSecond))
      refuse(`${field}.onEqualSecond`, 'must be reject, latest, trusted or ask')
    if (attribute.type !== undefined && attribute.type.trim() === '') refuse(`${field}.type`, 'must not be blank')
  }
  return Object.freeze({ ...definition, unknownAttributes })
}

/** The names a schema declares; any string where it accepts unknown attributes or is not known in detail. */
export type AttributeName<S extends Schema> =
  S extends Schema<infer A, infer U> ? (keyof A & string) | ('accept' extends U ? string & {} : never) : string

/** The type of a value of attribute `K`: the schema's, or any JSON where the schema does not declare it. */
export type ValueOf<S extends Schema, K extends string> = string extends keyof S['attributes']
  ? JsonValue
  : S['attributes'] extends Readonly<Record<K, { readonly value: infer V extends z.ZodType }>>
    ? z.input<V>
    : JsonValue

/** What `get` returns for attribute `K`: an array where the attribute is many-valued. */
export type IsMany<S extends Schema, K extends string> =
  S['attributes'] extends Readonly<Record<K, { readonly many: true }>> ? true : false
