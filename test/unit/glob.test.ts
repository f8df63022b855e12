// @module-tag list-glob
import { minimatch } from 'minimatch'
import { describe, expect, it } from 'vitest'
import { compileGlob } from '../../src/ops/glob.js'
import type { FileKind } from '../../src/types/fs.js'
import fc, { rounds } from '../fast-check.js'

const matches = (pattern: string | readonly string[], path: string): boolean => compileGlob(pattern).matches(path)

describe('syntax', () => {
  const cases: [pattern: string, yes: string[], no: string[]][] = [
    ['*.ts', ['a.ts', '.ts', '.a.ts'], ['src/a.ts', 'a.tsx', 'ats']],
    ['**/*.ts', ['a.ts', 'src/a.ts', 'a/b/.c/d.ts'], ['a.js', 'a.ts/b']],
    ['./src/*.ts', ['src/a.ts'], ['a.ts', 'src/b/a.ts']],
    ['/src//a.ts', ['src/a.ts'], ['a.ts']],
    ['src/**', ['src/a', 'src/a/b'], ['src', 'srcs/a']],
    ['src/**/test/*', ['src/test/a', 'src/x/y/test/a'], ['src/test', 'test/a', 'src/test/x/a']],
    ['**/**/a', ['a', 'x/a', 'x/y/a'], ['xa']],
    ['a**b', ['ab', 'axxb'], ['a/b']],
    ['file?.md', ['file1.md', 'file😀.md', 'file\n.md'], ['file.md', 'file12.md']],
    ['[a-c]x', ['ax', 'cx'], ['dx', 'abx', '-x']],
    ['[!a-c]x', ['dx', '-x'], ['ax', 'x']],
    ['[^a]', ['b'], ['a']],
    ['[]a]', [']', 'a'], ['b']],
    ['[a-]', ['a', '-'], ['b']],
    ['[c-a]', [], ['a', 'b', 'c']],
    ['[[:digit:][:upper:]_]', ['1', 'Z', '_'], ['a', ':']],
    ['[a', ['[a'], ['a']],
    ['\\*.ts', ['*.ts'], ['a.ts']],
    ['\\[a\\]', ['[a]'], ['a']],
    ['{a,b}.{js,ts}', ['a.js', 'b.ts'], ['c.js', 'a.md']],
    ['{src,test/unit}/*.ts', ['src/a.ts', 'test/unit/a.ts'], ['test/a.ts']],
    ['v{1..3}', ['v1', 'v3'], ['v4', 'v']],
    ['a{b}', ['a{b}'], ['ab']],
    ['?(a|b)c', ['c', 'ac', 'bc'], ['abc']],
    ['*(ab|c)', ['ab', 'cab', 'ccc'], ['a', 'abx']],
    ['+(ab|c)d', ['abd', 'cccd'], ['d', 'ad']],
    ['@(a|b*)', ['a', 'b', 'bxx'], ['ab', 'c']],
    ['!(a|b).ts', ['c.ts', 'ab.ts', '.ts'], ['a.ts', 'b.ts', 'c.js']],
    ['*.!(js|*.map)', ['a.ts'], ['a.js', 'noext']],
    ['@(a|+(b|?(c)d))e', ['ae', 'bbe', 'bde', 'cddbe'], ['ce', 'e']],
    ['*(a', ['x(a', '(a'], ['a']],
    ['foo(1).txt', ['foo(1).txt'], ['foo1.txt']],
    ['.*', ['.env', '.'], ['env']],
    ['ÄÖ*', ['ÄÖx'], ['äöx']],
  ]
  it.each(cases)('%s', (pattern, yes, no) => {
    const glob = compileGlob(pattern)
    for (const path of yes.filter((path) => path !== '.')) expect(glob.matches(path), path).toBe(true)
    for (const path of no) expect(glob.matches(path), path).toBe(false)
  })

  it('asks for a directory with a slash at the end', () => {
    const glob = compileGlob(['build/', '**/tmp/'])
    const inside = glob.enter(glob.start, 'x')
    expect(glob.accept(glob.start, 'build', 'dir')).toBe(true)
    expect(glob.accept(glob.start, 'build', 'file')).toBe(false)
    expect(inside && glob.accept(inside, 'tmp', 'dir')).toBe(true)
    expect(inside && glob.accept(inside, 'tmp', 'symlink')).toBe(false)
    expect([glob.matches('build'), glob.matches('build/'), glob.matches('a/b/tmp/')]).toEqual([false, true, true])
    expect(compileGlob('**/').matches('a/b/')).toBe(true)
    expect(compileGlob('**/').matches('a/b')).toBe(false)
  })

  it('takes one kind only when asked to', () => {
    const kinds: FileKind[] = ['file', 'dir', 'symlink']
    for (const kind of kinds) {
      const glob = compileGlob('*', { kind })
      expect(kinds.filter((each) => glob.accept(glob.start, 'a', each))).toEqual([kind])
    }
    expect(compileGlob('src', { kind: 'dir' }).matches('src')).toBe(true)
    expect(compileGlob('src', { kind: 'file' }).matches('src/')).toBe(false)
  })
})

