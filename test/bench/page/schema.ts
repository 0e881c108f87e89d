import { anySchema } from '@palimpsest/core'

/** Every attribute is a single value of any JSON: what is measured is the store, not a schema. */
export const schema: typeof anySchema = anySchema
