/** Episodes: every kind and field kept as it came, every filter, and what an id that is there already means. */
import { expect, test } from 'vitest'
import type { EpisodeInput, EpisodesFilter, TenantMemory } from '../../src/index.ts'
import { openTenant, refusal } from './open.ts'

const KINDS = ['message', 'tool_result', 'event', 'file', 'confirmation'] as const
const AUTHORS = ['user', 'tool', 'event', 'document', 'assistant'] as const

function full(kind: (typeof KINDS)[number], i: number): EpisodeInput {
  return {
    id: kind,
    text: `the ${kind} 😀 Jose\u0301`,
    author: AUTHORS[i] as (typeof AUTHORS)[number],
    kind,
    at: `2026-01-0${i + 1}T12:00:00.250+02:00`,
    timeZone: 'Europe/Oslo',
    session: `s${i % 2}`,
    uri: `https://example.org/${kind}?a=%25`,
    digest: `sha256:${String(i).repeat(64)}`,
    speaker: `Speaker ${i}`,
    place: `place ${i % 2}`,
    entities: ['mira', `e${i}`],
    tags: ['all', `t${i}`, 'all'],
    retention: i % 2 === 0 ? 'short' : 'long',
  }
}

async function told(): Promise<TenantMemory> {
  const mine = await openTenant({ now: () => Date.parse('2026-05-01T00:00:00.123Z') })
  for (const [i, kind] of KINDS.entries()) await mine.record(full(kind, i))
  await mine.record({ id: 'bare', text: '', author: 'user' })
  return mine
}

const ids = async (mine: TenantMemory, filter: EpisodesFilter): Promise<string[]> =>
  (await mine.episodes(filter)).episodes.map(episode => episode.id)

test('every kind with every field comes back as it was given', async () => {
  const mine = await told()
  for (const [i, kind] of KINDS.entries()) {
    const { at: _, ...given } = full(kind, i)
    const expected = { ...given, at: `2026-01-0${i + 1}T10:00:00.250Z`, recordedAt: '2026-05-01T00:00:00.123Z' }
    expect(await mine.episode(kind)).toEqual(expected)
    expect((await mine.episodes({ kind })).episodes.filter(each => each.id !== 'bare')).toEqual([expected])
  }
  expect(await mine.episode('bare')).toEqual({
    id: 'bare',
    text: '',
    author: 'user',
    kind: 'message',
    at: '2026-05-01T00:00:00.123Z',
    entities: [],
    tags: [],
    recordedAt: '2026-05-01T00:00:00.123Z',
  })
  expect(await mine.episode('nothing')).toBeUndefined()
})

test('every filter, alone', async () => {
  const mine = await told()
  const all = [...KINDS, 'bare']
  for (const [filter, expected] of [
    [{}, all],
    [{ session: 's0' }, ['message', 'event', 'confirmation']],
    [{ session: 's' }, []],
    [{ kind: 'message' }, ['message', 'bare']],
    [{ author: 'tool' }, ['tool_result']],
    [{ tag: 'all' }, KINDS],
    [{ tag: 't2' }, ['event']],
    [{ tag: 'T2' }, []],
    [{ tag: 't%' }, []],
    [{ entity: 'e3' }, ['file']],
    [{ entity: 't3' }, []],
    [{ uri: 'https://example.org/file?a=%25' }, ['file']],
    [{ uri: 'https://example.org/file?a=%' }, []],
    [{ place: 'place 1' }, ['tool_result', 'file']],
    [{ retention: 'long' }, ['tool_result', 'file']],
    [{ at: '2026-01-02T10:00:00.250Z' }, ['message', 'tool_result']],
    [{ at: '2026-01-02T10:00:00.249Z' }, ['message']],
    [{ knownAt: '2026-04-30' }, []],
    [{ knownAt: '2026-05-02' }, all],
  ] as const)
    expect(await ids(mine, filter), JSON.stringify(filter)).toEqual(expected)
})

