// @module-tag grep
import { describe, expect, it } from 'vitest'
import { compilePattern, type PatternOptions } from '../../src/ops/compile-pattern.js'
import { createGrep } from '../../src/ops/grep.js'
import { rounds } from '../fast-check.js'
import { grepText } from './grep-text.js'

const columns = async (pattern: string, text: string, options?: PatternOptions): Promise<string[]> =>
  grepText(text, await compilePattern(pattern, options)).matches.map(({ line, column }) => `${line}:${column}`)

describe('the engine chosen for a pattern', () => {
  const engines: [engine: string, patterns: string[]][] = [
    ['literal', ['needle', 'a\\.b', 'function main() {'.replaceAll(/[()]/g, '\\$&'), 'x', '日本', '{', 'a\\x41', '(?:foo)bar', 'a{1}']],
    [
      'native',
      [
        '\\bfoo\\b',
        'foo|bar',
        '^import',
        'foo\\s+bar',
        'function\\s+\\w+\\(',
        'foo.*bar',
        '(?s)foo.*bar',
        '(?i)import',
        '.*foo',
        '.*.*.*=.*',
        '\\s+$',
        '\\w+\\(',
        'use\\w+',
        '[A-Z]{3}-\\d{2,4}',
        '^\\s*import.*from',
        '\\bget\\w+\\b',
        'import\\s*\\{',
        '"[^"]*"',
        '(a+)+',
        'x*',
        '',
        '^',
        '$',
      ],
    ],
    [
      're2',
      [
        '(a+)+$',
        '(a|a)*b',
        '(.*)*x',
        '(x+x+)+y',
        '<[^>]+>',
        'foo\\w+\\(',
        'a.{0,60}b',
        '(?i:a)',
        '(?P<n>a)',
        '\\p{L}',
        '[[:alpha:]]',
        '\\Qa.b\\E',
        '\\Aa',
        '\\B',
        '\\pL+',
        '(?s:.)',
      ],
    ],
  ]
  it.each(engines)('%s', async (engine, patterns) => {
    for (const pattern of patterns) expect((await compilePattern(pattern)).engine, pattern).toBe(engine)
  })

  it('is native with multiline only if nothing needs rewriting', async () => {
    const engine = async (pattern: string): Promise<string> => (await compilePattern(pattern, { multiline: true })).engine
    expect(await engine('a\nb')).toBe('literal')
    expect(await engine('import\\s*\\{\\s*a')).toBe('native')
    // Each line is a start, from which the pattern may read all blank lines below.
    expect(await engine('^\\s*foo')).toBe('re2')
    expect(await engine('\\{[^}]*\\}')).toBe('re2')
  })

  it('literal patterns match verbatim', async () => {
    for (const pattern of ['a.b', '(', '[x', 'a|b', '\\d', '$^', '\\']) {
      const matcher = await compilePattern(pattern, { literal: true })
      expect(matcher.engine).toBe('literal')
      expect(grepText(`ab\n-${pattern}-\n`, matcher).matches).toMatchObject([{ line: 2, column: 2 }])
    }
    expect(await columns('É.', 'é-\nÉ.é\n', { literal: true, ignoreCase: true })).toEqual(['2:1'])
    expect(await columns('Foo(', 'FOO(\nfoo)\n', { literal: true, ignoreCase: true })).toEqual(['1:1'])
  })

  it('the literal that every match contains is derived', async () => {
    const required = async (pattern: string, options?: PatternOptions): Promise<string | undefined> =>
      (await compilePattern(pattern, options)).required
    expect(await required('foo\\w+barbaz')).toBe('barbaz')
    expect(await required('ab+c')).toBe('ab')
    expect(await required('a{0}bc?d')).toBe('b')
    expect(await required('foo|bar')).toBeUndefined()
    expect(await required('Foo-1', { ignoreCase: true })).toBe('-1')
    expect(await required('(?:foo)+x')).toBe('x')
    expect(await required('(?i)foo')).toBeUndefined()
  })
})

