// @module-tag runtime
import { expect, it } from 'vitest'
import { boundPattern } from '../../src/core/bounded-pattern.js'
import { createValidator } from '../../src/core/schema.js'

const PATTERNS = [
  ...['^[a-z]+(-[a-z]+)*$', '(a+)+$', '^(?:a|a)*b', '^\\s*(\\S+\\s?)+$', '^.{1,64}$', '^(?<year>\\d{4})-(?<day>\\d+)+$', '(x[\\s,]+)+y'],
  ...[
    '^(\\u00e9|\\u{1F600}|\\ud83d\\ude01)+$',
    '^(\\p{L}+ ?)+$',
    '^(\\p{Script=Greek}+)+$',
    '([.^$\\]\\\\[]+)+!',
    '^([\\b\\cA\\0]+)+$',
    '([\\/\\-])+=[^]',
  ],
  ...['^(?!-)[a-z-]+$', '(a)\\1', '(?<=a)b+', '^(a|b|)+$', '^(\\w+\\.)+\\w+$', '(^a|b$)+', '^(?:.|x)+$', '\\Bx(y+)+', '[^\\d]([^a-c]+)+z'],
]
const TEXTS = [
  ...[
    '',
    'a',
    'aaa',
    'aab',
    'abc',
    'a-b-c',
    'a-',
    '-a',
    'x y',
    'x, ,y',
    'a b\u00a0c',
    '2024-12',
    '.^$!',
    '[\\]!',
    '\b\u0001\0',
    '/-=x',
    'aa',
    'ab',
  ],
  ...[
    '\u00e9',
    '\u{1F600}\u{1F601}',
    '\u{1F602}',
    'Ab cd',
    'αβγ',
    'a.b.c',
    'a.b.',
    'a\nb',
    'a\u2028b',
    '\n',
    ' \ufeff ',
    'xyy',
    'wxyy',
    'qqz',
    '5z',
  ],
]

it.each(PATTERNS)('%s fits what it fits in JavaScript', (source) => {
  const native = new RegExp(source, 'u')
  const bounded = boundPattern(source)
  expect(TEXTS.map((text) => [text, bounded(text)])).toEqual(TEXTS.map((text) => [text, native.test(text)]))
})

const issuesOf = async (schema: object, value: unknown): Promise<readonly string[]> => {
  const input = {
    type: 'object',
    properties: { v: { $ref: '#/$defs/v' }, format: { anyOf: [schema, { type: 'null' }] } },
    $defs: { v: schema },
  }
  const found = await Promise.all([{ v: value }, { format: value }].map((each) => createValidator(input).validate(each)))
  return found.flatMap((each) => (each.ok ? [] : each.issues.map(({ path, message }) => `${path}: ${message}`)))
}

it.each(['(a+)+$', '^(a|a)*$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(x+x+)+y'])('%s ends on any text', async (pattern) => {
  const text = `${'ax'.repeat(20)}${'a'.repeat(5000)}${'x'.repeat(5000)}!`
  const issue = `expected text that matches /${pattern}/, got ${JSON.stringify(`${text.slice(0, 40)}…`)}`
  expect(await issuesOf({ type: 'string', pattern }, text)).toEqual([`v: ${issue}`, `format: ${issue}`])
  expect(await issuesOf({ type: 'string', pattern, format: 'email', allOf: [{ minLength: 1 }] }, 'a@b.c')).toEqual(
    new RegExp(pattern).test('a@b.c') ? [] : [expect.stringContaining(pattern), expect.stringContaining(pattern)],
  )
})

it('refuses texts that are too long for a pattern, and patterns that nothing bounds', async () => {
  const pattern = '^(?!-).*a.*b.*c$'
  expect(await issuesOf({ pattern }, 'xaxbxc')).toEqual([])
  expect(await issuesOf({ pattern }, 'x'.repeat(1000))).toContain(
    `v: is too long to be compared with the pattern /${pattern}/: send a shorter text`,
  )
  for (const bad of ['^(?=x)(a+)+$', '(a|b)\\1(x*)*', `(?!y)${'(a|a)'.repeat(20)}`]) {
    expect(() => createValidator({ type: 'object', properties: { v: { pattern: bad } } })).toThrow('may take time without end')
  }
})
