// @module-tag read-file
import { describe, expect, test, vi } from 'vitest'
import { detectEol, lineAt, lineFinder, lineStarts, numberLines, splitLines } from '../../src/ops/lines.js'
import fc from '../fast-check.js'

const anyLines = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r', '\r\n', ' ') })
/** The definition as simple code. */
const naiveLines = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/))

describe('splitLines', () => {
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
  })

  test('matches its definition', () => {
    fc.assert(
      fc.property(anyLines, (text) => {
        expect(splitLines(text)).toEqual(naiveLines(text))
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
      expect(starts.length).toBe(naiveLines(text).length)
      for (let offset = 0; offset < text.length; offset++) {
        const line = starts.findLastIndex((start) => start <= offset) + 1
        expect(lineAt(text, offset)).toBe(line)
        expect(finder(offset)).toBe(line)
      }
    }),
  )
})

test('lineFinder searches once for a line break where none follows', () => {
  const finder = lineFinder('x'.repeat(100))
  const search = vi.spyOn(String.prototype, 'indexOf')
  const found = Array.from({ length: 100 }, (_, offset) => finder(offset))
  const searches = search.mock.calls.filter(([sought]) => sought === '\n').length
  search.mockRestore()
  expect(new Set(found)).toEqual(new Set([1]))
  expect(searches).toBe(0)
})

test('numberLines has the format of cat -n', () => {
  expect(numberLines([], 1)).toBe('')
  expect(numberLines(['a', '', '\tb'], 9)).toBe('     9\ta\n    10\t\n    11\t\tb')
  const widths = [1, 99, 100, 9999, 99_999, 100_000, 9_999_999].map((first) => numberLines(['x'], first))
  expect(widths).toEqual(['     1\tx', '    99\tx', '   100\tx', '  9999\tx', ' 99999\tx', '100000\tx', '9999999\tx'])
})
