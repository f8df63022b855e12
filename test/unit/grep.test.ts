// @module-tag grep
import { describe, expect, it } from 'vitest'
import { compilePattern, type PatternOptions } from '../../src/ops/compile-pattern.js'
import { createGrep, type GrepOptions } from '../../src/ops/grep.js'
import fc, { rounds } from '../fast-check.js'
import { grepText } from './grep-text.js'

async function grep(text: string, pattern: string, options: GrepOptions & PatternOptions = {}) {
  return grepText(text, await compilePattern(pattern, options), options)
}

describe('grep matches', () => {
  it('have line, column in bytes, and text', async () => {
    const { matches, count, more } = await grep('one\n  é two\nthree two two\n', 'two')
    expect(matches).toEqual([
      { line: 2, column: 6, text: '  é two' },
      { line: 3, column: 7, text: 'three two two' },
    ])
    expect([count, more]).toEqual([2, false])
  })

  it('need no final line break, and do not exist after one', async () => {
    expect((await grep('a\nb', 'b')).matches).toEqual([{ line: 2, column: 1, text: 'b' }])
    for (const pattern of ['', '^', '$', '^$', 'x*', '(?s:)']) {
      const lines = async (text: string): Promise<number[]> => (await grep(text, pattern)).matches.map(({ line }) => line)
      expect(await lines(''), pattern).toEqual([])
      expect(await lines('\n'), pattern).toEqual([1])
      expect(await lines('\n\n'), pattern).toEqual([1, 2])
    }
    expect((await grep('a\n\nb\n', '^$')).matches.map(({ line }) => line)).toEqual([2])
    expect((await grep('a\nb', '$')).matches.map(({ line, column }) => [line, column])).toEqual([
      [1, 2],
      [2, 2],
    ])
  })

  it('treat CRLF as a line break', async () => {
    expect((await grep('a\r\nb c\r\nc\r\n', 'c$', { before: 1, after: 1 })).matches).toEqual([
      { line: 2, column: 3, text: 'b c', before: ['a'], after: ['c'] },
      { line: 3, column: 1, text: 'c', before: ['b c'], after: [] },
    ])
    expect((await grep('a\r\n\r\nb', '^$')).matches).toEqual([{ line: 2, column: 1, text: '' }])
    expect((await grep('a\r\nb\r\n', 'a\\nb', { multiline: true })).matches).toEqual([{ line: 1, column: 1, text: 'a\nb' }])
  })

  it('can contain carriage returns if the pattern names them', async () => {
    for (const pattern of ['\\r$', '\r', '\\x0d', 'a\\x{D}', 'a\\015'])
      expect((await grep('a\r\nb\n', pattern)).matches, pattern).toMatchObject([{ line: 1, text: 'a' }])
    expect((await grep('a\r\nb\n', 'b\\\\r|a$')).matches).toMatchObject([{ line: 1 }])
    expect((await grep('a\rb\n', 'a.b')).matches).toEqual([{ line: 1, column: 1, text: 'a\rb' }])
  })

  it('have context lines within the text', async () => {
    expect((await grep('1\n2\n3\n4\n5\n', '[15]', { before: 2, after: 1 })).matches).toEqual([
      { line: 1, column: 1, text: '1', before: [], after: ['2'] },
      { line: 5, column: 1, text: '5', before: ['3', '4'], after: [] },
    ])
    expect((await grep('\n\nx\n\n\n', 'x', { before: 5, after: 5 })).matches).toEqual([
      { line: 3, column: 1, text: 'x', before: ['', ''], after: ['', ''] },
    ])
  })

  it('show the matching part of a very long line', async () => {
    const text = `${'a'.repeat(5000)}needle${'b'.repeat(5000)}\n${'😀'.repeat(3000)}\nneedle${'c'.repeat(2000)}\n`
    const { matches } = await grep(text, 'needle', { before: 1, after: 1 })
    expect(matches.map(({ line, column }) => [line, column])).toEqual([
      [1, 5001],
      [3, 1],
    ])
    expect(matches[0]?.text).toMatch(/^\[4800 characters cut\]a{200}needleb{1794}\[3206 characters cut\]$/)
    expect(matches[1]?.text).toMatch(/^needlec{1994}\[6 characters cut\]$/)
    expect(matches[0]?.after?.[0]).toBe(`${'😀'.repeat(1000)}[4000 characters cut]`)
    const late = await grep(`${'😀'.repeat(2000)}end`, 'end')
    expect(late.matches[0]?.text).toMatch(/^\[\d+ characters cut\](😀)+end$/u)
  })
})

