/** Whatever was done to a memory, its file carries all of it. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { MemoryError, type JsonValue, type TenantMemory } from '@palimpsest/core'
import { importFile } from '../src/index.ts'
import { comparable, exportedText, openTenant } from './memories.ts'

const text = fc.string({ unit: 'binary', maxLength: 20 })
const day = fc.integer({ min: 1, max: 28 }).map(n => `2026-02-${String(n).padStart(2, '0')}T00:00:00Z`)
const value = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }) as fc.Arbitrary<JsonValue>
const subject = fc.constantFrom('a', 'ß', '李', '😀')
const optional = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(of, { nil: undefined })

const step = fc.oneof(
  fc.record({ do: fc.constant('record' as const), text, at: optional(day), tags: optional(fc.array(text, { maxLength: 3 })) }),
  fc.record({ do: fc.constant('assert' as const), subject, value, validFrom: optional(day), source: optional(fc.nat()) }),
  fc.record({ do: fc.constant('retract' as const), subject, validFrom: day }),
  fc.record({ do: fc.constantFrom('confirm' as const, 'reject' as const, 'forget' as const), which: fc.nat() }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

class Life {
  readonly memory: TenantMemory
  readonly episodes: string[] = []
  readonly assertions: string[] = []

  constructor(memory: TenantMemory) {
    this.memory = memory
  }

  async live(steps: readonly Step[]): Promise<void> {
    for (const each of steps) {
      try {
        await this.#do(each)
      } catch (error) {
        // Conflicts, ids that are gone: a refusal is part of life. Anything unexpected is not.
        if (!MemoryError.is(error) || error.code === 'INTERNAL') throw error
      }
    }
  }

  async #do(each: Step): Promise<unknown> {
    const { memory } = this
    const attribute = 'x'
    switch (each.do) {
      case 'record':
        return this.episodes.push(
          await memory.record({
            text: each.text,
            author: 'user',
            ...(each.at === undefined ? {} : { at: each.at }),
            ...(each.tags === undefined ? {} : { tags: each.tags }),
          }),
        )
      case 'assert': {
        const from = each.source === undefined ? undefined : this.episodes[each.source % (this.episodes.length || 1)]
        const { id } = await memory.assert({
          subject: each.subject,
          attribute,
          value: each.value,
          ...(each.validFrom === undefined ? {} : { validFrom: each.validFrom }),
          ...(from === undefined ? {} : { from }),
        })
        return this.assertions.push(id)
      }
      case 'retract':
        return memory.retract({ subject: each.subject, attribute, validFrom: each.validFrom })
      case 'forget':
        return (await memory.forget({ episode: this.#pick(this.episodes, each.which) })).apply()
      case 'confirm':
      case 'reject':
        return memory[each.do](this.#pick(this.assertions, each.which))
    }
  }

  #pick(from: readonly string[], which: number): string {
    return from[which % (from.length || 1)] ?? 'nothing'
  }
}

test('random memories: export, import, export again is the same file, and reads agree', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async steps => {
      const life = new Life(await openTenant())
      await life.live(steps)
      const file = await exportedText(life.memory)
      const theirs = await openTenant()
      await (await importFile(theirs, file, { own: true })).apply()
      expect(comparable(await exportedText(theirs))).toBe(comparable(file))
      expect(await theirs.facts({ history: true })).toEqual(await life.memory.facts({ history: true }))
    }),
    { numRuns: 40 },
  )
})
