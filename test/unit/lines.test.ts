// @module-tag read-file
import { describe, expect, test, vi } from 'vitest'
import { countLines, detectEol, lineAt, lineFinder, lineStarts, numberLines, sliceLines, splitLines } from '../../src/ops/lines.js'
import fc from '../fast-check.js'

const anyLines = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r', '\r\n', ' ') })
/** The definition, in the simplest form. */
const naiveLines = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/))

describe('countLines and splitLines', () => {
  test.each([
    ['', []],
    ['\n', ['']],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\n\n', ['a', '']],
    ['a\r\nb', ['a', 'b']],
    ['a\rb\n', ['a\rb']],
    ['a\r', ['a\r']],
    ['a\nb\r', ['a', 'b\r']],
    ['\r\n', ['']],
  ])('%j', (text, lines) => {
    expect(splitLines(text)).toEqual(lines)
    expect(countLines(text)).toBe(lines.length)
  })

  test('agree with the definition', () => {
    fc.assert(
      fc.property(anyLines, (text) => {
        expect(splitLines(text)).toEqual(naiveLines(text))
        expect(countLines(text)).toBe(naiveLines(text).length)
      }),
    )
  })
})

describe('sliceLines', () => {
  const text = 'one\r\ntwo\nthree\n'

  test.each([
    [1, 1, { text: 'one', startLine: 1, endLine: 1, totalLines: 3 }],
    [1, 2, { text: 'one\r\ntwo', startLine: 1, endLine: 2, totalLines: 3 }],
    [2, 99, { text: 'two\nthree', startLine: 2, endLine: 3, totalLines: 3 }],
    [4, 1, { text: '', startLine: 4, endLine: 3, totalLines: 3 }],
    [9, 5, { text: '', startLine: 9, endLine: 8, totalLines: 3 }],
    [1, 0, { text: '', startLine: 1, endLine: 0, totalLines: 3 }],
  ])('from %i, %i lines', (start, count, slice) => {
    expect(sliceLines(text, start, count)).toEqual(slice)
  })

  test('of nothing, and of a text without a final newline', () => {
    expect(sliceLines('', 1, 10)).toEqual({ text: '', startLine: 1, endLine: 0, totalLines: 0 })
    expect(sliceLines('a\nb', 2, 10)).toEqual({ text: 'b', startLine: 2, endLine: 2, totalLines: 2 })
    expect(sliceLines('a\n\n', 2, 1)).toEqual({ text: '', startLine: 2, endLine: 2, totalLines: 2 })
  })

  test('is a slice of the split lines', () => {
    fc.assert(
      fc.property(anyLines, fc.integer({ min: 1, max: 8 }), fc.nat(8), (whole, start, count) => {
        const slice = sliceLines(whole, start, count)
        const wanted = naiveLines(whole).slice(start - 1, start - 1 + count)
        expect(slice.totalLines).toBe(naiveLines(whole).length)
        expect(slice.endLine - slice.startLine + 1).toBe(wanted.length)
        expect(slice.text.split(/\r?\n/)).toEqual(wanted.length === 0 ? [''] : wanted)
      }),
    )
  })
})

test.each([
  ['', 'none'],
  ['a\rb', 'none'],
  ['a\n', 'lf'],
  ['a\r\nb\r\n', 'crlf'],
  ['a\r\nb\n', 'mixed'],
  ['a\n\r\nb', 'mixed'],
  ['a\rb\n', 'lf'],
  ['\n\r', 'lf'],
])('detectEol of %j is %s', (text, eol) => {
  expect(detectEol(text)).toBe(eol)
})

test('lineAt, lineFinder and lineStarts agree', () => {
  fc.assert(
    fc.property(anyLines, (text) => {
      const starts = lineStarts(text)
      const finder = lineFinder(text)
      expect(starts.length).toBe(countLines(text))
      for (let offset = 0; offset < text.length; offset++) {
        const line = starts.findLastIndex((start) => start <= offset) + 1
        expect(lineAt(text, offset)).toBe(line)
        expect(finder(offset)).toBe(line)
      }
    }),
  )
})

test('lineFinder looks for a line break once, where none follows', () => {
  const finder = lineFinder('x'.repeat(100))
  const search = vi.spyOn(String.prototype, 'indexOf')
  const found = Array.from({ length: 100 }, (_, offset) => finder(offset))
  const searches = search.mock.calls.filter(([sought]) => sought === '\n').length
  search.mockRestore()
  expect(new Set(found)).toEqual(new Set([1]))
  expect(searches).toBe(0)
})

test('numberLines is like cat -n', () => {
  expect(numberLines([], 1)).toBe('')
  expect(numberLines(['a', '', '\tb'], 9)).toBe('     9\ta\n    10\t\n    11\t\tb')
  const widths = [1, 99, 100, 9999, 99_999, 100_000, 9_999_999].map((first) => numberLines(['x'], first))
  expect(widths).toEqual(['     1\tx', '    99\tx', '   100\tx', '  9999\tx', ' 99999\tx', '100000\tx', '9999999\tx'])
})