describe('unsupported patterns', () => {
  const cases: [pattern: string, options: PatternOptions, reason: RegExp][] = [
    ['a(?=b)', {}, /look-ahead "\(\?=" is not supported.*lines before and after/],
    ['a(?!b)', {}, /negative look-ahead/],
    ['(?<=a)b', {}, /look-behind "\(\?<="/],
    ['(?<!a)b', {}, /negative look-behind/],
    ['(a)\\1', {}, /back-reference "\\1".*write the repeated text out/],
    ['(?P<x>a)(?P=x)', {}, /back-reference/],
    ['(?<x>a)\\k<x>', {}, /back-reference/],
    ['(', {}, /missing closing \): `\(`:/],
    ['(?m)(', {}, /missing closing \): `\(\?m\)\(`:/],
    ['a)', {}, /unexpected \)/],
    ['[a', {}, /missing closing \]/],
    ['*a', {}, /missing argument/],
    ['a**', {}, /nested repetition/],
    ['a{2}{3}', {}, /nested repetition/],
    ['a{1001}', {}, /repeat count/],
    ['[z-a]', {}, /character class range/],
    ['\\', {}, /trailing backslash/],
    ['\\y', {}, /escape sequence/],
    ['(?>a)', {}, /syntax/],
    ['\\p{Nope}', {}, /character class/],
    ['a\\nb', {}, /set multiline to true/],
    ['a\nb', {}, /set multiline to true/],
    ['a\nb', { literal: true }, /set multiline to true/],
    ...[
      ...['[\\n]x', '[\\r\\n]+x', '[\r\\n]', '[\n]', 'a[\\n\\r]*b', '[\\x0a]', '[\\x{00D}\\012]'],
      ...['\\x0a', '\\x0A', '\\x{a}', '\\x{000A}b', '\\012', '(?m)\\x{a}'],
    ].map((pattern): [string, PatternOptions, RegExp] => [pattern, {}, /contains a line break.*set multiline to true/]),
    ['a'.repeat(4097), {}, /at most 4096/],
    ['(?:(?:\\pL{100}){9}|x)'.repeat(100), {}, /too complex|repeat/],
    ['\\p{L}'.repeat(300), { ignoreCase: true }, /too many Unicode classes/],
    [`(?i)${'[^\\P{Lu}]'.repeat(300)}`, {}, /too many Unicode classes/],
    ['\\p{L}'.repeat(500), {}, /too many Unicode classes/],
    ['[k-\\x{1ffff}]'.repeat(100), { ignoreCase: true }, /long case-insensitive ranges/],
    [`(?i)${'[k-\u{1ffff}]'.repeat(10)}`, {}, /long case-insensitive ranges/],
  ]
  it.each(cases)('%j', async (pattern, options, reason) => {
    await expect(compilePattern(pattern, options)).rejects.toMatchObject({
      name: 'InputError',
      code: 'invalid_input',
      message: expect.stringMatching(reason),
      issues: [{ path: 'pattern' }],
    })
  })

  it('escaped, quoted and bracketed syntax is not mistaken for unsupported syntax', async () => {
    expect(await columns('\\(\\?=', 'x(?=\n')).toEqual(['1:2'])
    expect(await columns('[(?=]+$', 'a(?=\n')).toEqual(['1:2'])
    expect(await columns('\\\\1', 'a\\1\n')).toEqual(['1:2'])
    expect(await columns('[](?!]', 'a!\n')).toEqual(['1:2'])
    expect(await columns('\\Q(?=\\1\\E', 'a(?=\\1\n')).toEqual(['1:2'])
    expect(await columns('\\\\n', 'a\\n\n')).toEqual(['1:2'])
    expect(await columns('\\\\x0a', 'a\\x0a\n')).toEqual(['1:2'])
    expect(await columns('\\[\\r\\]', 'a[\r]\n')).toEqual(['1:2'])
    for (const either of ['[\\s\\S]$', '[^b]$', '[a\\n]$', '[^\\n]$', '[\\na]$', '[\\x0aa]$'])
      expect(await columns(either, 'a\n')).toEqual(['1:1'])
  })
})

describe('every engine has the RE2 dialect', () => {
  const cases: [pattern: string, text: string, places: string[], options?: PatternOptions][] = [
    ['\\w+', 'é a\n', ['1:4']],
    ['\\sx', '\u00a0x\n x\n\u2003x\n', ['2:1']],
    ['a.b', 'a\u2028b\na\rb\na\nb\n', ['1:1', '2:1']],
    ['^b', 'a\u2028b\nb\n', ['2:1']],
    ['a$', 'a\u2029\na\n', ['2:1']],
    ['\\bé', 'aé é\n', ['1:2']],
    ['k', 'K \u212a\n', ['1:1'], { ignoreCase: true }],
    ['s$', '\u017f\n', ['1:1'], { ignoreCase: true }],
    ['[^k]', 'K\u212ak\nx\n', ['2:1'], { ignoreCase: true }],
    ['STRASSE', 'straße\nstrasse\n', ['2:1'], { ignoreCase: true }],
    ['\\x{1F600}', 'a😀\n', ['1:2']],
    ['^.$', '😀\nab\n', ['1:1']],
    ['^[^a]{2}$', '😀😀\n😀\n', ['1:1']],
    ['[\\w-]+=', '--a=\n', ['1:1']],
    ['[]x]', 'a]\n', ['1:2']],
    ['a{,2}', 'aa\na{,2}\n', ['2:1']],
    ['x{', 'x{\n', ['1:1']],
    ['[^\\n]x', 'ax\nx\n', ['1:1']],
    ['"[^"\\n]*"', '"a\n"b"\n', ['2:1']],
    ['a[\\n,]', 'a\na,\n', ['2:1']],
  ]
  it.each(cases)('%j', async (pattern, text, places, options) => {
    expect(await columns(pattern, text, options)).toEqual(places)
    // A group with a flag that has no effect is outside the native subset, so this pattern runs in re2js.
    const other = await compilePattern(`(?U:)(?:${pattern})`, options)
    expect(other.engine).toBe('re2')
    expect(grepText(text, other).matches.map(({ line, column }) => `${line}:${column}`)).toEqual(places)
  })
})

