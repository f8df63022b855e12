// @module-tag runtime
import { expect, it } from 'vitest'
import { boundPattern } from '../../src/core/bounded-pattern.js'
import { everySchema } from '../../src/core/registry.js'
import { createValidator as validatorOf } from '../../src/core/schema.js'
import type { SchemaLike } from '../../src/types/tool.js'

const createValidator = (schema: SchemaLike) => validatorOf(schema, everySchema)

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

it.each(PATTERNS)('%s matches the same texts as in JavaScript', (source) => {
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

it('rejects texts that are too long for a pattern, also for a negated one', async () => {
  const cases: readonly (readonly [pattern: string, fits: string, long: string])[] = [
    ['a.*b.*c\\1?(x)', 'abcx', 'x'.repeat(1000)],
    ['(?:b|(?=a)a)+$', 'ab', 'ab'.repeat(20)],
    [`x(?=y)${'\\d?'.repeat(30)}-$`, 'xy', '7'.repeat(30)],
    ['^(\\d*)\\1$', '11', '1'.repeat(3000)],
    ['^(?:e+v+)+il', 'evil', 'ev'.repeat(150_000)],
  ]
  for (const [pattern, text, long] of cases) {
    expect(await issuesOf({ not: { pattern: 'nothing' } }, text), pattern).toEqual([])
    expect(await issuesOf({ pattern }, long), pattern).toContain(
      `v: is too long to check against the pattern /${pattern}/: send a shorter text`,
    )
    for (const hidden of [{ not: { pattern } }, { if: { pattern }, else: { minLength: 1 } }])
      expect(await issuesOf(hidden, long), pattern).toEqual([expect.stringContaining('too long'), expect.stringContaining('too long')])
  }
})

it('bounds patterns behind references, and all patterns of one input together', async () => {
  const evil = { type: 'string', pattern: '^(a+)+$' }
  const text = `${'a'.repeat(40)}!`
  const schemas = [
    { $ref: '#/x-defs/E', 'x-defs': { E: evil } },
    { $ref: '#/components/schemas/E', components: { schemas: { E: evil } } },
    { type: 'array', items: [], additionalItems: evil },
  ]
  for (const schema of schemas) {
    const validator = createValidator({
      type: 'object',
      properties: { v: { $ref: '#/x' } },
      x: schema,
      'x-defs': { E: evil },
      components: { schemas: { E: evil } },
    })
    const found = await validator.validate({ v: text })
    expect(found.ok).toBe(false)
  }
  const many = createValidator({ type: 'object', properties: { v: { type: 'array', items: { pattern: '^(?:[a-z]+\\s*)+$' } } } })
  expect(await many.validate({ v: ['a b', 'c'] })).toMatchObject({ ok: true })
  expect(await many.validate({ v: Array.from({ length: 200 }, () => 'a'.repeat(30_000)) })).toMatchObject({ ok: false })
})

/** Patterns as tools really use them. */
it.each([
  ['^(?=.*[A-Z])(?=.*[a-z])(?=.*\\d).{8,128}$', 'Correct-Horse-Battery-Staple-1', 'no capitals 1'],
  [
    "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
    'a.long.name+tag@mail.example.org',
    'a..b@c.de',
  ],
  [
    '^(?=.{1,253}\\.?$)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[-0-9a-zA-Z]{0,61}[0-9a-zA-Z])?)*\\.?$',
    'host.example.org',
    '-host',
  ],
  ['^[a-z\\d](?:[a-z\\d]|-(?=[a-z\\d])){0,38}$', 'some-user-name', 'bad-'],
  ['^(?!.*\\.\\.)(?!/).*$', `src/${'deep/'.repeat(60)}file.ts`, '/src'],
  ['^(?!\\s*$).+', `not blank ${'x'.repeat(5000)}`, '   '],
  ['^(?!(?:CON|PRN|AUX|NUL|COM[1-9]|LPT[1-9])(?:\\.|$))[^<>:"/\\\\|?*]+$', 'report.txt', 'CON.txt'],
  ['^(?![\\s\\S]*\\b(?:drop|delete|update)\\b)[\\s\\S]{1,2000}$', 'select a from b where c = 1', 'drop table a'],
])('%s accepts usual values', async (pattern, good, bad) => {
  expect(await issuesOf({ pattern }, good)).toEqual([])
  expect(await issuesOf({ pattern }, bad)).toHaveLength(2)
})