describe('grep modes', () => {
  const text = 'a\nb\na a\na\n'

  it('"content" stops at the limit and reports more', async () => {
    expect(await grep(text, 'a', { limit: 2 })).toMatchObject({ matches: [{ line: 1 }, { line: 3 }], more: true })
    expect(await grep(text, 'a', { limit: 3 })).toMatchObject({ count: 3, more: false })
    expect(await grep(text, 'a', { limit: 1, skip: 1 })).toMatchObject({ matches: [{ line: 3 }], more: true })
    expect(await grep(text, 'a', { limit: 5, skip: 2 })).toMatchObject({ matches: [{ line: 4 }], more: false })
    expect(await grep(text, 'a', { limit: 0 })).toMatchObject({ matches: [], more: true })
  })

  it('"count" counts lines, or matches with multiline', async () => {
    expect(await grep(text, 'a', { mode: 'count', limit: 1 })).toMatchObject({ matches: [], count: 3, more: false })
    expect((await grep(text, 'a', { mode: 'count', multiline: true })).count).toBe(4)
    expect((await grep('😀a😀', 'x*', { mode: 'count', multiline: true })).count).toBe(3)
    expect((await grep('aXXbXX', '(?:X|b)+', { mode: 'count', multiline: true })).count).toBe(1)
  })

  it('"files" stops at the first match', async () => {
    expect(await grep(text, 'a', { mode: 'files' })).toMatchObject({ matches: [], count: 1 })
    expect(await grep(text, 'x', { mode: 'files' })).toMatchObject({ count: 0 })
  })
})

describe('multiline grep', () => {
  it('returns every line that a match touches', async () => {
    for (const pattern of ['b\nc', 'b\\nc', '(?s)b.c', 'b[^x]c', 'b\\s+c']) {
      expect((await grep('a\n-b\nc-\nd\n', pattern, { multiline: true, before: 1, after: 1 })).matches, pattern).toEqual([
        { line: 2, column: 2, text: '-b\nc-', before: ['a'], after: ['d'] },
      ])
    }
    expect((await grep('a\nb\n', 'a\\n', { multiline: true })).matches).toEqual([{ line: 1, column: 1, text: 'a' }])
    expect((await grep('a\nb', 'a.b', { multiline: true })).matches).toEqual([])
  })

  it('joins matches that start on the last line of the previous one', async () => {
    expect((await grep('a{\n}{\n}\n{}', '\\{[^}]*\\}', { multiline: true })).matches.map(({ line, text }) => [line, text])).toEqual([
      [1, 'a{\n}{\n}'],
      [4, '{}'],
    ])
    expect((await grep('ab ab\nab\n', 'ab', { multiline: true })).matches.map(({ line }) => line)).toEqual([1, 2])
  })

  it('does not treat the start of a step as the start of the text', async () => {
    expect((await grep('ab\n'.repeat(5000), '\\Aa|b', { multiline: true, mode: 'count' })).count).toBe(5001)
    const search = createGrep('a\n'.repeat(1_000_000), await compilePattern('a\\z', { multiline: true }))
    expect([search.step(), search.longLines]).toEqual([true, 1])
  })

  it('matches the ends of the whole text where the pattern names them', async () => {
    const text = `${'a\n'.repeat(50_000)}z\n`
    expect((await grep(text, '\\Aa\\na', { multiline: true, mode: 'count' })).count).toBe(1)
    expect((await grep(text, 'z\\n\\z', { multiline: true })).matches).toMatchObject([{ line: 50_001 }])
  })
})