test('filters together', async () => {
  const mine = await told()
  expect(await ids(mine, { session: 's0', tag: 'all', retention: 'short', at: '2026-01-03T23:00:00Z' })).toEqual([
    'message',
    'event',
  ])
  expect(await ids(mine, { session: 's0', kind: 'event', author: 'event', entity: 'mira', place: 'place 0' })).toEqual(['event'])
  expect(await ids(mine, { session: 's1', kind: 'event' })).toEqual([])
})

test('filters that are nothing of the kind are refused', async () => {
  const mine = await told()
  for (const filter of [{ kind: 'poem' }, { author: 'Mira' }, { session: 5 }, { tag: ['all'] }])
    expect(await refusal(mine.episodes(filter as never))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      details: { field: Object.keys(filter)[0] },
    })
})

test('a bare date is resolved in the zone of the episode', async () => {
  const mine = await openTenant()
  await mine.record({ id: 'e', text: 'x', author: 'user', at: '2026-01-10', timeZone: 'Asia/Tokyo' })
  expect(await mine.episode('e')).toMatchObject({ at: '2026-01-09T15:00:00.000Z' })
  const { id } = await mine.assert({ subject: 's', attribute: 'x', value: 1, from: 'e', validFrom: '2026-01-11' })
  expect(await mine.fact(id)).toMatchObject({ validFrom: '2026-01-10T15:00:00Z' })
})

test('the same id with the same content twice is one episode', async () => {
  const mine = await told()
  const before = await mine.records()
  const twice = full('file', 3)
  expect(await mine.record(twice)).toBe('file')
  // The same instant in other words, or not said at all.
  expect(await mine.record({ ...twice, at: '2026-01-04T10:00:00.250Z' })).toBe('file')
  expect(await mine.record({ id: 'bare', text: '', author: 'user', kind: 'message' })).toBe('bare')
  expect(await mine.records()).toEqual(before)
})

test('an empty list of tags is no other content than none', async () => {
  const mine = await told()
  expect(await mine.record({ id: 'bare', text: '', author: 'user', tags: [], entities: [] })).toBe('bare')
})

test.each<[string, Partial<EpisodeInput>]>([
  ['text', { text: 'the file 😀 Jos\u00e9' }],
  ['author', { author: 'user' }],
  ['kind', { kind: 'message' }],
  ['at', { at: '2026-01-04T10:00:00.251Z' }],
  ['session', { session: 's2' }],
  ['uri', { uri: 'x' }],
  ['digest', { digest: 'x' }],
  ['place', { place: 'x' }],
  ['speaker', { speaker: 'x' }],
  ['tags', { tags: ['all', 't3'] }],
  ['entities', { entities: ['e3', 'mira'] }],
  ['retention', { retention: 'x' }],
  ['time zone', { timeZone: 'UTC' }],
])('the same id with another %s is ALREADY_EXISTS', async (_, change) => {
  const mine = await told()
  const before = await mine.records()
  expect(await refusal(mine.record({ ...full('file', 3), ...change }))).toMatchObject({
    code: 'ALREADY_EXISTS',
    details: { field: 'id' },
  })
  expect(await mine.records()).toEqual(before)
})

test('an episode that was blacked out does not come back by being recorded again', async () => {
  const mine = await openTenant()
  await mine.record({ id: 'e', text: 'my pin is 4711', author: 'user' })
  const { id } = await mine.assert({ subject: 's', attribute: 'pin', value: '4711', from: 'e', quote: '4711' })
  await (await mine.forget({ fact: id })).apply()
  const error = await refusal(mine.record({ id: 'e', text: 'my pin is 4711', author: 'user' }))
  expect(error).toMatchObject({ code: expect.stringMatching(/^(?:ALREADY_EXISTS|ERASED)$/u) as string })
  expect((await mine.episode('e'))?.text).toBe('my pin is ████')
})
