/** What can be said of a slot: all six states, at an instant and as it was known then. */
import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineSchema, type StandingState, type TenantMemory } from '../../src/index.ts'
import { open } from './open.ts'

const schema = defineSchema({
  version: 1,
  attributes: {
    x: { value: z.string() },
    ask: { value: z.string(), onEqualSecond: 'ask' },
    many: { value: z.string(), many: true },
  },
})
type Mine = TenantMemory<typeof schema>
const AT = '2026-06-01T12:00:00Z'

class Scene {
  now: number = Date.parse('2026-07-01T00:00:00Z')
  mine!: Mine
  static async open(): Promise<Scene> {
    const scene = new Scene()
    scene.mine = (await open({ schema, now: () => scene.now })).tenant('t', { actor: 'user' })
    return scene
  }
  /** Time passes, so that what comes next is learned later. */
  later(): Date {
    this.now += 60_000
    return new Date(this.now - 30_000)
  }
  async state(attribute: 'x' | 'ask' | 'many', options: object = {}): Promise<StandingState> {
    return (await this.mine.standing('s', attribute, options)).state
  }
}

test('never: nothing was said, or nothing that had begun by then', async () => {
  const scene = await Scene.open()
  for (const attribute of ['x', 'ask', 'many'] as const)
    expect(await scene.mine.standing('s', attribute)).toEqual({ state: 'never', facts: [] })
  await scene.mine.assert({ subject: 's', attribute: 'x', value: 'a', validFrom: '2027-01-01' })
  expect(await scene.mine.standing('s', 'x')).toEqual({ state: 'never', facts: [] })
  expect(await scene.state('x', { at: '2026-12-31' })).toBe('never')
  expect(await scene.state('x', { at: '2027-01-01' })).toBe('known')
  expect(await scene.mine.standing('other', 'x')).toEqual({ state: 'never', facts: [] })
})

test('known and ended: by its end, by a retraction, and again; the last that held is told', async () => {
  const scene = await Scene.open()
  const { mine } = scene
  await mine.assert({ subject: 's', attribute: 'x', value: 'a', validFrom: '2026-01-01', validUntil: '2026-02-01' })
  await mine.assert({ subject: 's', attribute: 'x', value: 'b', validFrom: '2026-03-01' })
  await mine.retract({ subject: 's', attribute: 'x', validFrom: '2026-04-01' })
  const at = async (instant: string): Promise<unknown> => {
    const { state, facts } = await mine.standing('s', 'x', { at: instant })
    return [state, ...facts.map(fact => fact.value)]
  }
  expect(await at('2025-12-31T23:59:59Z')).toEqual(['never'])
  expect(await at('2026-01-01T00:00:00Z')).toEqual(['known', 'a'])
  expect(await at('2026-01-31T23:59:59Z')).toEqual(['known', 'a'])
  expect(await at('2026-02-01T00:00:00Z')).toEqual(['ended', 'a'])
  expect(await at('2026-03-01T00:00:00Z')).toEqual(['known', 'b'])
  expect(await at('2026-04-01T00:00:00Z')).toEqual(['ended', 'b'])
  expect(await at('2030-01-01T00:00:00Z')).toEqual(['ended', 'b'])
})

test('many values: every one that holds is known; the last that held are told when all have ended', async () => {
  const { mine } = await Scene.open()
  for (const value of ['a', 'b']) await mine.assert({ subject: 's', attribute: 'many', value, validFrom: '2026-01-01' })
  await mine.assert({ subject: 's', attribute: 'many', value: 'c', validFrom: '2026-01-01', validUntil: '2026-02-01' })
  const at = async (instant: string): Promise<unknown> => {
    const { state, facts } = await mine.standing('s', 'many', { at: instant })
    return [state, ...facts.map(fact => fact.value).toSorted()]
  }
  expect(await at('2026-01-15')).toEqual(['known', 'a', 'b', 'c'])
  expect(await at('2026-02-15')).toEqual(['known', 'a', 'b'])
  await mine.retract({ subject: 's', attribute: 'many', validFrom: '2026-03-01' })
  expect(await at('2026-03-15')).toEqual(['ended', 'a', 'b'])
})

test('withheld: nothing holds and a statement waits; confirmed it is known, rejected it is not there', async () => {
  const scene = await Scene.open()
  const { mine } = scene
  await mine.assert({ subject: 's', attribute: 'ask', value: 'a', validFrom: AT })
  const held = await mine.assert({ subject: 's', attribute: 'ask', value: 'b', validFrom: AT })
  // Something holds: what waits does not change what is known.
  expect(await scene.state('ask')).toBe('known')
  const beforeReject = scene.later()
  await mine.reject((await mine.get('s', 'ask'))?.id as string)
  expect(await mine.standing('s', 'ask')).toEqual({ state: 'withheld', facts: [] })
  expect(await scene.state('ask', { at: '2026-06-01T11:59:59Z' })).toBe('never')
  const beforeConfirm = scene.later()
  const [confirmation] = await mine.confirm(held.id)
  expect(await mine.standing('s', 'ask')).toMatchObject({ state: 'known', facts: [{ value: 'b' }] })
  const beforeUndo = scene.later()
  await mine.undo(confirmation as string)
  expect(await scene.state('ask')).toBe('withheld')
  const beforeLast = scene.later()
  await mine.reject(held.id)
  expect(await scene.state('ask')).not.toBe('withheld')
  scene.later()
  const knownAt = async (instant: Date): Promise<unknown> => {
    const { state, facts } = await mine.standing('s', 'ask', { knownAt: instant, at: '2026-06-15' })
    return [state, ...facts.map(fact => fact.value)]
  }
  expect(await knownAt(beforeReject)).toEqual(['known', 'a'])
  expect(await knownAt(beforeConfirm)).toEqual(['withheld'])
  expect(await knownAt(beforeUndo)).toEqual(['known', 'b'])
  expect(await knownAt(beforeLast)).toEqual(['withheld'])
  expect(await knownAt(new Date('2026-06-30'))).toEqual(['never'])
})

