import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_NAME_LENGTH, nameKey, normalizeName, tenantName } from '../../src/records/name.ts'
import { cases } from '../oracle/soak.ts'

/** Characters that fold, compose, vanish or look at their neighbours, and any others. */
const tricky = fc.constantFrom(
  'ß',
  'ẞ',
  'SS',
  'Σ',
  'σ',
  'ς',
  'İ',
  'ı',
  'I',
  'i',
  '\u0307',
  'ŉ',
  'ΐ',
  '\u0345',
  'ᾳ',
  'ǰ',
  'Ω',
  'Å',
  'K',
  'ﬃ',
  'ﬅ',
  'e',
  '\u0301',
  '\u0323',
  'é',
  ' ',
  '\u00a0',
  '\u3000',
  '\u2003',
  '\ufeff',
  '\u200d',
  '\u00ad',
  '¨',
  '´',
  '\u0300',
  'ⅷ',
  '㍿',
  'ﷺ',
  '각',
  '\u1100',
  '\u1161',
  'ა',
  'Ა',
  'Ꭰ',
  'ꭰ',
  '\t',
  "'",
  '.',
  '𐐀',
  'א',
  'ـ',
)
const names = fc.oneof(
  fc.string({ unit: tricky, maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: fc.oneof(tricky, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })), maxLength: 8 }),
)

describe('the normal form of a name', () => {
  test.each([
    ['José', 'Jose\u0301'],
    ['JOSÉ', 'jose\u0301'],
    ['Straße', 'STRASSE'],
    ['ß', 'SS'],
    ['STRAẞE', 'strasse'],
    ['Οδός', 'ΟΔΌΣ'],
    ['ﬁn', 'FIN'],
    ['Ｍｉｒａ', 'mira'],
    ['①', '1'],
    ['Å', 'Å'],
    ['  Mira\u00a0\t Li ', 'mira li'],
    ['각', '\u1100\u1161\u11a8'],
  ])('%s and %s are one', (a, b) => {
    expect(normalizeName(a)).toBe(normalizeName(b))
  })

  test.each([
    ['mira', 'mia'],
    ['jose', 'josé'],
    ['李雷', '李雪'],
    ['a b', 'ab'],
    ['acme', 'acme-corp'],
    ['שלום', 'שלומ'],
  ])('%s and %s are two', (a, b) => {
    expect(normalizeName(a)).not.toBe(normalizeName(b))
  })

  // The form of a small sigma depends on what follows it, and a mark that it skips is white space to a regular expression.
  test('idempotent where white space is made between a sigma and a letter', () => {
    const once = normalizeName('ΑΣ\ufeffΑ')
    expect(normalizeName(once)).toBe(once)
  })

  test.each(['李雷', 'שרה', 'مريم', 'mira', '👩‍👩‍👧', 'a_b%'])('%s is its own normal form', name => {
    expect(normalizeName(name)).toBe(name)
  })

  test('it is idempotent', () => {
    fc.assert(
      fc.property(names, name => {
        const once = normalizeName(name)
        expect(normalizeName(once)).toBe(once)
      }),
      cases(10_000, 500_000),
    )
  }, 600_000)

  test('it is idempotent for every character alone and between letters', () => {
    const broken: string[] = []
    // Beyond lie no letters but Chinese ones, tags and private use.
    for (let point = 0; point < 0x20000; point++) {
      if (/[\p{Unassigned}\p{Surrogate}\p{Unified_Ideograph}\p{Private_Use}]/u.test(String.fromCodePoint(point))) continue
      for (const name of [String.fromCodePoint(point), `a${String.fromCodePoint(point)}b`]) {
        const once = normalizeName(name)
        if (normalizeName(once) !== once) broken.push(point.toString(16))
      }
    }
    expect(broken).toEqual([])
  }, 60_000)

  test('a name and its canonical equivalents, in upper or lower case, are one', () => {
    fc.assert(
      fc.property(names, name => {
        const key = normalizeName(name)
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) expect(normalizeName(name.normalize(form))).toBe(key)
        expect(normalizeName(` ${name}  `)).toBe(key)
      }),
      cases(3000, 100_000),
    )
  }, 600_000)

  test('letter by letter, a word in capitals is the word', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('ß', 'σ', 'ς', 'é', 'ﬃ', 'a', 'ñ', 'ю', 'ა', '\u0301', ' ', "'"), maxLength: 8 }),
        word => {
          expect(normalizeName(word.toUpperCase())).toBe(normalizeName(word))
        },
      ),
      cases(3000, 100_000),
    )
  }, 600_000)

  test('what the door lets in is in normal form, so that it can come in again from a file', () => {
    fc.assert(
      fc.property(names, name => {
        let key: string
        try {
          key = nameKey(name, 'subject')
        } catch {
          return
        }
        expect(nameKey(key, 'subject')).toBe(key)
        expect(key.length).toBeLessThanOrEqual(MAX_NAME_LENGTH)
      }),
      cases(3000, 100_000),
    )
  }, 600_000)
})

describe('names that are refused', () => {
  test.each([
    ['', 'blank'],
    ['  \u00a0\t', 'blank'],
    ['\ud800', 'surrogate'],
    ['a\u0000b', 'control'],
    ['a\u001bb', 'control'],
    ['x'.repeat(513), 'longer'],
    ['ﷺ'.repeat(100), 'longer'],
    [7, 'string'],
    [undefined, 'string'],
  ])('a subject %j', (name, why) => {
    expect(() => nameKey(name, 'subject')).toThrow(
      expect.objectContaining({ code: 'INVALID_NAME', message: expect.stringMatching(new RegExp(`subject.*${why}`, 'u')) }),
    )
  })

  test('a tenant that is blank, long, ill-formed or no string', () => {
    for (const name of ['', ' ', '\ud800', 'x'.repeat(513), null])
      expect(() => tenantName(name)).toThrow(expect.objectContaining({ code: 'INVALID_NAME' }))
  })

  test.each(['acme', 'ACME', 'acme:x', 'acme%', 'acme_', 'acme\u0000', ' acme', 'José', 'Jose\u0301'])(
    'but the tenant %j stays as it is',
    name => {
      expect(tenantName(name)).toBe(name)
    },
  )
})