describe('lists', () => {
  it('matches what any entry matches', () => {
    expect(['a.ts', 'b.md', 'c.js'].map((path) => matches(['*.ts', '*.md'], path))).toEqual([true, true, false])
  })

  it('excludes with "!" wherever it stands, with everything below', () => {
    for (const list of [
      ['**/*.js', '!**/vendor', '!**/*.min.js'],
      ['!**/vendor', '!**/*.min.js', '**/*.js'],
    ]) {
      const glob = compileGlob(list)
      expect(['a.js', 'lib/a.min.js', 'vendor/a.js', 'lib/vendor/x/a.js'].map(glob.matches)).toEqual([true, false, false, false])
      expect(glob.enter(glob.start, 'vendor')).toBeUndefined()
      expect(glob.enter(glob.start, 'lib')).toBeDefined()
    }
  })

  it('does not enter what an exclusion covers', () => {
    const glob = compileGlob(['**', '!out/**'])
    expect(glob.matches('out')).toBe(true)
    expect(glob.enter(glob.start, 'out')).toBeUndefined()
    const dirs = compileGlob(['**', '!out/'])
    expect(dirs.accept(dirs.start, 'out', 'file')).toBe(true)
    expect(dirs.accept(dirs.start, 'out', 'dir')).toBe(false)
    expect(dirs.enter(dirs.start, 'out')).toBeUndefined()
  })

  it('leaves everything else where there are exclusions only', () => {
    expect(['a.md', 'a.ts', 'x/a.md', 'x/a.ts'].map((path) => matches('!**/*.md', path))).toEqual([false, true, false, true])
    expect(matches('!(a|b)', 'c')).toBe(true)
    expect(matches('!(a|b)', 'a')).toBe(false)
  })
})

describe('pruning', () => {
  const enters = (pattern: string | readonly string[], ...names: string[]): boolean => {
    const glob = compileGlob(pattern)
    let state: typeof glob.start | undefined = glob.start
    for (const name of names) state = state && glob.enter(state, name)
    return state !== undefined
  }

  it('enters only where something can match', () => {
    expect(enters('src/**/*.ts', 'docs')).toBe(false)
    expect(enters('src/**/*.ts', 'src', 'a', 'b')).toBe(true)
    expect(enters('*.ts', 'src')).toBe(false)
    expect(enters('*/a.ts', 'src')).toBe(true)
    expect(enters('*/a.ts', 'src', 'x')).toBe(false)
    expect(enters('{a,b}/c/*', 'b', 'c')).toBe(true)
    expect(enters('{a,b}/c/*', 'b', 'd')).toBe(false)
    expect(enters(['docs/**', 'src/*.ts'], 'docs', 'x')).toBe(true)
  })

  it('uses the same state for directories that are alike', () => {
    const glob = compileGlob('**/*.ts')
    const one = glob.enter(glob.start, 'a')
    expect(one).toBeDefined()
    expect(glob.enter(glob.start, 'b')).toBe(one)
    expect(one && glob.enter(one, 'c')).toBe(one)
  })
})

describe('refusals', () => {
  const cases: [pattern: string | string[], reason: RegExp][] = [
    ['', /empty/],
    ['!', /empty/],
    ['/', /start directory/],
    ['./', /start directory/],
    ['.', /start directory/],
    [[], /empty list/],
    ['../*.ts', /"\.\."/],
    ['a/../b', /"\.\."/],
    ['{a,..}/b', /"\.\."/],
    ['\\.\\./b', /"\.\."/],
    ['a\0b', /NUL/],
    ['a'.repeat(4097), /4096/],
    ['{1..1001}', /more than 1000/],
    ['{a,b}'.repeat(800), /more than 1000/],
    [['{1..600}', '{1..600}'], /more than 1000/],
    ['a\\', /backslash/],
    ['@(a/b|c)', /cannot hold/],
    ['+(a|!(b))', /inside another group/],
  ]
  it.each(cases)('%j', (pattern, reason) => {
    expect(() => compileGlob(pattern)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'invalid_input', message: expect.stringMatching(reason) }),
    )
    expect(() => compileGlob(pattern)).toThrow(expect.objectContaining({ issues: [expect.objectContaining({ path: 'pattern' })] }))
  })

  it('takes 1,000 alternatives', () => {
    expect(matches('f{1..1000}', 'f1000')).toBe(true)
  })
})

