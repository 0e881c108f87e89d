/** The schema that a neutral file asks for: any JSON as value, one cardinality for the whole file. */
import { defineSchema, normalizeName } from '@palimpsest/core'
import type { AttributeDefinition, Schema } from '@palimpsest/core'
import { z } from 'zod'
import type { FactEvent } from './replay-file.ts'

export function schemaOf(facts: readonly FactEvent[], many: boolean): Schema {
  const attributes = new Map<string, AttributeDefinition>()
  // `latest`: data may say two things about one second, and the answer then follows what was said later.
  for (const { attribute } of facts) attributes.set(normalizeName(attribute), { value: z.json(), many, onEqualSecond: 'latest' })
  return defineSchema({ version: 1, unknownAttributes: 'accept', attributes: Object.fromEntries(attributes) })
}