describe('hostile patterns', () => {
  const code = '  const value = compute(alpha, beta) // something about "things" <here> = 12345\n'
  const texts: [name: string, text: string][] = [
    ['100 KB of spaces', `${' '.repeat(100_000)}x`],
    ['100 KB of one letter', `${'a'.repeat(100_000)}!`],
    ['x and =', `${'x='.repeat(50_000)}!`],
    ['many lines', code.repeat(13_000)],
    ['short lines of two letters', `${'ab'.repeat(60)}\n`.repeat(4000)],
    ['one long line', code.replaceAll('\n', ' ').repeat(6000)],
    ['quotes', '"'.repeat(50_000)],
  ]
  const patterns = ['(a+)+$', '(a|a)*b', '(.*)*x9', '.*.*.*=.*q', '(x+x+)+y', '\\s+$', 'a*b', 'a*a*a*a*c', '(?:a|b|ab)*c', '(a?){20}a{20}z', '(a?){200}a{200}', '.*[ab].{20}c$', '([a-z]+)*[0-9]q', '"[^"]*q', '<[^>]+q', '(\\w+\\s+)+=q', '.{0,60}zq', '(?i)(alpha|beta)+\\W+zeta', '\\p{L}+\\d\\p{L}'] // biome-ignore format: one list

  it.each(patterns)('%s is searched to the end in steps', async (pattern) => {
    const matcher = await compilePattern(pattern)
    for (const [name, text] of texts) {
      const search = createGrep(text, matcher, { limit: 250 })
      let steps = 1
      while (!search.step()) steps++
      // The bench measures how long a step takes. A search that backtracks would not end here.
      expect(steps, name).toBeLessThan(20_000)
    }
  })

  // The duration of a step depends on the characters times the program's instructions.
  it.each([
    ['(?:.*a){12}', 38],
    ['(?i)a{100}', 102],
    ['^(?:\\w+\\s?)*$', 10],
    ['(?:\\pL|b){40}', 40],
    // Each character creates a new state of the automaton.
    ['(?:a|b)*a(?:a|b){18}c', 24],
  ])('%s is searched in pieces of a suitable size', async (pattern, size) => {
    for (const multiline of [false, true]) {
      const { engine, slice, longestLine, reach } = await compilePattern(`${pattern}|\\pN`, { multiline })
      expect(engine).toBe('re2')
      expect(slice * size).toBeLessThan(400_000)
      expect(longestLine * size).toBeLessThan(800_000)
      if (multiline) expect(reach * size).toBeLessThan(1_000_000)
      else if (size > 12) expect(slice).toBeLessThanOrEqual(2500)
    }
  })

  it('a native pattern with a long reach gets shorter pieces', async () => {
    const far = await compilePattern('a[ab]{200}c')
    const near = await compilePattern('a[ab]c')
    expect([far.engine, near.engine]).toEqual(['native', 'native'])
    expect(far.slice * 10).toBeLessThan(near.slice)
    expect(far.longestLine * 10).toBeLessThan(near.longestLine)
  })

  it('expensive searches share a step with few others', async () => {
    const search = createGrep('a'.repeat(10_000), await compilePattern('(?s)a(?:.*zz)?', { multiline: true }), { mode: 'count' })
    search.step()
    expect(search.count).toBeLessThan(20)
  })

  it.each([
    [`(?i)${'a'.repeat(1000)}`],
    ['(?:.*a){12}'],
    ['((a{1,10}){1,10}){1,10}'],
    ['^(\\w+\\s?)*$'],
    ['(?:a|b)*a(?:a|b){18}c|\\pN'],
    ['\\w{1,300}$'],
  ])('%.30s is searched across lines to the end in steps', async (pattern) => {
    const matcher = await compilePattern(pattern, { multiline: true }).catch((error: unknown) => {
      expect(error).toMatchObject({ name: 'InputError', message: expect.stringContaining('too complex') })
    })
    if (!matcher) return
    for (const length of [80, matcher.longestLine - 1, Math.max(matcher.longestLine + 1, rounds(1 << 20))]) {
      const search = createGrep(`${'a'.repeat(length)}\n`.repeat(Math.ceil(rounds(200_000) / length)), matcher, { mode: 'count' })
      let steps = 1
      while (!search.step()) steps++
      expect(steps, `${length}`).toBeLessThan(20_000)
    }
  })

  it('the largest patterns are compiled or rejected', async () => {
    for (const pattern of [
      '(a{1,100}){1,9}'.repeat(20),
      `${'('.repeat(900)}a${')'.repeat(900)}`,
      'a?'.repeat(2000),
      '[a-z]{1,1000}',
      '(?:\\pL{1,1000}|\\pN{1,1000})'.repeat(100),
      `${'a|'.repeat(2000)}b`,
    ]) {
      await compilePattern(pattern).catch((error: unknown) => expect(error).toMatchObject({ name: 'InputError' }))
    }
  })
})
