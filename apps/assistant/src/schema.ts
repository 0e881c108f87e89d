/** What this assistant remembers. Only its type reaches the page; the worker has the rest. */
import { defineSchema } from '@palimpsest/core'
import { builtInDefinitions } from '@palimpsest/extract'
import * as z from 'zod'

export const schema = defineSchema({
  version: 1,
  attributes: builtInDefinitions({ text: z.string(), date: z.string(), flag: z.boolean(), count: z.number().int() }),
})
