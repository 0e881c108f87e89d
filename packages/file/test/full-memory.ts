/** A memory that holds every kind of record, and of each kind what is least like the others. */
import * as z from 'zod'
import { defineSchema, type Extractor, type Schema, type TenantMemory } from '@palimpsest/core'
import { openTenant } from './memories.ts'

const schema: Schema = defineSchema({
  version: 3,
  attributes: {
    city: { value: z.string() },
    likes: { value: z.string(), many: true, type: 'preference' },
    asking: { value: z.unknown(), onEqualSecond: 'ask' },
  },
})

const extractor: Extractor = {
  name: 'test',
  version: 7,
  extract: ({ text }) =>
    Promise.resolve([
      {
        evidence: text,
        subject: 'mira',
        attribute: 'diet',
        current_value: null,
        change: 'new',
        value: 'vegan',
        valid_from: null,
        valid_until: null,
        confidence: 0.5,
      },
    ]),
}

const AT = '2026-03-01T00:00:00Z'

export async function fullMemory(): Promise<TenantMemory> {
  const mine = await openTenant({ schema, extractors: [extractor] })
  for (const kind of ['message', 'tool_result', 'event', 'file', 'confirmation'] as const)
    await mine.record({
      id: kind,
      kind,
      text: `Mira lives in Oslo, says the ${kind} 😀`,
      author: 'document',
      at: '2026-01-01T12:00:00.250+01:00',
      timeZone: 'Europe/Oslo',
      session: 's1',
      uri: `file:///${kind}`,
      digest: 'sha256:00ff',
      speaker: 'Mira',
      place: 'Oslo',
      entities: ['mira', '李雷'],
      tags: ['a', 'a', ''],
      retention: 'short',
    })
  await mine.record({ id: 'bare', text: '', author: 'assistant' })
  await mine.assert({ subject: 'Mira', attribute: 'City', value: 'Oslo', from: 'file', quote: 'Oslo', confidence: 1 / 3 })
  await mine.assert({ subject: 'mira', attribute: 'city', value: 'Paris', validFrom: AT, validUntil: '2026-04-01' })
  for (const value of ['tea', 'snow', '']) await mine.assert({ subject: 'mira', attribute: 'likes', value, validFrom: AT })
  await mine.retract({ subject: 'mira', attribute: 'likes', value: 'tea', validFrom: '2026-05-01' })
  await mine.retract({ subject: 'mira', attribute: 'likes', validFrom: '2027-05-01' })
  await mine.assert({ subject: 's', attribute: 'asking', value: 1, validFrom: AT })
  const held = await mine.assert({ subject: 's', attribute: 'asking', value: [2, { a: null }], validFrom: AT })
  await mine.assert({ subject: 's', attribute: 'asking', value: 3.5e-7, validFrom: AT, retention: 'short' })
  await mine.confirm(held.id)
  const wrong = await mine.assert({ subject: 'mira', attribute: 'age', value: 40 })
  const [decision] = await mine.reject(wrong.id)
  await mine.undo(decision as string)
  await mine.correct(wrong.id, { value: 41 })
  await mine.remember({ text: 'I am vegan', author: 'user' })
  await forgetSomething(mine)
  return mine
}

/** One erasure of each scope that leaves the rest alone. */
async function forgetSomething(mine: TenantMemory): Promise<void> {
  await mine.record({ id: 'gone', text: 'the pin is 4711', author: 'user', session: 's2' })
  await mine.record({ id: 'blacked', text: 'my pin is 4711, and I like snow', author: 'user' })
  const pin = await mine.assert({ subject: 'mira', attribute: 'pin', value: '4711', from: 'blacked', quote: 'my pin is 4711' })
  await mine.assert({ subject: 'john', attribute: 'pin', value: '4712' })
  await mine.assert({ subject: 'eve', attribute: 'pin', value: '4713' })
  for (const scope of [{ fact: pin.id }, { session: 's2' }, { subject: 'john' }, { subject: 'eve', attribute: 'pin' }])
    await (await mine.forget(scope)).apply()
}
