// @module-tag cli
import { describe, expect, it } from 'vitest'
import { findJsonProblem } from '../../src/entries/cli/json-syntax.js'
import fc from '../fast-check.js'

const problem = (text: string): string => {
  const found = findJsonProblem(text)
  return found ? `${found.line}:${found.column} ${found.message}` : 'none'
}

describe('findJsonProblem', () => {
  it.each([
    ['', '1:1 expected a value, but the text ends here'],
    ['{"a": 1,}', '1:8 remove the comma before "}"'],
    ['[1,\n 2,\n]', '2:3 remove the comma before "]"'],
    ['{"a": 1\n "b": 2}', '2:2 expected a comma or "}", found "\\""'],
    ["{'a': 1}", '1:2 JSON has double quotes only'],
    ['{a: 1}', '1:2 expected a key in double quotes, found "a"'],
    ['{"a" 1}', '1:6 expected a colon, found "1"'],
    ['{\r\n  // no\r\n}', '2:3 JSON has no comments'],
    ['{"a": undefined}', '1:7 expected a value, found "u"'],
    ['{"a": 01}', '1:8 expected a comma or "}", found "1"'],
    ['{"a": "b}', '1:7 this text has no closing quote'],
    ['"a\tb"', '1:3 this character has to be written as an escape within text: "\\t"'],
    ['"C:\\Users"', '1:4 this backslash begins no escape: write two for one'],
    ['{} {}', '1:4 expected nothing more, found "{"'],
    ['[1, 2', '1:6 expected a comma or "]", but the text ends here'],
    ['\u202e', '1:1 expected a value, found "\\u202e"'],
  ])('reports the position of the mistake in %j', (text, words) => {
    expect(problem(text)).toBe(words)
  })

  it('finds a problem exactly where JSON.parse fails', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      'a',
      '0',
      '1',
      '-',
      '.',
      'e',
      ' ',
      '\n',
      'null',
      '"k":',
      '\\u00',
      '\u0001',
    )
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.nat(3), fc.array(pieces, { maxLength: 3 }))
      .map(([json, at, cut, put]) => `${json.slice(0, at % (json.length + 1))}${put.join('')}${json.slice((at % (json.length + 1)) + cut)}`)
    const texts = fc.oneof(
      fc.json(),
      broken,
      fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        let parses = true
        try {
          JSON.parse(text)
        } catch {
          parses = false
        }
        expect(findJsonProblem(text) === undefined).toBe(parses)
      }),
      { numRuns: 3000 },
    )
  })

  it('handles deeply nested and long texts', () => {
    expect(problem('['.repeat(1_000_000))).toBe('1:1000001 expected a value, but the text ends here')
    expect(problem(`["${'x'.repeat(5_000_000)}"`)).toMatch(/^1:5000004 expected a comma/)
  })
})
