// @module-tag list-glob
import { minimatch } from 'minimatch'
import { describe, expect, it } from 'vitest'
import { compileGlob, compileGlobSteps } from '../../src/ops/glob.js'
import type { FileKind } from '../../src/types/fs.js'
import fc, { rounds } from '../fast-check.js'

const matches = (pattern: string | readonly string[], path: string): boolean => compileGlob(pattern).matches(path)

describe('glob syntax', () => {
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
    ['{a,b}.md', ['a.md', 'b.md', '{a,b}.md'], ['{a.md', 'a,b.md']],
    ['app/{slug,id}/p.{ts,js}', ['app/{slug,id}/p.js', 'app/id/p.ts', 'app/{slug,id}/p.{ts,js}'], ['app/slug,id/p.ts']],
    ['**/v{1..3}', ['v1', 'x/v{1..3}'], ['v']],
    ['a,{b,c}', ['a,b', 'a,c'], ['a', 'b']],
    ['a{b}', ['a{b}', 'ab'], ['a{b', 'b']],
    ['*.{ts}', ['a.ts', 'a.{ts}'], ['a.ts}']],
    ['{{a.b}}/x', ['{{a.b}}/x'], ['a.b/x']],
    ['{x{y}}', ['xy', '{x{y}}'], ['x', 'y']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a name as templates have it.
    ['${a}.ts', ['${a}.ts'], ['a.ts']],
    ['a{}b', ['a{}b'], ['ab']],
    ['app/[id]/page.ts', ['app/[id]/page.ts', 'app/i/page.ts'], ['app/id/page.ts']],
    ['**/[[...slug]]', ['a/[[...slug]]'], ['a/slug']],
    ['**/[id]*.{ts,tsx}', ['[id].ts', 'a/[id]-x.tsx', 'd.ts'], ['[id].js', 'x.ts']],
    ['file[1].txt', ['file[1].txt', 'file1.txt'], ['file[1]txt']],
    ['app/(group)/x.ts', ['app/(group)/x.ts'], ['app/group/x.ts']],
    ['@(a|b)/x', ['@(a|b)/x', 'a/x'], ['c/x']],
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

  it('a trailing slash matches directories only', () => {
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

  it('matches only the given kind', () => {
    const kinds: FileKind[] = ['file', 'dir', 'symlink']
    for (const kind of kinds) {
      const glob = compileGlob('*', { kind })
      expect(kinds.filter((each) => glob.accept(glob.start, 'a', each))).toEqual([kind])
    }
    expect(compileGlob('src', { kind: 'dir' }).matches('src')).toBe(true)
    expect(compileGlob('src', { kind: 'file' }).matches('src/')).toBe(false)
  })
})

describe('lists of globs', () => {
  it('match what any entry matches', () => {
    expect(['a.ts', 'b.md', 'c.js'].map((path) => matches(['*.ts', '*.md'], path))).toEqual([true, true, false])
  })

  it('exclude matches of "!" at any position, with everything below', () => {
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

  it('do not enter excluded directories', () => {
    const glob = compileGlob(['**', '!out/**'])
    expect(glob.matches('out')).toBe(true)
    expect(glob.enter(glob.start, 'out')).toBeUndefined()
    const dirs = compileGlob(['**', '!out/'])
    expect(dirs.accept(dirs.start, 'out', 'file')).toBe(true)
    expect(dirs.accept(dirs.start, 'out', 'dir')).toBe(false)
    expect(dirs.enter(dirs.start, 'out')).toBeUndefined()
  })

  it('lists with only exclusions match everything else', () => {
    expect(['a.md', 'a.ts', 'x/a.md', 'x/a.ts'].map((path) => matches('!**/*.md', path))).toEqual([false, true, false, true])
    expect(matches('!(a|b)', 'c')).toBe(true)
    expect(matches('!(a|b)', 'a')).toBe(false)
  })
})

describe('globs that do not match hidden names by default', () => {
  const cases: [pattern: string | string[], yes: string[], no: string[]][] = [
    ['**/*.ts', ['a.ts', 'x/a.ts'], ['.a.ts', '.x/a.ts', 'x/.y/a.ts', '.ts']],
    ['**', ['a', 'a/b'], ['.a', '.a/b', 'a/.b']],
    ['.github/**', ['.github/a', '.github/x/b'], ['.github/.b', '.git/a']],
    ['..env', ['..env'], ['.env']],
    [['**/*.ts', '!**/.git2/**'], ['a.ts'], ['.x/a.ts', '.git2/a.ts']],
    [['*.ts', '!.env'], ['a.ts'], ['.a.ts', '.env']],
    ['!**/*.md', ['a.ts'], ['.env', 'a.md']],
    ['{.env,*.b}', ['.env', 'x.b'], ['.x.b', '.b']],
    ['*.@(env|b)', ['a.env'], ['.env', '.b']],
    ['@(.env|*b)', ['.env', 'ab'], ['.zb', '.b']],
    ['?(a).b', ['a.b', '.b'], ['.a.b']],
    ['!(a).ts', ['b.ts'], ['.ts', '.b.ts']],
    [
      ['.env', '.x/*', 'env', 'a', '!*env'],
      ['a', '.x/y'],
      ['.env', 'env'],
    ],
    [['.x/*', 'a', '!?x'], ['a'], ['.x/y']],
    ['[.]env', ['[.]env'], ['.env']],
    ['?env', ['aenv'], ['.env']],
    ['**/.*/x', ['.a/x', 'b/.a/x'], ['a/x', '.b/.a/.c/x']],
  ]
  it.each(cases)('%j', (pattern, yes, no) => {
    const { matches } = compileGlob(pattern, { dots: false })
    expect([yes.filter((path) => !matches(path)), no.filter(matches)]).toEqual([[], []])
  })
})

describe('globs written by models', () => {
  const root = '/workspace'
  const cases: [pattern: string | string[], start: string, yes: string[], no: string[]][] = [
    ['/workspace/src/**/*.ts', '', ['src/a.ts', 'src/b/a.ts'], ['a.ts']],
    ['/workspace/src/**/*.ts', '/src', ['a.ts', 'b/a.ts'], ['src/a.md']],
    ['/workspace/**/*.ts', '/src', ['a.ts'], ['a.md']],
    ['/work*/src/*.ts', '', ['src/a.ts'], ['a.ts']],
    ['{/workspace/src,lib}/*.ts', '', ['src/a.ts', 'lib/a.ts'], ['a.ts']],
    ['{,src}/a.ts', '', ['a.ts', 'src/a.ts'], ['b/a.ts']],
    [['*.ts', '!/workspace/src/a.ts'], '/src', ['b.ts'], ['a.ts']],
    ['/workspace/.github/*', '/.github', ['a.yml'], ['.b']],
    ['**/*.ts, **/*.tsx', '', ['a.ts', 'x/b.tsx'], ['a.js']],
    ['src/foo bar.ts', '', ['src/foo bar.ts'], ['bar.ts', 'src/foo']],
    ["docs/it's.md", '', ["docs/it's.md"], ['s.md']],
    [' "*.ts" ', '', ['a.ts', ' "b.ts" '], ['a.js']],
    ['*.ts|*.md', '', ['a.ts', 'a.md'], ['x/a.ts']],
    ['a.ts,b.ts', '', ['a.ts', 'b.ts', 'a.ts,b.ts'], ['c.ts']],
    ['Doe, J*.pdf', '', ['Doe, Jo.pdf'], ['Jo.pdf', 'Doe']],
    ['{a, b}.ts', '', ['a.ts', ' b.ts'], ['b.ts']],
    ['what\\?.md', '', ['what?.md'], ['whats.md', 'what/s.md']],
    ['star\\*.ts', '', ['star*.ts'], ['stars.ts', 'star/s.ts']],
    ['a\\[1\\].txt', '', ['a[1].txt'], ['a1.txt']],
    [['**', '!star\\*.ts'], '', ['stars.ts'], ['star*.ts']],
  ]
  it.each(cases)('%j below %j', (pattern, start, yes, no) => {
    const { matches } = compileGlob(pattern, { dots: false, base: { root, start: root + start } })
    expect([yes.filter((path) => !matches(path)), no.filter(matches)]).toEqual([[], []])
  })

  it('match names at any depth if requested', () => {
    const { matches } = compileGlob('*.ts, {a,b/c}.md', { base: { root, start: root }, anyDepth: true })
    expect(['x/a.ts', 'x/a.md', 'b/c.md', 'x/b/c.md'].map(matches)).toEqual([true, true, true, false])
  })

  it.each([
    ['/src/*.ts', 'it is outside the workspace "/workspace": write it relative to path, as in "src/*.ts"'],
    ['/workspace', 'it matches nothing below "/workspace/src"'],
    ['/workspace/lib/*.ts', 'it matches nothing below "/workspace/src"'],
    ['!/etc/*', 'it is outside the workspace'],
    ['!~/x/*', '"~" is not expanded'],
    ['!file:///workspace/*', 'URLs are not supported'],
    ['!src\\**\\*.ts', 'use "/" between directories'],
    ['!C:\\src\\*.ts', 'use "/" between directories'],
    ['!C:/src/*.ts', 'drive letters are not supported'],
    ['!$HOME/*.ts', 'variables are not expanded'],
  ])('%s is rejected', (pattern, reason) => {
    expect(() => compileGlob(pattern, { base: { root, start: '/workspace/src' } })).toThrow(reason)
  })
})

describe('directories entered by a glob', () => {
  const enters = (pattern: string | readonly string[], ...names: string[]): boolean => {
    const glob = compileGlob(pattern)
    let state: typeof glob.start | undefined = glob.start
    for (const name of names) state = state && glob.enter(state, name)
    return state !== undefined
  }

  it('are only those where something can match', () => {
    expect(enters('src/**/*.ts', 'docs')).toBe(false)
    expect(enters('src/**/*.ts', 'src', 'a', 'b')).toBe(true)
    expect(enters('*.ts', 'src')).toBe(false)
    expect(enters('*/a.ts', 'src')).toBe(true)
    expect(enters('*/a.ts', 'src', 'x')).toBe(false)
    expect(enters('{a,b}/c/*', 'b', 'c')).toBe(true)
    expect(enters('{a,b}/c/*', 'b', 'd')).toBe(false)
    expect(enters(['docs/**', 'src/*.ts'], 'docs', 'x')).toBe(true)
  })

  it('share state if they are alike', () => {
    const glob = compileGlob('**/*.ts')
    const one = glob.enter(glob.start, 'a')
    expect(one).toBeDefined()
    expect(glob.enter(glob.start, 'b')).toBe(one)
    expect(one && glob.enter(one, 'c')).toBe(one)
  })
})

describe('invalid globs', () => {
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
    ['{a,b}'.repeat(90), /more than 1000/],
    ['{a,b}'.repeat(800), /more than 100 braces/],
    [['{1..600}', '{1..600}'], /more than 1000/],
    [`${'a'.repeat(200)}{1..1000}`, /more than 65536 characters together/],
    ['a'.repeat(1025), /longer than 1024/],
    ['@('.repeat(101), /more than 100 "\("/],
    ['a\\', /backslash/],
    ['{a.ts,src/b.ts', /"\{" is not closed/],
    ['a}.ts', /"\}" has no "\{"/],
    ['{,}', /braces are empty/],
    ['@(a/b|c)', /cannot hold/],
    ['+(a|!(b))', /inside another group/],
    [Array.from({ length: 30 }, (_, i) => `!(${i}a*b*)`), /"!\(\.\.\.\)" groups are too long/],
    [Array.from({ length: 17 }, () => 'a'.repeat(4000)), /more than 65536 characters together/],
  ]
  it.each(cases)('%j', (pattern, reason) => {
    expect(() => compileGlob(pattern)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'invalid_input', message: expect.stringMatching(reason) }),
    )
    expect(() => compileGlob(pattern)).toThrow(expect.objectContaining({ issues: [expect.objectContaining({ path: 'pattern' })] }))
  })

  it('1,000 alternatives are accepted', () => {
    expect(matches('f{1..1000}', 'f1000')).toBe(true)
  })
})

describe('hostile globs', () => {
  const cases: [pattern: string, name: string][] = [
    ['*a*b'.repeat(6), 'ab'.repeat(127)],
    [`${'*a'.repeat(12)}*b`, 'a'.repeat(255)],
    ['+(+(+(a)))b', 'a'.repeat(255)],
    [`${'+('.repeat(30)}a${')'.repeat(30)}b`, 'a'.repeat(255)],
    ['[a-z/'.repeat(800), 'a'],
    ['*(a|*(a|*(a)))b', 'a'.repeat(255)],
    ['+(a|aa|aaa)+(a|aa)c', 'a'.repeat(255)],
    ['!(a)!(b)!(c)!(a*)!(b)d', 'a'.repeat(255)],
    [`${'?(a)'.repeat(100)}${'a'.repeat(100)}b`, 'a'.repeat(255)],
  ]
  it.each(cases)('%s ends', (pattern, name) => {
    const glob = compileGlob(pattern)
    // A matcher that backtracks would never return.
    expect(typeof glob.matches(name)).toBe('boolean')
  })

  it('long lists are compiled in steps and report their cost', () => {
    const list = Array.from({ length: 1000 }, (_, i) => `*a*a*a*a*a*a*a*b${i}`)
    expect([...compileGlobSteps(list)].length).toBeGreaterThan(10)
    expect(compileGlob(list).cost).toBeGreaterThan(500)
    expect(compileGlob('**/*.ts').cost).toBe(1)
  })

  it('nested braces are compiled or rejected', () => {
    expect(() => compileGlob(`${'{'.repeat(400)}a,b${'}'.repeat(400)}`)).toThrow('nested deeper than 10')
    expect(() => compileGlob('{'.repeat(4000))).toThrow('nested deeper')
    expect(() => compileGlob(`${'{a'.repeat(1300)}${'}'.repeat(1300)}`)).toThrow('nested deeper')
    expect(() => compileGlob('{a}'.repeat(1000))).toThrow('more than 100 braces')
    compileGlob('('.repeat(100))
    compileGlob('@('.repeat(100))
  })
})

/** A simple implementation without states: compares lists of components, with one regular expression per component. */
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

it.each([
  ['!(*.{test,spec}).ts', ['a.ts'], ['a.test.ts', 'b.spec.ts']],
  ['**/!(*.{test,spec}).ts', ['d/a.ts'], ['d/a.test.ts', 'b.spec.ts']],
  ['!({a,b{1,2}}).md', ['c.md', 'b3.md'], ['a.md', 'b1.md', 'b2.md']],
  ['{src,lib}/!(*.{js,ts})', ['lib/a.css'], ['src/a.js', 'lib/b.ts']],
])('%s excludes each of the list', (pattern, fits, others) => {
  const glob = compileGlob(pattern)
  expect(fits.filter((path) => !glob.matches(path))).toEqual([])
  expect(others.filter((path) => glob.matches(path))).toEqual([])
})

describe('properties of globs', () => {
  it('match like a naive matcher', () => {
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

  it('match like minimatch on common syntax', () => {
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

  it('never prune a directory in which something matches', () => {
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 3 }), path, (patterns, each) => {
        const glob = compileGlob(patterns.map((components) => components.join('/')))
        expect(glob.matches(each.join('/'))).toBe(patterns.some((components) => naive(components, each)))
      }),
      { numRuns: rounds(1000) },
    )
  })
})