test('withheld outranks ended: what waits could answer', async () => {
  const scene = await Scene.open()
  const { mine } = scene
  await mine.assert({ subject: 's', attribute: 'ask', value: 'old', validFrom: '2026-01-01', validUntil: '2026-02-01' })
  await mine.assert({ subject: 's', attribute: 'ask', value: 'a', validFrom: AT })
  await mine.assert({ subject: 's', attribute: 'ask', value: 'b', validFrom: AT })
  await mine.reject((await mine.get('s', 'ask'))?.id as string)
  expect(await mine.standing('s', 'ask')).toEqual({ state: 'withheld', facts: [] })
  expect(await scene.state('ask', { at: '2026-03-01' })).toBe('ended')
})

test.each(['confirm the winner', 'confirm the loser', 'reject the loser', 'reject the winner', 'correct'] as const)(
  'contested until somebody decides: %s',
  async decision => {
    const [scene, other] = [await Scene.open(), await Scene.open()]
    await scene.mine.assert({ subject: 's', attribute: 'x', value: 'a', validFrom: AT })
    const before = scene.later()
    other.now = scene.now
    await other.mine.assert({ subject: 's', attribute: 'x', value: 'b', validFrom: AT })
    scene.later()
    await scene.mine.merge(await other.mine.records())
    const { state, facts } = await scene.mine.standing('s', 'x')
    expect(state).toBe('contested')
    expect(facts).toHaveLength(1)
    const [winner] = facts
    const loser = winner?.contested[0]?.assertion as string
    expect(winner?.contested).toMatchObject([{ value: winner?.value === 'a' ? 'b' : 'a', trust: 'user' }])
    // Still so for as long as that fact holds, and not before the other one was learned.
    expect(await scene.state('x', { at: '2026-12-01' })).toBe('contested')
    expect(await scene.state('x', { knownAt: before })).toBe('known')
    const undecided = scene.later()
    if (decision === 'confirm the winner') await scene.mine.confirm(winner?.id as string)
    if (decision === 'confirm the loser') await scene.mine.confirm(loser)
    if (decision === 'reject the loser') await scene.mine.reject(loser)
    if (decision === 'reject the winner') await scene.mine.reject(winner?.id as string)
    if (decision === 'correct') await scene.mine.correct(winner?.id as string, { value: 'c' })
    const after = await scene.mine.standing('s', 'x')
    expect(after).toMatchObject({ state: 'known', facts: [{ contested: [] }] })
    expect(after.facts[0]?.value).toBe(
      decision === 'correct'
        ? 'c'
        : decision.endsWith('the loser') === decision.startsWith('confirm')
          ? winner?.value === 'a'
            ? 'b'
            : 'a'
          : winner?.value,
    )
    scene.later()
    expect(await scene.state('x', { knownAt: undecided })).toBe('contested')
  },
)

test('a retraction contends too: its value is undefined', async () => {
  const [scene, other] = [await Scene.open(), await Scene.open()]
  await scene.mine.record({ id: 'e', text: 'a', author: 'user', at: AT })
  await scene.mine.assert({ subject: 's', attribute: 'x', value: 'a', from: 'e' })
  await other.mine.record({ id: 'f', text: 'nothing', author: 'tool', at: AT })
  const { id } = await other.mine.retract({ subject: 's', attribute: 'x', from: 'f' })
  await scene.mine.merge(await other.mine.records())
  const { state, facts } = await scene.mine.standing('s', 'x')
  expect(state).toBe('contested')
  expect(facts[0]?.contested).toEqual([{ assertion: id, value: undefined, trust: 'tool' }])
})

test('erased: something was forgotten and nothing was said since, whatever instant or knowledge is asked about', async () => {
  const scene = await Scene.open()
  const { mine } = scene
  const { id } = await mine.assert({ subject: 's', attribute: 'x', value: 'a', validFrom: '2026-01-01' })
  const before = scene.later()
  await (await mine.forget({ fact: id })).apply()
  scene.later()
  for (const options of [{}, { at: '2026-03-01' }, { knownAt: before }, { at: '2026-03-01', knownAt: before }])
    expect(await mine.standing('s', 'x', options)).toEqual({ state: 'erased', facts: [] })
  await mine.assert({ subject: 's', attribute: 'x', value: 'b', validFrom: '2026-05-01' })
  expect(await scene.state('x')).toBe('known')
  await mine.retract({ subject: 's', attribute: 'x', validFrom: '2026-06-01' })
  expect(await scene.state('x')).toBe('ended')
})

test.each([
  ['episode', { episode: 'e' }],
  ['session', { session: 'd' }],
  ['slot', { subject: 's', attribute: 'x' }],
  ['subject', { subject: 's' }],
  ['tenant', { tenant: true }],
] as const)('erased after forgetting by %s', async (_, scope) => {
  const { mine } = await Scene.open()
  await mine.record({ id: 'e', text: 'a', author: 'user', session: 'd', at: AT })
  await mine.assert({ subject: 's', attribute: 'x', value: 'a', from: 'e' })
  await (await mine.forget(scope)).apply()
  expect(await mine.standing('s', 'x')).toEqual({ state: 'erased', facts: [] })
  const copy = (await open({ schema })).tenant('copy')
  await copy.merge(await mine.records())
  expect(await copy.standing('s', 'x')).toEqual({ state: 'erased', facts: [] })
})
