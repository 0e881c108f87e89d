/** Episodes that cannot be kept: every field, from every call that takes one. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { ErrorCode, Memory, TenantMemory } from '../../src/index.ts'
import type { Extractor } from '../../src/extractor.ts'
import { open } from './open.ts'
import { refuses } from './refused.ts'

let memory: Memory
let mine: TenantMemory

const silent: Extractor = { name: 'silent', version: 1, extract: () => Promise.resolve([]) }

beforeAll(async () => {
  memory = await open({ extractors: [silent] })
  mine = memory.tenant('acme', { actor: 'user' })
  await mine.record({ id: 'here', text: 'I live in Oslo', author: 'user' })
})

const good = { text: 'hello', author: 'user' }
const lone = 'a\ud800'
const bad: readonly (readonly [what: string, episode: unknown, code: ErrorCode, names: string])[] = [
  ['nothing', undefined, 'INVALID_ARGUMENT', 'episode'],
  ['null', null, 'INVALID_ARGUMENT', 'episode'],
  ['a text', 'hello', 'INVALID_ARGUMENT', 'episode'],
  ['a number', 5, 'INVALID_ARGUMENT', 'episode'],
  ['a list', [good], 'INVALID_ARGUMENT', 'episode'],
  ['without a text', { author: 'user' }, 'INVALID_ARGUMENT', 'text'],
  ['with a text that is null', { ...good, text: null }, 'INVALID_ARGUMENT', 'text'],
  ['with a text that is a number', { ...good, text: 5 }, 'INVALID_ARGUMENT', 'text'],
  ['with a lone surrogate in its text', { ...good, text: lone }, 'INVALID_VALUE', 'text'],
  ['without an author', { text: 'hello' }, 'INVALID_ARGUMENT', 'author'],
  ['by somebody unknown', { ...good, author: 'Mira' }, 'INVALID_ARGUMENT', 'author'],
  ['by the trust class imported', { ...good, author: 'imported' }, 'INVALID_ARGUMENT', 'author'],
  ['by a list', { ...good, author: ['user'] }, 'INVALID_ARGUMENT', 'author'],
  ['of an unknown kind', { ...good, kind: 'poem' }, 'INVALID_ARGUMENT', 'kind'],
  ['of a kind by its JavaScript name', { ...good, kind: 'toolResult' }, 'INVALID_ARGUMENT', 'kind'],
  ['in an unknown time zone', { ...good, timeZone: 'Mars/Olympus' }, 'INVALID_ARGUMENT', 'timeZone'],
  ['in an empty time zone', { ...good, timeZone: '' }, 'INVALID_ARGUMENT', 'timeZone'],
  ['in a time zone that is a number', { ...good, timeZone: 2 }, 'INVALID_ARGUMENT', 'timeZone'],
  ['with an empty id', { ...good, id: '' }, 'INVALID_ARGUMENT', 'id'],
  ['with a blank id', { ...good, id: ' ' }, 'INVALID_ARGUMENT', 'id'],
  ['with an id that is a number', { ...good, id: 5 }, 'INVALID_ARGUMENT', 'id'],
  ['with U+0000 in its id', { ...good, id: 'a\u0000' }, 'INVALID_ARGUMENT', 'id'],
  ['with a lone surrogate in its id', { ...good, id: lone }, 'INVALID_VALUE', 'id'],
  ['with a very long id', { ...good, id: 'x'.repeat(5000) }, 'INVALID_ARGUMENT', 'id'],
  ...(['session', 'uri', 'digest', 'speaker', 'place', 'retention'] as const).flatMap(
    field =>
      [
        [`with a lone surrogate in ${field}`, { ...good, [field]: lone }, 'INVALID_VALUE', field],
        [`with a ${field} that is a number`, { ...good, [field]: 5 }, 'INVALID_ARGUMENT', field],
        [`with a ${field} that is an object`, { ...good, [field]: {} }, 'INVALID_ARGUMENT', field],
      ] as const,
  ),
  ...(['tags', 'entities'] as const).flatMap(
    field =>
      [
        [`with a lone surrogate in ${field}`, { ...good, [field]: ['a', lone] }, 'INVALID_VALUE', field],
        [`with ${field} that are a text`, { ...good, [field]: 'a' }, 'INVALID_ARGUMENT', field],
        [`with ${field} that hold a number`, { ...good, [field]: ['a', 5] }, 'INVALID_ARGUMENT', field],
        [`with ${field} that hold null`, { ...good, [field]: [null] }, 'INVALID_ARGUMENT', field],
        [`with ${field} that are an object`, { ...good, [field]: { 0: 'a' } }, 'INVALID_ARGUMENT', field],
      ] as const,
  ),
  ['over 1 MiB', { ...good, text: 'x'.repeat(1024 * 1024) }, 'TOO_LARGE', 'episode'],
  ['over 1 MiB in UTF-8 only', { ...good, text: '李'.repeat(360_000) }, 'TOO_LARGE', 'episode'],
  ['over 1 MiB by its escapes', { ...good, text: '\u0000'.repeat(180_000) }, 'TOO_LARGE', 'episode'],
  ['known by its id, with another text', { ...good, id: 'here' }, 'ALREADY_EXISTS', 'id'],
]

describe.each(bad)('an episode %s', (_, episode, code, names) => {
  test('is refused by record, batch and remember', async () => {
    await refuses(memory, mine, () => mine.record(episode as never), { code, names })
    await refuses(memory, mine, () => mine.remember(episode as never), { code, names })
    // A batch is built in the page: what is no object is refused there, under the name of the batch.
    const shaped = typeof episode === 'object' && episode !== null && !Array.isArray(episode)
    const batch = (): Promise<unknown> =>
      mine.batch(work => {
        work.record({ text: 'kept only with the rest', author: 'user' })
        work.assert({ subject: 'first', attribute: 'x', value: 1 })
        work.record(episode as never)
      })
    await refuses(memory, mine, batch, shaped ? { code, names } : { code })
  })
})

test('an empty text, and just under 1 MiB, are texts', async () => {
  for (const text of ['', ' ', 'x'.repeat(1_000_000), '\u0000 and \uffff', '😀'.repeat(200_000)]) {
    const id = await mine.record({ text, author: 'tool' })
    expect((await mine.episode(id))?.text).toBe(text)
  }
})

test('an episode given again under its id with the same content changes nothing', async () => {
  const episode = { id: 'twice', text: 'again', author: 'user', at: '2026-01-01T00:00:00Z', tags: ['a', 'b'] } as const
  expect(await mine.record(episode)).toBe('twice')
  const before = await mine.records()
  expect(await mine.record(episode)).toBe('twice')
  expect(await mine.record({ ...episode, at: new Date('2026-01-01T00:00:00Z') })).toBe('twice')
  expect(await mine.records()).toEqual(before)
  for (const other of [
    { ...episode, text: 'other' },
    { ...episode, author: 'tool' as const },
    { ...episode, at: '2026-01-01T00:00:00.001Z' },
    { ...episode, tags: ['b', 'a'] },
    { ...episode, session: 's' },
    { ...episode, kind: 'file' as const },
  ])
    await refuses(memory, mine, () => mine.record(other), { code: 'ALREADY_EXISTS', names: 'id' })
})