describe('hostile patterns', () => {
  const cases: [pattern: string, name: string][] = [
    ['*a*b'.repeat(6), 'ab'.repeat(127)],
    [`${'*a'.repeat(12)}*b`, 'a'.repeat(255)],
    ['+(+(+(a)))b', 'a'.repeat(255)],
    ['*(a|*(a|*(a)))b', 'a'.repeat(255)],
    ['+(a|aa|aaa)+(a|aa)c', 'a'.repeat(255)],
    ['!(a)!(b)!(c)!(a*)!(b)d', 'a'.repeat(255)],
    [`${'?(a)'.repeat(100)}${'a'.repeat(100)}b`, 'a'.repeat(255)],
  ]
  it.each(cases)('%s comes to an end', (pattern, name) => {
    const glob = compileGlob(pattern)
    // A matcher that backtracks does not come back from the first.
    expect(typeof glob.matches(name)).toBe('boolean')
  })

  it('compiles nested braces or refuses them', () => {
    compileGlob(`${'{'.repeat(400)}a,b${'}'.repeat(400)}`)
    compileGlob('{'.repeat(4000))
    compileGlob('('.repeat(4000))
    compileGlob('@('.repeat(1000))
  })
})

/** The same meaning without states: a pattern and a path as lists, one regular expression a component. */
function naive(pattern: readonly string[], path: readonly string[]): boolean {
  const [head, ...rest] = pattern
  if (head === undefined) return path.length === 0
  if (head === '**') {
    if (rest.length === 0) return path.length > 0
    return path.some((_, i) => naive(rest, path.slice(i)))
  }
  const [name, ...below] = path
  if (name === undefined) return false
  const source = head
    .replaceAll(/[.+^$(){}|\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
    .replaceAll('[!', '[^')
  return new RegExp(`^${source}$`, 'su').test(name) && naive(rest, below)
}

const component = fc.oneof(
  { weight: 2, arbitrary: fc.constant('**') },
  {
    weight: 5,
    arbitrary: fc
      .array(fc.constantFrom('a', 'b', '.', 'c', '*', '?', '[ab]', '[!a]'), { minLength: 1, maxLength: 5 })
      .map((all) => all.join('')),
  },
)
const name = fc
  .array(fc.constantFrom('a', 'b', 'c', '.', 'x'), { minLength: 1, maxLength: 5 })
  .map((all) => all.join(''))
  .filter((each) => !/^\.{1,2}$/.test(each))
const path = fc.array(name, { minLength: 1, maxLength: 5 })
const usable = (components: readonly string[]): boolean => components.every((each) => each !== '.' && each !== '..')
const pattern = fc.array(component, { minLength: 1, maxLength: 5 }).filter(usable)

describe('properties', () => {
  it('agrees with a naive matcher', () => {
    let hits = 0
    fc.assert(
      fc.property(pattern, fc.array(path, { minLength: 1, maxLength: 10 }), (components, paths) => {
        const glob = compileGlob(components.join('/'))
        for (const each of paths) {
          const expected = naive(components, each)
          if (expected) hits++
          expect(glob.matches(each.join('/'))).toBe(expected)
        }
      }),
      { numRuns: rounds(3000) },
    )
    expect(hits).toBeGreaterThan(rounds(500))
  })

  it('agrees with minimatch on what both know', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      'c',
      '.',
      '*',
      '?',
      '[ab]',
      '[!a]',
      '[a-c]',
      '{a,b}',
      '{a,bc}',
      '{1..2}',
      '?(a|b)',
      '*(a|bc)',
      '+(a|b)',
      '@(ab|c*)',
      '\\*',
      '\\a',
      'x',
    )
    const whole = fc.constantFrom('**', '!(a|b)', '!(a*)', '!(ab)x', '*')
    const globs = fc
      .array(
        fc.oneof(
          { weight: 3, arbitrary: fc.array(part, { minLength: 1, maxLength: 4 }).map((all) => all.join('')) },
          { weight: 2, arbitrary: whole },
        ),
        { minLength: 1, maxLength: 4 },
      )
      .filter(usable)
    fc.assert(
      fc.property(globs, fc.array(path, { minLength: 1, maxLength: 10 }), (components, paths) => {
        const source = components.join('/')
        const glob = compileGlob(source)
        for (const each of paths)
          expect(glob.matches(each.join('/')), `${source} on ${each.join('/')}`).toBe(
            minimatch(each.join('/'), source, { dot: true, nonegate: true, nocomment: true }),
          )
      }),
      { numRuns: rounds(3000) },
    )
  })

  it('never prunes what a later name would let match', () => {
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 3 }), path, (patterns, each) => {
        const glob = compileGlob(patterns.map((components) => components.join('/')))
        expect(glob.matches(each.join('/'))).toBe(patterns.some((components) => naive(components, each)))
      }),
      { numRuns: rounds(1000) },
    )
  })
})
