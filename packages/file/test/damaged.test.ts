/** A file that is not exactly what was written is refused, and nothing of it is stored. */
import { canonicalJson } from '@palimpsest/core'
import { expect, test } from 'vitest'
import { importFile, MAX_LINE_BYTES } from '../src/index.ts'
import { assertionLine, episodeLine, exported, exportedText, fileOf, HEADER, linesOf, openTenant } from './memories.ts'

const FLIPS = [0x01, 0x20, 0x80, 0xff]

async function smallFile(): Promise<Uint8Array> {
  const mine = await openTenant()
  await mine.record({ id: 'e', text: 'é', author: 'user' })
  await mine.assert({ subject: 'mira', attribute: 'city', value: 'Oslo', from: 'e' })
  return exported(mine)
}

async function codeOf(source: Parameters<typeof importFile>[1]): Promise<string> {
  const theirs = await openTenant()
  try {
    await (await importFile(theirs, source, { own: true })).apply()
    return 'imported'
  } catch (error) {
    expect(await theirs.records()).toEqual([])
    const { code, message, details } = error as { code?: string; message: string; details?: { line?: unknown } }
    if (code === undefined) return `not a MemoryError: ${message}`
    return code === 'FILE_INVALID' && !Number.isInteger(details?.line) ? 'FILE_INVALID without its line' : code
  }
}

test('every flip of one byte is refused, and nothing is written', async () => {
  const file = await smallFile()
  const theirs = await openTenant()
  await theirs.record({ id: 'mine', text: 'here before', author: 'user' })
  const before = await theirs.records()
  for (const [index, byte] of file.entries())
    for (const flip of FLIPS) {
      const changed = file.slice()
      changed[index] = byte ^ flip
      const where = `byte ${index} flipped by ${flip}`
      await expect(importFile(theirs, changed, { own: true }), where).rejects.toMatchObject({
        code: 'FILE_INVALID',
        details: { line: expect.any(Number) as number },
      })
    }
  expect(await theirs.records()).toEqual(before)
})

test('every cut is refused, and nothing is written', async () => {
  const file = await smallFile()
  const theirs = await openTenant()
  for (let length = 0; length < file.length; length++)
    await expect(importFile(theirs, file.slice(0, length), { own: true }), `${length} bytes`).rejects.toMatchObject({
      code: 'FILE_INVALID',
    })
  expect(await theirs.records()).toEqual([])
})

test('lines left out, doubled or exchanged', async () => {
  const lines = linesOf(new TextDecoder().decode(await smallFile()))
  const join = (parts: readonly string[]): string => parts.map(line => `${line}\n`).join('')
  for (const index of lines.keys()) {
    expect(await codeOf(join(lines.toSpliced(index, 1))), `without line ${index + 1}`).toBe('FILE_INVALID')
    expect(await codeOf(join(lines.toSpliced(index, 0, lines[index] as string))), `line ${index + 1} twice`).toBe('FILE_INVALID')
  }
  expect(await codeOf(join(lines.toReversed()))).toBe('FILE_INVALID')
})

