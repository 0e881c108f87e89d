/** Out, in and out again: nothing is lost, added or changed. */
import { expect, test } from 'vitest'
import type { JsonValue } from '@palimpsest/core'
import { importFile } from '../src/index.ts'
import { fullMemory } from './full-memory.ts'
import { comparable, exportedText, linesOf, openTenant } from './memories.ts'

const KINDS = ['tenantKey', 'erasure', 'schema', 'episode', 'extraction', 'assertion', 'decision']

test('a memory with every kind of record: export, import into an empty one, export again is the same file', async () => {
  const mine = await fullMemory()
  const file = await exportedText(mine)
  // The schema that counts is in the file: the reader needs none.
  const theirs = await openTenant({}, 'another tenant')
  const incoming = await importFile(theirs, file, { own: true })
  expect(Object.keys(incoming.counts).toSorted()).toEqual(KINDS.toSorted())
  expect(await theirs.records()).toEqual([])
  const total = linesOf(file).length - 2
  expect(await incoming.apply()).toEqual({ added: total, identical: 0 })
  expect(await theirs.records()).toEqual(await mine.records())
  const at = '2026-06-01'
  for (const knownAt of [undefined, '2999-01-01', '2020-01-01']) {
    const options = { history: true, limit: 1000, at, ...(knownAt === undefined ? {} : { knownAt }) }
    expect(await theirs.facts(options)).toEqual(await mine.facts(options))
  }
  expect(await theirs.episodes()).toEqual(await mine.episodes())
  expect(await theirs.review()).toEqual(await mine.review())
  for (const attribute of ['city', 'likes', 'asking', 'age', 'pin', 'diet'])
    expect(await theirs.standing('mira', attribute, { at })).toEqual(await mine.standing('mira', attribute, { at }))
  const again = await exportedText(theirs)
  expect(comparable(again)).toBe(comparable(file))
  expect(again).not.toBe(file)
})

test('the file is as docs/format.md says: order, header, footer, no tenant', async () => {
  const lines = linesOf(await exportedText(await fullMemory()))
  const parsed = lines.map(line => JSON.parse(line) as { kind: string; [field: string]: unknown })
  expect(parsed[0]).toEqual({
    kind: 'header',
    format: 'sgam',
    version: 1,
    oldestReader: 1,
    export: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/u) as string,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u) as string,
    producer: expect.any(String) as string,
    mode: 'backup',
  })
  const kinds = parsed.slice(1, -1).map(record => KINDS.indexOf(record.kind))
  expect(kinds).toEqual(kinds.toSorted((a, b) => a - b))
  expect(parsed.at(-1)).toMatchObject({ kind: 'footer', left: [] })
  expect(lines.join('\n')).not.toContain('acme')
  // Nothing of what was forgotten, and nothing that belongs to this device alone.
  expect(lines.join('\n')).not.toMatch(/471[123]|"operation"/u)
})

test('applying a file again, or on top of what it came from, changes nothing', async () => {
  const mine = await fullMemory()
  const before = await mine.records()
  const incoming = await importFile(mine, await exportedText(mine), { own: true })
  for (let round = 0; round < 2; round++) expect(await incoming.apply()).toEqual({ added: 0, identical: before.length })
  expect(await mine.records()).toEqual(before)
})

test('an empty memory is a file too', async () => {
  const file = await exportedText(await openTenant())
  expect(linesOf(file)).toHaveLength(2)
  const theirs = await openTenant()
  expect(await (await importFile(theirs, file, { own: true })).apply()).toEqual({ added: 0, identical: 0 })
  expect(comparable(await exportedText(theirs))).toBe(comparable(file))
})

test('what is as large as a write may be can be exported and imported', async () => {
  const mine = await openTenant()
  await mine.record({ id: 'e', text: '李'.repeat(349_000), author: 'user' })
  await mine.record({ id: 'f', text: '\u0001'.repeat(174_000), author: 'user' })
  const deep = (levels: number): JsonValue => (levels === 0 ? 1 : [deep(levels - 1)])
  await mine.assert({ subject: 's', attribute: 'deep', value: deep(15) })
  await mine.assert({ subject: 's', attribute: 'long', value: 'x'.repeat(256 * 1024 - 2) })
  const wide = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`k${i}`, i]))
  await mine.assert({ subject: 's', attribute: 'wide', value: wide })
  const file = await exportedText(mine)
  const theirs = await openTenant()
  await (await importFile(theirs, file, { own: true })).apply()
  expect(comparable(await exportedText(theirs))).toBe(comparable(file))
})

test('text is kept byte for byte', async () => {
  const mine = await openTenant()
  const texts = ['Jos\u00e9', 'Jose\u0301', '\ufeff', '\u2028\u2029', 'a\u0000b', '\u202eabc', '\r\n\t', '😀\u200d', '\uffff', '']
  for (const [i, text] of texts.entries()) {
    await mine.record({ id: `e${i}`, text, author: 'user' })
    await mine.assert({ subject: `s${i}`, attribute: 'x', value: text })
  }
  await mine.assert({ subject: 'keys', attribute: 'x', value: Object.fromEntries(texts.map((text, i) => [text, i])) })
  const theirs = await openTenant()
  await (await importFile(theirs, await exportedText(mine), { own: true })).apply()
  for (const [i, text] of texts.entries()) {
    expect((await theirs.episode(`e${i}`))?.text).toBe(text)
    expect(await theirs.get(`s${i}`, 'x')).toMatchObject({ value: text })
  }
  expect(await theirs.get('keys', 'x')).toEqual(await mine.get('keys', 'x'))
})
