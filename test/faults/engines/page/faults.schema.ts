import { defineSchema } from '@palimpsest/core'
import { z } from 'zod'

export const schema = defineSchema({
  version: 1,
  attributes: {
    note: { value: z.string(), many: true },
    step: { value: z.string() },
  },
})
