// @module-tag virtual-shell
import { describe, expect, it } from 'vitest'
import { decodeEscaped, encodeEscaped, joined } from '../../adapters/just-bash/escaped-bytes.js'
import { readAnsiQuoted } from '../../adapters/just-bash/syntax/ansi-quoting.js'
import { elementsText, keyedAt, readElements } from '../../adapters/just-bash/syntax/array-elements.js'
import { calculated, calculatedOne, literalInteger, parseInteger, testInteger } from '../../adapters/just-bash/syntax/integers.js'

// Tests what scripts/vendor.mjs changes in just-bash.

describe('escapes of bytes', () => {
  it('keep every pair of bytes and every text in a round trip', () => {
    for (let first = 0; first < 256; first++) {
      const bytes = Uint8Array.from({ length: 512 }, (_, i) => (i % 2 === 0 ? first : i >> 1))
      expect(encodeEscaped(decodeEscaped(bytes))).toEqual(bytes)
    }
    const text = 'ü€😀\ufeff\0'
    expect(decodeEscaped(encodeEscaped(text))).toBe(text)
  })

  it('represent overlong forms, surrogates and code points above U+10FFFF', () => {
    const bytes = [0xc0, 0x80, 0xe0, 0x80, 0x80, 0xed, 0xa0, 0x80, 0xf4, 0x90, 0x80, 0x80, 0xf5, 0xe2, 0x82]
    expect(decodeEscaped(Uint8Array.from(bytes))).toBe(String.fromCharCode(...bytes.map((byte) => 0xdc00 + byte)))
  })

  it('join to a character, or stay escaped if invalid', () => {
    expect(joined('\udcc3\udcbc\udcff😀')).toBe('ü\udcff😀')
  })
})

describe("$'…' literals", () => {
  it('end at their closing quote', () => {
    expect(readAnsiQuoted("a\\'b\\x41\\ufc' rest", 0)).toEqual({ value: "a'bAü", end: 13 })
    expect(readAnsiQuoted('open', 0)).toEqual({ value: 'open', end: 4 })
  })
})

describe('array elements', () => {
  it('keep any content in a round trip', () => {
    const elements = [
      { key: `k]'"$( `, value: `it's "q" $x \\ \n` },
      { key: 'a', value: '', append: true },
      { value: '[x]=y' },
      { value: '' },
    ]
    expect(readElements(elementsText(elements))).toEqual([{ ...elements[0], append: false }, ...elements.slice(1)])
  })

  it('array elements with a subscript end at their own bracket', () => {
    const source = '[a "]" $(echo ])]+=x$(echo y) rest'
    expect(keyedAt(source, 0)).toMatchObject({ value: 'x$(echo y)', append: true, end: source.indexOf(' rest') })
    expect([keyedAt('[ab] c', 0), keyedAt('[open', 0), keyedAt('x', 0), keyedAt('[]=x', 0)]).toEqual(Array(4).fill(undefined))
  })
})

describe('integers', () => {
  it('have 64 bits', () => {
    expect(calculated(2 ** 53 - 1, 2, '+')).toBe(9007199254740993n)
    expect(calculated(1, 63, '<<')).toBe(-(1n << 63n))
    expect(calculated(calculated(1, 63, '<<'), 1, '-')).toBe((1n << 63n) - 1n)
    expect(calculated(3, 10 ** 9, '**')).toBeDefined()
    expect(Object.is(calculated(0, -1, '*'), 0)).toBe(true)
    expect([calculatedOne(5, '~'), calculatedOne(0, '!'), calculatedOne(5, '-')]).toEqual([-6, 1, -5])
  })

  it('are parsed in every base', () => {
    expect(['0x', '0xff', '017', '64#@', '36#Z', '99999999999999999999'].map(literalInteger)).toEqual([
      0,
      255,
      15,
      62,
      35,
      7766279631452241919n,
    ])
    expect(['08', '2#2', '65#1', '1.5', 'x'].map(literalInteger)).toEqual(Array(5).fill(Number.NaN))
    expect(['-010', '12x', '9007199254740993'].map(parseInteger)).toEqual([-8, 12, 9007199254740993n])
    expect([testInteger(' +5 ').value, testInteger('').valid, testInteger('99999999999999999999').valid]).toEqual([5, false, false])
  })
})
