// @module-tag read-file
import { describe, expect, test } from 'vitest'
import { finish } from '../../src/ops/steps.js'
import {
  codePointBoundary,
  decodeUtf8,
  encodeUtf8,
  hasLoneSurrogate,
  headUnits,
  tailStart,
  truncateUtf8,
  utf8Length,
} from '../../src/ops/utf8.js'
import { decodeSteps, encodeSteps } from '../../src/ops/utf8-steps.js'
import fc from '../fast-check.js'

const anyText = fc.string({ unit: 'binary' })
const mixed = 'aé→😀\r\nb'

describe('utf8Length', () => {
  test.each([
    ['', 0],
    ['ascii', 5],
    ['é', 2],
    ['→', 3],
    ['😀', 4],
    ['\ufeffa', 4],
    ['\ud800', 3],
    ['\0', 1],
  ])('the UTF-8 length of %j is %i', (text, bytes) => {
    expect(utf8Length(text)).toBe(bytes)
  })

  test('equals the encoded length, also across chunks', () => {
    fc.assert(fc.property(anyText, (text) => utf8Length(text) === encodeUtf8(text).length))
    for (const pad of [0, 1, 2, 3]) {
      const long = 'x'.repeat(pad) + '😀→é'.repeat(30_000)
      expect(utf8Length(long)).toBe(encodeUtf8(long).length)
    }
  })
})

describe('decodeUtf8', () => {
  test('keeps text and byte order mark in a round trip', () => {
    for (const text of ['', mixed, `\ufeff${mixed}`, 'a\0b']) expect(decodeUtf8(encodeUtf8(text))).toBe(text)
  })

  test.each([
    ['a lone continuation byte', [0x61, 0x80]],
    ['an overlong form', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a truncated code point', [0xe2, 0x86]],
    ['UTF-16', [0xff, 0xfe, 0x61, 0x00]],
  ])('rejects %s', (_, bytes) => {
    expect(decodeUtf8(Uint8Array.from(bytes))).toBeUndefined()
  })

  test('reads a view into a larger buffer', () => {
    expect(decodeUtf8(encodeUtf8('xx→yy').subarray(2, 5))).toBe('→')
  })
})

test('hasLoneSurrogate finds lone surrogates, not pairs', () => {
  expect([hasLoneSurrogate('a😀'), hasLoneSurrogate('\ud83d'), hasLoneSurrogate('\ude00\ud83d'), hasLoneSurrogate('')]).toEqual([
    false,
    true,
    true,
    false,
  ])
})

describe('truncateUtf8', () => {
  test('keeps whole code points', () => {
    const cuts = Array.from({ length: 12 }, (_, bytes) => truncateUtf8('aé→😀b', bytes))
    expect(cuts).toEqual(['', 'a', 'a', 'aé', 'aé', 'aé', 'aé→', 'aé→', 'aé→', 'aé→', 'aé→😀', 'aé→😀b'])
  })

  test('returns the longest prefix that fits', () => {
    fc.assert(
      fc.property(anyText, fc.nat(60), (text, max) => {
        const cut = truncateUtf8(text, max)
        const next = cut + String.fromCodePoint(text.codePointAt(cut.length) ?? 0)
        expect(text.startsWith(cut)).toBe(true)
        expect(utf8Length(cut)).toBeLessThanOrEqual(max)
        if (cut !== text) expect(utf8Length(next)).toBeGreaterThan(max)
      }),
    )
  })

  test.each([Number.NaN, -1, 0])('a limit of %d bytes returns an empty text', (max) => {
    expect(truncateUtf8('abc', max)).toBe('')
  })
})

test('headUnits and tailStart split no pair and stay within the length', () => {
  fc.assert(
    fc.property(anyText, fc.nat(60), (text, max) => {
      const head = text.slice(0, headUnits(text, max))
      const tail = text.slice(tailStart(text, max))
      expect(utf8Length(head)).toBeLessThanOrEqual(max)
      expect(utf8Length(tail)).toBeLessThanOrEqual(max)
      expect(codePointBoundary(text, head.length)).toBe(head.length)
      expect(codePointBoundary(text, text.length - tail.length)).toBe(text.length - tail.length)
    }),
  )
  expect(tailStart('a😀', 3)).toBe(3)
  expect(tailStart('a😀', 4)).toBe(1)
})

describe('decodeSteps and encodeSteps', () => {
  const STEP = 512 * 1024
  test.each([0, 1, 2, 3])('keep characters at step boundaries (%i before)', (pad) => {
    const long = `\ufeff${'x'.repeat(pad)}${'😀→é'.repeat(200_000)}`
    const bytes = encodeUtf8(long)
    expect(finish(decodeSteps(bytes))).toBe(long)
    expect(finish(encodeSteps(long))).toEqual(bytes)
    expect([...decodeSteps(bytes)].length).toBe(Math.ceil(bytes.length / STEP))
    expect([...encodeSteps(long)].length).toBe(Math.ceil(long.length / STEP))
  })
  test('reject invalid text at any place', () => {
    for (const at of [0, STEP - 1, STEP, 2 * STEP]) {
      const units = Array.from({ length: 2 * STEP }, () => 'a')
      units[at] = '\ud83d'
      expect(finish(encodeSteps(units.join('')))).toBeUndefined()
      const bytes = new Uint8Array(2 * STEP + 1).fill(0x61)
      bytes[at] = 0xf0
      expect(finish(decodeSteps(bytes))).toBeUndefined()
    }
    expect(finish(encodeSteps(''))).toEqual(new Uint8Array())
    expect(finish(decodeSteps(new Uint8Array()))).toBe('')
  })
})
