/** A life of a tenant at random: every kind of write, in a few slots, so that everything meets everything. Repeatable by its seed. */
import type { TenantMemory } from '../../src/index.ts'
import type { Random } from '../../../../test/support/random.ts'

const START = Date.parse('2026-01-01T00:00:00Z')
const instant = (random: Random): Date => new Date(START + random(30) * 3_600_000)
const REFUSALS = new Set([
  'CONFLICT',
  'NOT_FOUND',
  'ERASED',
  'INVALID_INTERVAL',
  'PLAN_STALE',
  'QUOTE_NOT_FOUND',
  'ALREADY_EXISTS',
])

export interface Life {
  /** One operation. Refusals that a life brings with it are no errors. */
  step(): Promise<void>
}

/** @param name makes the ids of episodes, so that several lives can share a tenant */
export function life(mine: TenantMemory, random: Random, name: string, { forgets = true } = {}): Life {
  const episodes: string[] = []
  const assertions: string[] = []
  const decisions: string[] = []
  let step = 0
  const some = <T>(list: readonly T[]): T | undefined => list[random(Math.max(1, list.length))]
  const slot = (): { subject: string; attribute: string } => ({ subject: `s${random(3)}`, attribute: `a${random(2)}` })
  const interval = (): { validFrom: Date; validUntil?: Date } => {
    const validFrom = instant(random)
    return random(3) === 0
      ? { validFrom, validUntil: new Date(validFrom.getTime() + (1 + random(9)) * 3_600_000) }
      : { validFrom }
  }
  const source = (): { from?: string; quote?: string } => {
    const from = some(episodes)
    return from === undefined || random(3) === 0 ? {} : random(2) === 0 ? { from } : { from, quote: 'text' }
  }
  const writes: readonly (() => Promise<unknown>)[] = [
    async () => {
      const id = `${name}-${step}`
      await mine.record({
        id,
        text: `text ${step} of ${name}`,
        author: 'user',
        at: instant(random),
        session: `${name}${random(3)}`,
      })
      episodes.push(id)
    },
    async () => assertions.push((await mine.assert({ ...slot(), ...interval(), ...source(), value: random(4) })).id),
    async () => assertions.push((await mine.assert({ ...slot(), ...interval(), ...source(), value: `v${random(4)}` })).id),
    async () => assertions.push((await mine.retract({ ...slot(), ...interval(), ...source() })).id),
    async () => decisions.push(...(await mine.confirm(some(assertions) ?? 'none'))),
    async () => decisions.push(...(await mine.reject(some(assertions) ?? 'none'))),
    async () => mine.undo(some(decisions) ?? 'none'),
    async () => assertions.push((await mine.correct(some(assertions) ?? 'none', { value: `c${random(4)}` })).id),
    async () =>
      mine.batch(batch => {
        const id = batch.record({ text: `batch ${step}`, author: 'tool', at: instant(random) })
        assertions.push(batch.assert({ ...slot(), ...interval(), value: `b${step}`, from: id }))
      }),
    async () => {
      const scopes = [
        { episode: some(episodes) ?? 'none' },
        { fact: some(assertions) ?? 'none' },
        { session: `${name}${random(3)}` },
      ]
      if (forgets && random(3) === 0) await (await mine.forget(scopes[random(3)] as { episode: string })).apply()
    },
  ]
  return {
    async step() {
      step++
      try {
        await (writes[random(writes.length)] as () => Promise<unknown>)()
      } catch (error) {
        if (!REFUSALS.has((error as { code: string }).code)) throw error
      }
    },
  }
}

/** Everything that reads can tell of a tenant, for comparing replicas and reopened stores. */
export async function everything(mine: TenantMemory): Promise<unknown> {
  return {
    records: await mine.records(),
    history: await mine.facts({ history: true, limit: 1000 }),
    current: await mine.facts({ limit: 1000, at: '2026-01-01T12:00:00Z' }),
    episodes: await mine.episodes({ limit: 1000 }),
    review: await mine.review(),
  }
}