describe('grep in long texts', () => {
  const filler = `${'some words in a line of text'}\n`.repeat(20_000)
  const text = `${filler}needle one\n${filler}needle 2\n${filler}`

  it.each(['needle', 'needle\\s\\w', '(?i)NEEDLE', '(e+)+dle', '^needle.*$', '[[:alpha:]]eedle'])('works in steps: %s', async (pattern) => {
    for (const multiline of [false, true]) {
      const search = createGrep(text, await compilePattern(pattern, { multiline }))
      let steps = 1
      while (!search.step()) steps++
      expect(search.matches.map(({ line }) => line)).toEqual([20_001, 40_002])
      expect(steps).toBeGreaterThan(1)
      expect(search.step()).toBe(true)
      expect(search.count).toBe(2)
    }
  })

  it('ends a step after a thousand matches', async () => {
    for (const options of [{}, { multiline: true }]) {
      const search = createGrep('ab\n'.repeat(5000), await compilePattern('[ab]', options), { mode: 'count' })
      let steps = 1
      while (!search.step()) steps++
      expect(search.count).toBe('multiline' in options ? 10_000 : 5000)
      expect(steps).toBeGreaterThanOrEqual(search.count / 1000)
    }
  })

  it('finds matches across steps', async () => {
    const matcher = await compilePattern('b\\s+(?:c|d){2}(?:e|f)(?:g|h)+$', { multiline: true })
    const lines = `b\ncdegh\n`.repeat(60_000)
    expect(grepText(lines, matcher, { mode: 'count' }).count).toBe(60_000)
    expect(grepText(lines, matcher).count).toBe(60_000)
  })
})

describe('grep matches across many lines', () => {
  const lines = (text: string, count: number): string => text.repeat(count)
  it.each([
    ['(?s)START.*END', lines('x\n', 10_000), true],
    ['START(?:\\n.*)*\\nEND', lines('x\n', 10_000), true],
    ['(?s)(START|FOO).*?(END|BAR)', lines('x\n', 10_000), true],
    ['STAR[T][\\s\\S]*?END', lines('x\n', 10_000), true],
    ['START(?:[^E]|E[^N])*END', lines(`${'x'.repeat(70)}\n`, 300), true],
    ['(?:S|T)\\w+\\s+END', lines(' \n', 9_000), true],
    // Matches that are longer than a piece that is searched at once.
    ['(?s)(START|FOO).*?(END|BAR)', lines('x\n', 60_000), false],
    ['(?:S|T)\\w+\\s+END', lines(' \n', 60_000), false],
    ['[^E]+END', lines('x\n', 600_000), false],
  ])('%s is found or reported as too long', async (pattern, between, isFound) => {
    const search = run(createGrep(`START\n${between}END\n`, await compilePattern(pattern, { multiline: true })))
    expect([search.matches.some(({ line }) => line === 1), search.longMatches]).toEqual([isFound, !isFound])
  })

  it.each([
    ['(?:b|c)\\s+(?:d|e)', 30_000],
    ['f.*\\n\\s+r', 30_000],
    ['\\{[^}]*\\}', 30_000],
    ['(?s)START.*END', 0],
    ['(?:.*\\n){3}f', 29_999],
  ])('are all found in a text where %s cannot match that far', async (pattern, found) => {
    const matcher = await compilePattern(pattern, { multiline: true })
    const { count, longMatches } = run(createGrep('f(a) {\n  r\n}\n\nb\n  d\n'.repeat(30_000), matcher, { mode: 'count' }))
    expect([count, longMatches]).toEqual([found, false])
  })

  it('are found in any pieces or reported as too long', async () => {
    const atom = fc.constantFrom('a', 'b', '\\n', '\\s', '[^a]', '[^b\\n]', '.', '(?:a|\\n)', '(?:ab|b\\n)', '(?:.*\\n)', '^', '$')
    const item = fc
      .tuple(atom, fc.constantFrom('', '', '*', '+', '*?', '{0,2}', '{2}'))
      .map(([one, times]) => (/[$^]$/.test(one) ? one : one + times))
    const pattern = fc
      .tuple(fc.constantFrom('', '(?s)'), fc.array(item, { minLength: 1, maxLength: 4 }))
      .map(([flag, items]) => flag + items.join(''))
    const text = fc.array(fc.constantFrom('a', 'b', 'ab', ' ', '\n', '\n'), { maxLength: 120 }).map((all) => all.join(''))
    let whole = 0
    await fc.assert(
      fc.asyncProperty(pattern, text, fc.integer({ min: 1, max: 12 }), async (source, each, slice) => {
        const matcher = await compilePattern(source, { multiline: true })
        const small = Object.create(matcher, { slice: { value: slice }, longestLine: { value: 20 } })
        for (const mode of ['content', 'count'] as const) {
          const { longMatches, longLines, matches, count } = run(createGrep(each, small, { mode }))
          if (longMatches || longLines > 0) continue
          whole++
          const expected = grepText(each, matcher, { mode })
          expect({ matches, count }).toEqual({ matches: expected.matches, count: expected.count })
        }
      }),
      { numRuns: rounds(4000) },
    )
    expect(whole).toBeGreaterThan(100)
  })
})

