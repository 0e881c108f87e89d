/** A value against the attribute's schema. */
import { MemoryError } from '../errors.ts'
import type { JsonValue } from '../records/json.ts'
import { normalizeName } from '../records/name.ts'
import type { AttributeDefinition, Schema } from '../schema/define-schema.ts'

/**
 * The declaration of an attribute, by its normal form; undefined where the schema accepts attributes it does not know.
 * @throws {MemoryError} UNKNOWN_ATTRIBUTE
 */
export function definitionOf(schema: Schema, attribute: string): AttributeDefinition | undefined {
  let names = normalNames.get(schema)
  if (names === undefined) {
    names = new Map(
      Object.entries<AttributeDefinition>(schema.attributes).map(([name, definition]) => [normalizeName(name), definition]),
    )
    normalNames.set(schema, names)
  }
  const definition = names.get(attribute)
  if (definition === undefined && schema.unknownAttributes === 'refuse')
    throw new MemoryError('UNKNOWN_ATTRIBUTE', `The schema has no attribute ${attribute}`, { field: 'attribute', attribute })
  return definition
}

const normalNames = new WeakMap<Schema, Map<string, AttributeDefinition>>()

/** @throws {MemoryError} VALUE_REFUSED with what the schema said; the value itself stays out of the error. */
export function checkValue(definition: AttributeDefinition | undefined, value: JsonValue): void {
  const result = definition?.value.safeParse(value)
  if (result === undefined || result.success) return
  const issues = result.error.issues.map(issue => ({ path: issue.path.map(String), message: issue.message }))
  throw new MemoryError('VALUE_REFUSED', `value does not fit the attribute: ${issues[0]?.message ?? 'refused'}`, {
    field: 'value',
    issues,
  })
}
