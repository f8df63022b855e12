// @module-tag grep
import { RE2JS } from 're2js'
import { expect, it } from 'vitest'
import { compilePattern, type LineMatcher } from '../../src/ops/compile-pattern.js'
import { createRe2Matcher } from '../../src/ops/regex/re2.js'
import { ANY_SPAN } from '../../src/ops/regex/span.js'
import fc from '../fast-check.js'
import { grepText } from './grep-text.js'

const bytes = (text: string): number => new TextEncoder().encode(text).length

interface Place {
  readonly line: number
  readonly column: number
}

/** The definition of grep without optimisations: RE2 on each line separately. */
function naive(pattern: string, ignoreCase: boolean, text: string): Place[] {
  const regex = RE2JS.compile(pattern, RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines.flatMap((line, i) => {
    const matcher = regex.matcher(line)
    return matcher.find() ? [{ line: i + 1, column: bytes(line.slice(0, matcher.start())) + 1 }] : []
  })
}

const atoms = ['a', 'b', 'A', 'k', 's', 'é', '😀', ' ', '-', '=', '\\.', '\\(', '{', '\\w', '\\W', '\\s', '\\S', '\\d', '\\D', '.', '[ab]', '[^a]', '[^"]', '[a-cx-z]', '[^\\s\\d]', '[\\w-]', '[k-s]', '\\b', '\\B', '^', '$', '\\x41', '.*', '.*', '.+', '\\t', '"'] // biome-ignore format: one list
const quantifiers = ['', '', '', '', '*', '+', '?', '*?', '+?', '{2}', '{1,3}', '{2,}', '{0,2}?']

const { pattern } = fc.letrec<{ pattern: string; sequence: string; item: string; atom: string }>((tie) => ({
  pattern: fc.oneof(
    { weight: 4, arbitrary: tie('sequence') },
    { weight: 1, arbitrary: fc.array(tie('sequence'), { minLength: 2, maxLength: 3 }).map((all) => all.join('|')) },
  ),
  sequence: fc.array(tie('item'), { minLength: 1, maxLength: 5 }).map((all) => all.join('')),
  item: fc
    .tuple(tie('atom'), fc.constantFrom(...quantifiers))
    .map(([atom, times]) => (/^(\\[bB]|[$^]|\.[*+])$/.test(atom) ? atom : atom + times)),
  atom: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 8, arbitrary: fc.constantFrom(...atoms) },
    { weight: 1, arbitrary: tie('pattern').map((inner) => `(${inner})`) },
    { weight: 1, arbitrary: tie('pattern').map((inner) => `(?:${inner})`) },
  ),
}))

const flagged = fc.tuple(fc.constantFrom('', '', '(?s)', '(?i)', '(?si)'), pattern).map((both) => both.join(''))

const text = fc
  .array(
    fc.constantFrom(
      'a',
      'a',
      'b',
      'A',
      'B',
      'k',
      'K',
      's',
      '\u017f',
      '\u212a',
      'é',
      '😀',
      ' ',
      ' ',
      '\t',
      '-',
      '=',
      '.',
      '(',
      '{',
      '1',
      '"',
      '\n',
      '\n',
      '\r\n',
      'x',
    ),
    { maxLength: 40 },
  )
  .map((all) => all.join(''))

/** The compiled pattern. Undefined if the pattern is rejected for its size, which happens for some random patterns. */
async function unlessTooComplex(compile: () => LineMatcher | Promise<LineMatcher>): Promise<LineMatcher | undefined> {
  try {
    return await compile()
  } catch (error) {
    expect(error).toMatchObject({ name: 'InputError', issues: [{ path: 'pattern', message: expect.stringContaining('too complex') }] })
    return undefined
  }
}

it('every engine finds the lines and columns of RE2', async () => {
  const engines = { literal: 0, native: 0, re2: 0 }
  let refused = 0
  await fc.assert(
    fc.asyncProperty(flagged, fc.boolean(), fc.array(text, { minLength: 1, maxLength: 4 }), async (source, ignoreCase, texts) => {
      const matcher = await unlessTooComplex(() => compilePattern(source, { ignoreCase }))
      if (!matcher) return void refused++
      engines[matcher.engine]++
      for (const each of texts) {
        const found = grepText(each, matcher).matches.map(({ line, column }) => ({ line, column }))
        expect(found).toEqual(naive(source, ignoreCase, each))
      }
    }),
    { numRuns: 3000 },
  )
  expect(Math.min(engines.native, engines.re2)).toBeGreaterThan(300)
  expect(refused).toBeLessThan(60)
})

it('a translated multiline pattern matches like re2js', async () => {
  let native = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(flagged, fc.boolean(), text, async (source, ignoreCase, each) => {
      const matcher = await unlessTooComplex(() => compilePattern(source, { ignoreCase, multiline: true }))
      const reference = await unlessTooComplex(() =>
        createRe2Matcher(source, { multiline: true, seesReturns: false, span: ANY_SPAN, required: undefined, ignoreCase, shown: source }),
      )
      if (!matcher || !reference) return void refused++
      if (matcher.engine === 'native') native++
      expect(grepText(each, matcher)).toMatchObject({ matches: grepText(each, reference).matches })
      const counts = [matcher, reference].map((one) => grepText(each, one, { mode: 'count' }).count)
      expect(counts[0]).toBe(counts[1])
    }),
    { numRuns: 2000 },
  )
  expect(native).toBeGreaterThan(100)
  expect(refused).toBeLessThan(40)
})