describe('lines too long for a regex engine', () => {
  it.each([false, true])('are left out and counted (multiline %s)', async (multiline) => {
    const matcher = await compilePattern('(?:b|c)+(?i:D)', { multiline })
    const long = 'bd'.padEnd(matcher.longestLine, 'x')
    const { count, longLines, matches } = run(createGrep(`bd\n${long}\ncd\n${long.slice(2)}bd\n${long.slice(1)}\nbd`, matcher))
    expect(matches.map(({ line }) => line)).toEqual([1, 3, 6])
    expect([count, longLines]).toEqual([3, 2])
  })

  it('are not used as lookahead', async () => {
    const matcher = await compilePattern('(?:b|c)+(?i:D)\\n', { multiline: true })
    const { longLines, matches } = run(
      createGrep(`${'x\n'.repeat(matcher.slice)}bd\n${'y'.repeat(matcher.longestLine * 4)}\nbd\n`, matcher),
    )
    expect([matches.length, longLines]).toEqual([2, 1])
  })

  it('can be searched for plain text', async () => {
    expect((await grep(`${'x'.repeat(3_000_000)}needle`, 'needle')).count).toBe(1)
  })
})

function run(search: ReturnType<typeof createGrep>): typeof search {
  while (!search.step());
  return search
}

/** Searches each line separately. */
function naive(text: string, regex: RegExp): { line: number; column: number; text: string }[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines.flatMap((line, i) => {
    const at = line.search(regex)
    return at < 0 ? [] : [{ line: i + 1, column: new TextEncoder().encode(line.slice(0, at)).length + 1, text: line }]
  })
}

const piece = fc.constantFrom('a', 'b', 'é', 'a+', 'b*', '[ab]', '[^a\\n]', '.', '.*', 'a?', '^', '$', '(?:a|b)', 'a{2}', '(?:ab)+')
const patterns = fc.array(piece, { minLength: 1, maxLength: 5 }).map((all) => all.join(''))
const texts = fc.array(fc.constantFrom('a', 'b', 'é', '😀', 'c', '\n', '\r\n'), { maxLength: 60 }).map((all) => all.join(''))

describe('properties of grep', () => {
  it('finds what a line-by-line search finds cap:72 cap:48', async () => {
    await fc.assert(
      fc.asyncProperty(patterns, fc.boolean(), texts, async (pattern, ignoreCase, text) => {
        const { matches } = await grep(text, pattern, { ignoreCase })
        expect(matches).toEqual(naive(text, new RegExp(pattern, ignoreCase ? 'iu' : 'u')))
      }),
      { numRuns: rounds(2000) },
    )
  })

  it('finds the same in pages as in one search', async () => {
    await fc.assert(
      fc.asyncProperty(patterns, texts, fc.integer({ min: 1, max: 3 }), async (pattern, text, limit) => {
        const matcher = await compilePattern(pattern)
        const paged: unknown[] = []
        for (let more = true; more; ) {
          const page = grepText(text, matcher, { limit, skip: paged.length })
          paged.push(...page.matches)
          more = page.more
        }
        expect(paged).toEqual(grepText(text, matcher).matches)
      }),
      { numRuns: rounds(500) },
    )
  })
})