const good = episodeLine()
const nested = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`
const keys = (count: number): string => canonicalJson(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])))
const proto = (line: string): string => line.replace('{', '{"__proto__":1,')
const header = canonicalJson(HEADER)

test.each([
  ['nothing at all', ''],
  ['a line feed', '\n'],
  ['a byte order mark', `\ufeff${fileOf([good])}`],
  ['carriage returns', fileOf([`${good}\r`])],
  ['an empty line', fileOf([good, ''])],
  ['no last line feed', fileOf([good]).slice(0, -1)],
  ['a line after the footer', `${fileOf([good])}${good}\n`],
  ['a byte after the footer', `${fileOf([good])} `],
  ['an empty line after the footer', `${fileOf([good])}\n`],
  ['two files in one', fileOf([good]).repeat(2)],
  ['a second header', fileOf([header, good])],
  ['white space in a line', fileOf([good.replace('{', '{ ')])],
  ['keys in another order', fileOf([`{"text":"hello",${good.slice(1).replace(',"text":"hello"', '')}`])],
  ['an escape that is not needed', fileOf([good.replace('hello', '\\u0068ello')])],
  ['a number in another form', fileOf([assertionLine('1.0')])],
  ['the same key twice', fileOf([good.replace('{', '{"at":"2026-06-01T00:00:00.000Z",')])],
  ['__proto__ in a record', fileOf([proto(good)])],
  ['__proto__ in a value', fileOf([assertionLine('{"__proto__":1}')])],
  ['__proto__ in the header', fileOf([good], {}, proto(header))],
  ['__proto__ in the footer', fileOf([good]).replace('{"counts"', '{"__proto__":1,"counts"')],
  ['__proto__ in the counts', fileOf([good]).replace('"counts":{', '"counts":{"__proto__":1,')],
  ['a lone surrogate', fileOf([good.replace('hello', '\\ud800')])],
  ['a lone surrogate in a key', fileOf([assertionLine('{"\\ud800":1}')])],
  ['a number past all bounds', fileOf([assertionLine('1e999')])],
  ['an integer that is not safe', fileOf([assertionLine('9007199254740992')])],
  ['a value of 16 levels: a record of 17', fileOf([assertionLine(nested(16))])],
  ['a value of a million levels', fileOf([assertionLine(nested(400_000))])],
  ['nothing but brackets', fileOf(['['.repeat(500_000)])],
  ['65 keys', fileOf([assertionLine(keys(65))])],
  ['a line over 1 MiB', fileOf([episodeLine({ text: 'x'.repeat(MAX_LINE_BYTES) })])],
  ['a value over 256 KiB', fileOf([assertionLine(canonicalJson('x'.repeat(256 * 1024)))])],
  ['a kind that is not known', fileOf([canonicalJson({ kind: 'poem', id: 'p' })])],
  ['a kind that never leaves a device', fileOf([canonicalJson({ kind: 'operation', id: 'o' })])],
  ['a field that is not known', fileOf([episodeLine({ tenant: 'acme' })])],
  ['a field that is null', fileOf([episodeLine({ uri: null })])],
  ['a date that does not exist', fileOf([episodeLine({ at: '2026-02-30T00:00:00.000Z' })])],
  ['a list', fileOf(['[]'])],
  ['null', fileOf(['null'])],
  ['counts too high', fileOf([good], { counts: { episode: 2 } })],
  ['counts too low', fileOf([good], { counts: {} })],
  ['counts of another kind', fileOf([good], { counts: { episode: 1, decision: 0 } })],
  ['a hash that is not one', fileOf([good], { sha256: 'x' })],
  ['a hash of something else', fileOf([good], { sha256: '0'.repeat(64) })],
  ['something left out of a backup', fileOf([good], { left: [{ what: 'episode', count: 1, why: 'secret' }] })],
  ['a newer reader needed', fileOf([good], {}, canonicalJson({ ...HEADER, version: 2, oldestReader: 2 }))],
  ['another format', fileOf([good], {}, canonicalJson({ ...HEADER, format: 'csv' }))],
  ['another mode', fileOf([good], {}, canonicalJson({ ...HEADER, mode: 'share' }))],
  ['a header with more in it', fileOf([good], {}, canonicalJson({ ...HEADER, more: 1 }))],
])('%s', async (_, file) => {
  expect(await codeOf(file)).toBe('FILE_INVALID')
})

test('the positive control: the same helper makes files that are read, up to the limits', async () => {
  for (const line of [good, assertionLine(nested(15)), assertionLine(keys(64))])
    expect(await codeOf(fileOf([line]))).toBe('imported')
  const spare = MAX_LINE_BYTES - Buffer.byteLength(episodeLine({ text: '' }))
  expect(await codeOf(fileOf([episodeLine({ text: 'x'.repeat(spare) })]))).toBe('imported')
  expect(await codeOf(fileOf([episodeLine({ text: 'x'.repeat(spare + 1) })]))).toBe('FILE_INVALID')
  // Written by a newer version, and still for readers of this one.
  expect(await codeOf(fileOf([good], {}, canonicalJson({ ...HEADER, version: 2 })))).toBe('imported')
})

test('bytes that are not UTF-8', async () => {
  const file = Buffer.from(fileOf([episodeLine({ text: 'hello' })]))
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xc3]]) {
    const at = file.indexOf('hello')
    const changed = Buffer.concat([file.subarray(0, at), Buffer.from(bytes), file.subarray(at)])
    expect(await codeOf(new Uint8Array(changed))).toBe('FILE_INVALID')
  }
})

test('the error names the line and what is wrong with it', async () => {
  const theirs = await openTenant()
  const cases = [
    [fileOf([good, 'x']), 3, /not JSON/u],
    [fileOf([good]).slice(0, -1), 3, /line feed/u],
    [fileOf([good], {}, canonicalJson({ ...HEADER, oldestReader: 9 })), 1, /version 9/u],
    [`${fileOf([good])}x\n`, 4, /footer/u],
  ] as const
  for (const [file, line, why] of cases)
    await expect(importFile(theirs, file, { own: true })).rejects.toMatchObject({
      code: 'FILE_INVALID',
      message: expect.stringMatching(why) as string,
      details: { line },
    })
})

test('a file that is not said to be the own one is refused before it is read', async () => {
  const theirs = await openTenant()
  const file = await exportedText(theirs)
  for (const options of [undefined, null, {}, { own: false }, { own: 'true' }, { own: 1 }])
    await expect(importFile(theirs, file, options as never)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      details: { field: 'own' },
    })
})

test('what is no source is INVALID_ARGUMENT', async () => {
  const theirs = await openTenant()
  for (const source of [undefined, null, 5, {}])
    await expect(importFile(theirs, source as never, { own: true })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
})

test('a clock of a far future does not get in, and nothing else of its file', async () => {
  const late = episodeLine({ id: 'late', clock: 'f00000000000-0000-test' })
  expect(await codeOf(fileOf([good, late]))).toMatch(/^(?:FILE_INVALID|INVALID_ARGUMENT)$/u)
})
