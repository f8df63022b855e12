// @module-tag grep
import { createTestHost } from 'toolport/testing'
import { describe, expect, it } from 'vitest'
import { compilePattern, type LineMatcher } from '../../src/ops/compile-pattern.js'
import { createGrep, type GrepMatch, type GrepOptions } from '../../src/ops/grep.js'
import { pieces } from '../../src/tools/search/grep-large.js'
import { LineText } from '../../src/tools/search/line-text.js'
import type { ToolContext } from '../../src/types/tool.js'
import { Slicer } from '../../src/workspace/slicer.js'
import fc, { rounds } from '../fast-check.js'
import { utf8 } from './harness.js'

/** Characters of lookahead, enough for a match of the patterns below with its context lines. */
const AHEAD = 24

interface Found {
  readonly matches: readonly GrepMatch[]
  readonly count: number
  readonly longLines: number
}

const host = createTestHost()
const signal = new AbortController().signal

async function whole(bytes: Uint8Array, matcher: LineMatcher, options: GrepOptions): Promise<Found> {
  const grep = createGrep((await new LineText(matcher, new Slicer(host)).read(bytes, true)) ?? '', matcher, { ...options, unified: true })
  while (!grep.step());
  return grep
}

async function inPieces(bytes: Uint8Array, size: number, matcher: LineMatcher, options: GrepOptions): Promise<Found> {
  const workspace = {
    readBytes: async (_: string, { offset = 0, length = 0 } = {}) => ({ bytes: bytes.subarray(offset, offset + length) }),
  }
  const context = { host, signal, limits: {}, workspace } as unknown as ToolContext
  const found = { matches: [] as GrepMatch[], count: 0, longLines: 0 }
  for await (const piece of pieces('f', context, matcher, options.before ?? 0, { size, ahead: AHEAD })) {
    if (typeof piece === 'string') throw new Error(piece)
    const { text, from, to, line } = piece
    const grep = createGrep(text, matcher, { ...options, unified: true, from, to, line })
    while (!grep.step());
    piece.to = grep.to
    found.matches.push(...grep.matches)
    found.count += grep.count
    found.longLines += grep.longLines
  }
  return found
}

const line = fc.array(fc.constantFrom('a', 'b', '\r', 'é', '😀'), { maxLength: 3 }).map((all) => all.join(''))
const text = fc
  .tuple(fc.constantFrom('', '\uFEFF'), fc.array(line, { maxLength: 60 }), fc.constantFrom('\n', '\r\n', '\r\r\n', '\n\n'))
  .map(([mark, lines, end]) => mark + lines.join(end))
const PATTERNS = ['a', 'a$', '^a', '^$', 'é|b', '\\r', 'a\\r', '\\ba\\b', '.', 'x*', '\\s']
const OVER_LINES = ['a\\nb?', '\\n', 'a\\n\\n', '^$', 'a$\\n^b', '[ab]\\s{1,3}a', 'a\\r?\\n', '\\r\\n', 'é\\n|b', 'a|b\\n', '\\n$']

describe('grep gives the same result for a file searched in pieces and as a whole', () => {
  const options = fc.record({
    mode: fc.constantFrom('content' as const, 'count' as const),
    before: fc.integer({ min: 0, max: 2 }),
    after: fc.integer({ min: 0, max: 1 }),
  })
  const flags = fc.record({ ignoreCase: fc.boolean() })

  it.each([
    ['single-line patterns', PATTERNS, false],
    ['multiline patterns', OVER_LINES, true],
  ] as const)('%s', async (_, patterns, multiline) => {
    let hits = 0
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.constantFrom(...patterns),
        options,
        flags,
        fc.integer({ min: 3, max: 12 }),
        async (content, pattern, how, flag, size) => {
          const matcher = await compilePattern(pattern, { ...flag, multiline })
          const bytes = utf8(content)
          const expected = await whole(bytes, matcher, how)
          hits += expected.count
          const { matches, count, longLines } = await inPieces(bytes, size, matcher, how)
          expect({ matches, count, longLines }).toEqual({
            matches: expected.matches,
            count: expected.count,
            longLines: expected.longLines,
          })
        },
      ),
      { numRuns: rounds(3000) },
    )
    expect(hits).toBeGreaterThan(rounds(3000))
  })
})
