// @module-tag grep
import { describe, expect, it } from 'vitest'
import fc from '../fast-check.js'
import { isInstalled, Trees } from './programs.js'

const ROUNDS = 300

describe.skipIf(!isInstalled('rg'))('like ripgrep', () => {
  const trees = new Trees()
  const text = fc
    .array(
      fc.constantFrom('foo', 'bar', 'foo bar', 'Foo', '', ' ', '\tfoo', 'a.b', 'é foo', '日本 foo', 'x'.repeat(300), 'foo\r', '(foo)'),
      {
        maxLength: 12,
      },
    )
    .chain((lines) => fc.constantFrom('', '\n').map((end) => (lines.join('\n') + end).replace(/\r$/, '')))
  const files = fc.dictionary(
    fc.constantFrom('a.txt', 'b.ts', 'dir/c.ts', 'dir/d e.md', '.hidden/f.ts', 'dir/.g.ts', 'dir/sub/h.txt'),
    text,
    {
      minKeys: 1,
    },
  )
  const pattern = fc.constantFrom(
    'foo',
    'foo|bar',
    '^foo',
    'foo$',
    'o{2}',
    '\\bfoo\\b',
    'a.b',
    '^$',
    'f.o',
    '(foo) bar',
    '[^a-z ]',
    'é',
    '^\\s+foo',
    'foo\\nbar',
    'bar\\n\\s*',
    '(?i)FOO',
    'fo+',
  )
  const options = fc
    .record({
      literal: fc.boolean(),
      ignore_case: fc.boolean(),
      hidden: fc.boolean(),
      glob: fc.constantFrom(undefined, '*.ts', '**/*.ts', 'dir/**', '!*.md', '{a,b}.*'),
    })
    // In ripgrep, a glob also shows hidden files.
    .map((given) => ({ ...given, hidden: given.hidden || given.glob !== undefined }))

  it('grep finds the same lines', { timeout: 900_000 }, async () => {
    const property = fc.asyncProperty(files, pattern, options, async (tree, pattern, { literal, ignore_case, hidden, glob }) => {
      const multiline = !literal && pattern.includes('\\n')
      const { run } = trees.write(tree)
      const flags = [
        ...(literal ? ['-F'] : []),
        ...(ignore_case ? ['-i'] : []),
        ...(hidden ? ['--hidden'] : []),
        ...(multiline ? ['-U'] : []),
        ...(glob === undefined ? [] : ['-g', glob.startsWith('dir/') || glob.startsWith('{') ? `/${glob}` : glob]),
      ]
      // In our grep, a line break in a pattern matches any kind of line break in a file.
      const expected = ripgrep([...flags, '--crlf', '-e', literal ? pattern : pattern.replaceAll('\\n', '\\r?\\n')])
      const result = await run('grep', {
        pattern,
        literal,
        ignore_case,
        hidden,
        ...(multiline && { multiline }),
        ...(glob !== undefined && { glob }),
        limit: 5000,
      })
      if (!result.ok) throw new Error(JSON.stringify(result))
      const { matches } = result.output as unknown as { readonly matches: readonly { readonly path: string; readonly line: number }[] }
      const found = matches.map(({ path, line }) => `${path.slice('/workspace/'.length)}:${line}`)
      expect([...new Set(found)].sort(), JSON.stringify({ tree, pattern, literal, ignore_case, hidden, glob })).toEqual(expected)
    })
    await fc.assert(property, { numRuns: ROUNDS })
  })

  /** `path:line` of the line where each match begins. */
  function ripgrep(flags: readonly string[]): string[] {
    try {
      const lines = trees
        .run('rg', ['--json', '--no-config', '--no-ignore', ...flags, '.'])
        .split('\n')
        .filter(Boolean)
      const matches = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'match')
      const places = matches.flatMap(({ data }) => {
        const lineOf = (start: number): number =>
          data.line_number +
          Buffer.from(data.lines.text)
            .subarray(0, start)
            .filter((byte) => byte === 10).length
        return (data.submatches as { readonly start: number }[]).map(({ start }) => `${data.path.text.replace('./', '')}:${lineOf(start)}`)
      })
      return [...new Set(places)].sort()
    } catch (error) {
      if ((error as { status?: number }).status === 1) return []
      throw error
    }
  }
})
