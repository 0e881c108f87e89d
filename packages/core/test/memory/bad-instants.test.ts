/** Every argument that takes an instant: local times, dates that do not exist, years out of range, things that are no instant. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Memory, TenantMemory } from '../../src/index.ts'
import { open } from './open.ts'
import { refuses } from './refused.ts'

const bad: readonly (readonly [what: string, instant: unknown])[] = [
  ['a local time', '2026-06-01T09:00:00'],
  ['a local time without seconds', '2026-06-01T09:00'],
  ['a local time with a blank', '2026-06-01 09:00:00'],
  ['February 30', '2026-02-30'],
  ['February 30 with a time', '2026-02-30T10:00:00Z'],
  ['February 29 of a common year', '2027-02-29'],
  ['February 29 of 1900', '1900-02-29'],
  ['April 31', '2026-04-31'],
  ['month 13', '2026-13-01'],
  ['month 0', '2026-00-10'],
  ['day 0', '2026-01-00'],
  ['hour 24', '2026-01-01T24:00:00Z'],
  ['minute 60', '2026-01-01T10:60:00Z'],
  ['second 60', '2026-06-30T23:59:60Z'],
  ['an offset of 24 hours', '2026-01-01T10:00:00+24:00'],
  ['year 0', '0000-01-01'],
  ['year 10000', '+010000-01-01T00:00:00Z'],
  ['a Date of the year 10000', new Date('+010000-01-01T00:00:00Z')],
  ['a Date before the year 1', new Date('-000001-01-01T00:00:00Z')],
  ['past the year 9999 by its offset', '9999-12-31T23:59:59-01:00'],
  ['an invalid Date', new Date('never')],
  ['an American date', '06/30/2026'],
  ['words', 'tomorrow'],
  ['an empty text', ''],
  ['a blank text', ' '],
  ['a number', 1_780_000_000_000],
  ['NaN', Number.NaN],
  ['a boolean', true],
  ['a list', ['2026-01-01']],
  ['an object', { year: 2026 }],
  ['text around it', ' 2026-01-01 '],
  ['text after it', '2026-01-01T00:00:00Z!'],
  ['digits of another script', '٢٠٢٦-٠١-٠١'],
  ['a week date', '2026-W01-1'],
  ['a line feed after it', '2026-01-01\n'],
]

let memory: Memory
let mine: TenantMemory

beforeAll(async () => {
  memory = await open()
  mine = memory.tenant('acme', { actor: 'user' })
  await mine.record({ id: 'e', text: 'I live in Oslo', author: 'user', at: '2026-01-01T00:00:00Z' })
  await mine.assert({ subject: 'mira', attribute: 'city', value: 'Oslo', from: 'e' })
})

describe.each(bad)('%s', (_, instant) => {
  const at = instant as string
  const slot = { subject: 'mira', attribute: 'home', value: 'Oslo' }

  test('is refused where a statement begins or ends', async () => {
    const wanted = { code: 'INVALID_INSTANT' } as const
    await refuses(memory, mine, () => mine.assert({ ...slot, validFrom: at }), { ...wanted, names: 'validFrom' })
    await refuses(memory, mine, () => mine.assert({ ...slot, validUntil: at }), { ...wanted, names: 'validUntil' })
    await refuses(memory, mine, () => mine.retract({ subject: 'mira', attribute: 'city', validFrom: at }), {
      ...wanted,
      names: 'validFrom',
    })
    const batch = (): Promise<unknown> =>
      mine.batch(work => {
        work.record({ text: 'kept only with the rest', author: 'user' })
        work.assert({ ...slot, subject: 'other' })
        work.assert({ ...slot, validFrom: at })
      })
    await refuses(memory, mine, batch, { ...wanted, names: 'validFrom' })
  })

  test('is refused as the time of an episode and in every read', async () => {
    const wanted = { code: 'INVALID_INSTANT', names: 'at' } as const
    await refuses(memory, mine, () => mine.record({ text: 'hello', author: 'user', at }), wanted)
    await refuses(memory, mine, () => mine.get('mira', 'city', { at }), wanted)
    await refuses(memory, mine, () => mine.standing('mira', 'city', { at }), wanted)
    await refuses(memory, mine, () => mine.facts({ at }), wanted)
    await refuses(memory, mine, () => mine.episodes({ at }), wanted)
    const known = { code: 'INVALID_INSTANT', names: 'knownAt' } as const
    await refuses(memory, mine, () => mine.get('mira', 'city', { knownAt: at }), known)
    await refuses(memory, mine, () => mine.standing('mira', 'city', { knownAt: at }), known)
    await refuses(memory, mine, () => mine.facts({ knownAt: at }), known)
    await refuses(memory, mine, () => mine.episodes({ knownAt: at }), known)
    const { id } = (await mine.get('mira', 'city')) as { id: string }
    await refuses(memory, mine, () => mine.fact(id, { at }), wanted)
    await refuses(memory, mine, () => mine.fact(id, { knownAt: at }), known)
  })
})

test.each([
  ['2026-06-01T09:00:00Z', '2026-06-01T09:00:00Z'],
  ['2026-06-01T09:00:00+02:00', '2026-06-01T07:00:00Z'],
  ['2026-06-01T09:00:00.999Z', '2026-06-01T09:00:00Z'],
  ['2026-06-01T09:00Z', '2026-06-01T09:00:00Z'],
  ['2028-02-29', '2028-02-29T00:00:00Z'],
  ['2000-02-29', '2000-02-29T00:00:00Z'],
  ['0001-01-01', '0001-01-01T00:00:00Z'],
  ['1969-12-31T23:59:59.500Z', '1969-12-31T23:59:59Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
])('%s is an instant, and is kept as %s', async (input, kept) => {
  const { id } = await mine.assert({ subject: `begins ${input}`, attribute: 'x', value: 1, validFrom: input })
  expect(await mine.fact(id)).toMatchObject({ validFrom: kept })
  const found = await mine.get(`begins ${input}`, 'x', { at: kept })
  expect(found).toMatchObject({ id })
})

test('an interval must not be empty, also when both ends fall into one second', async () => {
  const slot = { subject: 'mira', attribute: 'home', value: 1 }
  for (const [validFrom, validUntil] of [
    ['2026-01-01', '2026-01-01'],
    ['2026-01-02', '2026-01-01'],
    ['2026-01-01T10:00:00.100Z', '2026-01-01T10:00:00.900Z'],
    ['2026-01-01T10:00:00Z', '2026-01-01T12:00:00+02:00'],
    ['2026-01-01T10:00:00Z', '2026-01-01T11:00:00+02:00'],
  ] as const)
    await refuses(memory, mine, () => mine.assert({ ...slot, validFrom, validUntil }), {
      code: 'INVALID_INTERVAL',
      names: 'validUntil',
    })
  // The start is that of the source episode, 2026-01-01.
  await refuses(memory, mine, () => mine.assert({ ...slot, from: 'e', validUntil: '2026-01-01' }), {
    code: 'INVALID_INTERVAL',
    names: 'validUntil',
  })
  await refuses(memory, mine, () => mine.retract({ ...slot, validFrom: '2026-01-01', validUntil: '2025-01-01' }), {
    code: 'INVALID_INTERVAL',
    names: 'validUntil',
  })
})

test('a bare date is resolved in the zone of the episode, else in that of the memory', async () => {
  const zoned = await open({ timeZone: 'America/New_York' })
  const tenant = zoned.tenant('acme', { actor: 'user' })
  await tenant.record({ id: 'oslo', text: 'x', author: 'user', at: '2026-06-01T10:00:00Z', timeZone: 'Europe/Oslo' })
  await tenant.record({ id: 'none', text: 'x', author: 'user', at: '2026-06-01T10:00:00Z' })
  const starts = async (subject: string, from?: string): Promise<string | undefined> => {
    const input = { subject, attribute: 'x', value: 1, validFrom: '2026-06-01' }
    const { id } = await tenant.assert(from === undefined ? input : { ...input, from })
    return (await tenant.fact(id))?.validFrom
  }
  expect(await starts('a', 'oslo')).toBe('2026-05-31T22:00:00Z')
  expect(await starts('b', 'none')).toBe('2026-06-01T04:00:00Z')
  expect(await starts('c')).toBe('2026-06-01T04:00:00Z')
  expect(await tenant.get('c', 'x', { at: '2026-05-31' })).toBeUndefined()
  expect(await tenant.get('c', 'x', { at: '2026-06-01' })).toMatchObject({ value: 1 })
  await tenant.record({ id: 'dated', text: 'x', author: 'user', at: '2026-06-01', timeZone: 'Asia/Tokyo' })
  expect(await tenant.episode('dated')).toMatchObject({ at: '2026-05-31T15:00:00.000Z' })
})
