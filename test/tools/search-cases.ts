import { describe, expect, it } from 'vitest'
import type { Bench } from './harness.js'

type Open = (files?: Readonly<Record<string, string | Uint8Array>>) => Promise<Bench>

const TREE = {
  'src/a.ts': 'hit',
  'src/deep/b.ts': 'hit',
  'src/.secret.ts': 'hit',
  'app/[id]/page.ts': 'hit',
  'app/(group)/[[...slug]].ts': 'hit',
  'file[1].txt': 'hit',
  '.env': 'hit',
  '..env': 'hit',
  '.github/ci.yml': 'hit',
  '.github/.keep': 'hit',
  'out/x.ts': 'hit',
  'many, names.md': 'hit',
  '.gitignore': 'out/\n',
}

/** Cases for globs in `glob` and `grep`, for every storage. */
export function globCases(open: Open): void {
  const cases: [pattern: string | string[], path: string, found: string[]][] = [
    ['/workspace/src/**/*.ts', '.', ['src/a.ts', 'src/deep/b.ts']],
    ['/workspace/src/**/*.ts', 'src', ['src/a.ts', 'src/deep/b.ts']],
    ['/workspace/**/b.ts', 'src/deep', ['src/deep/b.ts']],
    [['/workspace/src/*/*.ts', 'src/*.ts'], '.', ['src/a.ts', 'src/deep/b.ts']],
    [['/workspace/src/**', '!/workspace/src/deep/**'], '.', ['src/a.ts']],
    ['/workspace/.github/**', '.', ['.github/ci.yml']],
    ['app/[id]/page.ts', '.', ['app/[id]/page.ts']],
    ['app/(group)/*.ts', '.', ['app/(group)/[[...slug]].ts']],
    ['**/[[...slug]].ts', '.', ['app/(group)/[[...slug]].ts']],
    ['/workspace/app/[id]/*', 'app/[id]', ['app/[id]/page.ts']],
    ['./file[1].txt', '.', ['file[1].txt']],
    [['src/**/*.ts', '!**/.git2/**'], '.', ['src/a.ts', 'src/deep/b.ts']],
    [['src/*.ts', '!.env'], '.', ['src/a.ts']],
    ['src/.*.ts', '.', ['src/.secret.ts']],
    ['./..env', '.', ['..env']],
    ['.github/.*', '.', ['.github/.keep']],
    ['src/*.ts, src/deep/*.ts', '.', ['src/a.ts', 'src/deep/b.ts']],
    ['src/*.{ts}', '.', ['src/a.ts']],
    ['./many, *.md', '.', ['many, names.md']],
    ['out/*', '.', []],
  ]

  describe('glob patterns', () => {
    it.each(cases)('%j from %s', async (pattern, path, expected) => {
      const { ok } = await open(TREE)
      const full = expected.map((each) => `/workspace/${each}`)
      expect((await ok('glob', { pattern, path })).paths).toEqual(full)
      expect((await ok('grep', { pattern: 'hit', glob: pattern, path, output: 'files' })).files).toEqual(full)
    })

    it.each([
      ['/src/*.ts', 'it is outside the workspace "/workspace": write it relative to path, as in "src/*.ts"'],
      ['{a.ts,src/b.ts', 'a "{" is not closed'],
      ['{,}', 'its braces are empty'],
      ['/', 'it is the start directory itself'],
      ['/workspace/', 'it matches nothing below "/workspace"'],
      ['!src\\**\\*.ts', 'use "/" between directories'],
      ['!~/x/*', '"~" is not expanded'],
    ])('%s is rejected', async (pattern, reason) => {
      const { fail } = await open(TREE)
      expect((await fail('glob', { pattern })).error).toContain(reason)
      expect((await fail('grep', { pattern: 'hit', glob: pattern })).error).toContain(reason)
    })
  })

  describe('a glob that matches nothing as written', () => {
    const FILES = { 'src/a.ts': 'hit', 'src/b.tsx': 'hit', 'top.ts': 'hit', 'caf\u00e9/x.md': 'hit' }
    it.each([
      ['   ', 'it is blank: use "**" for everything'],
      ['src/{}/*.ts', 'the braces "{}" are empty'],
      ['$(pwd)/*.ts', 'command substitution is not supported'],
      ['(?i)*.ts', 'a glob is not a regular expression'],
      ['lib**.ts', '"**" within a name means "*"'],
      ['src/\\w+', 'a glob is not a regular expression'],
    ])('%j gets a hint about the mistake', async (pattern, why) => {
      const { ok } = await open(FILES)
      const hint = expect.stringContaining(why)
      expect(await ok('glob', { pattern })).toMatchObject({ paths: [], hint })
      expect(await ok('grep', { pattern: 'hit', glob: pattern })).toMatchObject({ matches: [], hint })
    })

    it('may repeat the path of the search directory', async () => {
      const { ok } = await open(FILES)
      const hint = expect.stringContaining('read as "/workspace/src/')
      for (const pattern of ['src/*.ts', 'src/**/*.ts', 'src/a.ts', 'src/{a,x}.ts']) {
        expect(await ok('glob', { path: 'src', pattern })).toMatchObject({ paths: ['/workspace/src/a.ts'], hint })
        expect(await ok('grep', { path: 'src', pattern: 'hit', glob: pattern })).toMatchObject({ files_searched: 1, hint })
      }
    })

    it('gets no hint for "**" in braces', async () => {
      const { ok } = await open(FILES)
      expect(await ok('glob', { pattern: ['**/*.ts', '!{lib,**/none}/*'] })).not.toHaveProperty('hint')
    })

    it('gets no hint for a class that contains "]"', async () => {
      const { ok } = await open({ 'src/].ts': '' })
      expect(await ok('glob', { pattern: 'src/[]x].ts' })).toMatchObject({ paths: ['/workspace/src/].ts'] })
      expect(await ok('glob', { pattern: 'src/[]x].js' })).not.toHaveProperty('hint')
    })

    it('gets a hint if a name exists in another case', async () => {
      const { ok } = await open({ 'src/Foo.ts': '' })
      for (const pattern of ['SRC/*.ts', 'src/foo.ts', '**/FOO.*', '/workspace/Src/*'])
        expect(await ok('glob', { pattern })).toMatchObject({
          paths: [],
          hint: expect.stringContaining('"/workspace/src/Foo.ts" matches if case is ignored'),
        })
      expect(await ok('glob', { pattern: '*.md' })).not.toHaveProperty('hint')
    })

    const cases: [pattern: string | string[], found: string[], read: string][] = [
      ['src/[a-', [], 'a "[" is not closed'],
      ['src/[z-a].ts', [], 'the range "z-a" in brackets is empty'],
      ['src/[]/*.ts', [], 'a "[" is not closed'],
      ['["src/*.ts","*.zig"]', ['src/a.ts'], 'read as "src/*.ts, *.zig"'],
      ["['src/a.ts']", ['src/a.ts'], 'read as "src/a.ts"'],
      ['"src/a.ts"', ['src/a.ts'], 'read as "src/a.ts"'],
      [' src/a.ts\n', ['src/a.ts'], 'read as "src/a.ts"'],
      ['src\\a.ts', ['src/a.ts'], 'read as "src/a.ts"'],
      ['src\\**\\*.ts', ['src/a.ts'], 'read as "src/**/*.ts"'],
      ['\\workspace\\src\\*.ts', ['src/a.ts'], 'read as "/workspace/src/*.ts"'],
      ['**\\*.tsx', ['src/b.tsx'], 'read as "**/*.tsx"'],
      ['workspace/src/*.ts', ['src/a.ts'], 'read as "/workspace/src/*.ts"'],
      ['file:///workspace/src/*.ts', ['src/a.ts'], 'read as "/workspace/src/*.ts"'],
      ['@src/a.ts', ['src/a.ts'], 'read as "src/a.ts"'],
      ['src/a.ts:12', ['src/a.ts'], 'read as "src/a.ts"'],
      ['src/a.ts:12:5', ['src/a.ts'], 'read as "src/a.ts"'],
      ['src/a.ts#L3-L9', ['src/a.ts'], 'read as "src/a.ts"'],
      ['src/*.(ts|tsx)', ['src/a.ts', 'src/b.tsx'], 'read as "src/*.@(ts|tsx)"'],
      [['**/*.ts', '!workspace/src/**'], ['top.ts'], 'read as "!/workspace/src/**"'],
      [['**/*.ts', '!src/a.ts:3'], ['top.ts'], 'read as "!src/a.ts"'],
      [['top.ts', 'src/a.ts:1'], ['src/a.ts', 'top.ts'], 'read as "src/a.ts"'],
      ['cafe\u0301/*.md', ['caf\u00e9/x.md'], 'names were compared without regard to Unicode form'],
    ]
    it.each(cases)('%j is interpreted as intended', async (pattern, expected, how) => {
      const { ok } = await open(FILES)
      const full = expected.map((each) => `/workspace/${each}`)
      const hint = expect.stringContaining(how)
      expect(await ok('glob', { pattern })).toMatchObject({ paths: full, hint })
      expect(await ok('grep', { pattern: 'hit', glob: pattern, output: 'files' })).toMatchObject({ files: full, hint })
    })

    it.each([
      '~',
      '~/x/*',
      '~root/*',
      '$HOME/*.ts',
      '${' + 'workspaceFolder}/*.ts',
      '%USERPROFILE%\\x',
      'C:/x/*',
      'C:\\x\\*',
      'https://x.org/*.ts',
    ])('%s gets the hint that it is not a path in the workspace', async (pattern) => {
      const { ok, read } = await open(FILES)
      const hint = expect.stringMatching(/^Glob ".*": .*(not expanded|not supported|is a URL): write a path below "\/workspace"/)
      expect(await ok('glob', { pattern })).toMatchObject({ paths: [], hint })
      expect(await ok('grep', { pattern: 'hit', glob: pattern })).toMatchObject({ matches: [], hint })
      expect(await ok('glob', { pattern: ['top.ts', pattern] })).toMatchObject({ paths: ['/workspace/top.ts'], hint })
      expect(await read('glob', { pattern })).toMatch(/^\[No file matches\]\n\[Glob /)
    })

    it.each([
      ['^src/.*\\.ts$', 'a glob is not a regular expression'],
      ['src/a.ts src/b.tsx', 'separate several globs with commas'],
    ])('%s gets a hint about the mistake', async (pattern, hint) => {
      expect(await (await open(FILES)).read('grep', { pattern: 'hit', glob: pattern })).toContain(hint)
    })

    it('is taken literally if a file has that name', async () => {
      const names = ['["x"]', 'a.ts:12', '$HOME', '~', 'star*.ts', 'q[1].ts', '@a', 'my notes', "'q'", 'cafe\u0301']
      const others = {
        'a.ts': 'hit',
        'starlet.ts': 'hit',
        'star/x.ts': 'hit',
        'q1.ts': 'hit',
        a: 'hit',
        q: 'hit',
        'caf\u00e9': 'hit',
      }
      const { ok } = await open({ ...Object.fromEntries(names.map((name) => [name, 'hit'])), ...others })
      for (const name of names) {
        const pattern = name.replace(/[*[](?!")/g, '\\$&')
        expect(await ok('glob', { pattern }), name).toEqual({ paths: [`/workspace/${name}`], total: 1, truncated: false })
        expect((await ok('grep', { pattern: 'hit', glob: pattern, output: 'files' })).files, name).toEqual([`/workspace/${name}`])
      }
    })

    it('is interpreted in the same way on every page', async () => {
      const { ok } = await open({ 'src/a.ts': 'hit\nhit', 'src/b.ts': 'hit' })
      const first = await ok('grep', { pattern: 'hit', glob: 'src\\*.ts', limit: 1 })
      const second = await ok('grep', { pattern: 'hit', glob: 'src\\*.ts', limit: 1, cursor: first.next })
      const third = await ok('grep', { pattern: 'hit', glob: 'src\\*.ts', limit: 1, cursor: second.next })
      expect([first, second, third].map(({ matches: [{ path, line }] }) => `${path}:${line}`)).toEqual([
        '/workspace/src/a.ts:1',
        '/workspace/src/a.ts:2',
        '/workspace/src/b.ts:1',
      ])
      const { next } = await ok('glob', { pattern: 'src\\*.ts', limit: 1 })
      expect((await ok('glob', { pattern: 'src\\*.ts', limit: 1, cursor: next })).paths).toEqual(['/workspace/src/b.ts'])
    })
  })

  describe('an empty result', () => {
    it('lists what hidden and ignore left out', async () => {
      const { read, ok } = await open(TREE)
      expect(await read('glob', { pattern: 'out/*' })).toBe('[No file matches]\n[Not listed: 1 ignored (set ignore to false)]')
      expect(await read('glob', { pattern: '*env' })).toBe('[No file matches]\n[Not listed: 2 hidden (set hidden to true)]')
      expect(await read('glob', { pattern: 'src/' })).toBe(
        '[No file matches]\n[Not listed: 1 directories (add "/**" to match their content)]',
      )
      expect(await ok('grep', { pattern: 'hit', glob: 'deep' })).toMatchObject({ skipped: { dirs: 1 } })
      expect(await ok('glob', { pattern: '**', path: 'empty/../out', kind: 'dir' })).toEqual({ paths: [], total: 0, truncated: false })
      expect(await ok('glob', { pattern: '**/*.zig' })).toEqual({ paths: [], total: 0, truncated: false })
      expect(await ok('grep', { pattern: 'hit', path: 'out', glob: '*.md' })).toMatchObject({ matches: [], files_searched: 0 })
      expect(await ok('grep', { pattern: 'nothing', glob: '*.ts' })).toMatchObject({ skipped: { hidden: 1, ignored: 1 } })
      expect(await read('list_files', { path: '.github', hidden: false })).not.toContain('Not listed')
      const hidden = await open({ 'd/.x': '', 'd/y': '', '.gitignore': 'y' })
      expect(await hidden.read('list_files', { path: 'd', hidden: false })).toBe(
        '[Empty]\n[Not listed: 1 hidden (set hidden to true), 1 ignored (set ignore to false)]',
      )
    })

    it('lists links that were not followed, and how to search them', async () => {
      const { read, ok, runtime } = await open({ 'real/a.ts': 'hit' })
      await runtime.workspace.mkdir('top')
      await runtime.workspace.symlink('../real', 'top/link')
      expect(await read('grep', { pattern: 'hit', path: 'top' })).toBe(
        '[No match in 0 files]\n[Not searched: 1 symbolic links, not followed (pass one as path)]',
      )
      expect(await ok('glob', { pattern: '**/*.ts', path: 'top' })).toMatchObject({ paths: [], skipped: { links: 1 } })
      expect(await ok('grep', { pattern: 'hit', path: 'top/link', output: 'files' })).toMatchObject({ files: ['/workspace/real/a.ts'] })
      expect(await ok('grep', { pattern: 'hit', output: 'files' })).toMatchObject({
        files: ['/workspace/real/a.ts'],
        skipped: { links: 1 },
      })
      await runtime.workspace.symlink('nowhere.ts', 'top/dead.ts')
      await runtime.workspace.symlink('../real/a.ts', 'top/file.ts')
      expect(await read('grep', { pattern: 'hit', path: 'top', glob: '*.ts' })).toBe(
        '[No match in 0 files]\n[Not searched: 1 symbolic links that are broken, leave the workspace or point to a parent directory, 2 symbolic links, not followed (pass one as path)]',
      )
      expect(await read('glob', { pattern: '*.ts', path: 'top' })).toBe(
        '[No file matches]\n[Not listed: 2 symbolic links (set kind to "symlink")]',
      )
      expect((await ok('glob', { pattern: '*.ts', path: 'top', kind: 'symlink' })).paths).toHaveLength(2)
    })

    it('does not suggest links that lead back', async () => {
      const { read, ok, fail, runtime } = await open({ 'in/a.ts': 'hit' })
      for (const [target, name] of Object.entries({ self: 'self', b: 'a', a: 'b', '.': 'in/here', '..': 'in/up', '../in': 'in/again' }))
        await runtime.workspace.symlink(target, name)
      for (const output of ['content', 'files', 'count']) {
        for (const pattern of ['hit', 'nothing'])
          expect((await ok('grep', { pattern, output })).skipped, output).toEqual({ other_links: 6 })
      }
      expect(await read('grep', { pattern: 'nothing', path: 'in' })).toBe(
        '[No match in 1 files]\n[Not searched: 3 symbolic links that are broken, leave the workspace or point to a parent directory]',
      )
      expect(await ok('glob', { pattern: '**/*.zig' })).toMatchObject({ paths: [], skipped: { other_links: 6 } })
      for (const path of ['self', 'a']) {
        const { error, output } = await fail('grep', { pattern: 'hit', path })
        expect(error).toBe(`ELOOP: Cannot resolve "/workspace/${path}": too many symbolic links, or a loop of links`)
        expect(output.hint).toBe('Use the path of the file itself.')
      }
    })
  })

  it.each([
    ['grep', { pattern: 'hit', path: 'SRC/main.ts' }, '/workspace/src/Main.ts'],
    ['grep', { pattern: 'hit', path: 'SRC/none.ts' }, '/workspace/src'],
    ['glob', { pattern: '*', path: 'Src' }, '/workspace/src'],
    ['list_files', { path: 'SRC' }, '/workspace/src'],
  ])('an empty result of %s gets the hint that the path exists in another case: %j', async (tool, input, there) => {
    const { fail } = await open({ 'src/Main.ts': 'hit', other: '' })
    expect((await fail(tool, input)).error).toContain(`no such file or directory, but "${there}" exists, and names are case-sensitive`)
    expect((await fail(tool, { ...input, path: 'nothing' })).error).toMatch(/no such file or directory$/)
  })

  it('an empty result of grep gets the hint that a name matches its glob in another case', async () => {
    const { ok } = await open({ 'src/Main.ts': 'hit' })
    expect(await ok('grep', { pattern: 'hit', glob: 'main.TS' })).toMatchObject({
      hint: 'Globs are case-sensitive: "/workspace/src/Main.ts" matches if case is ignored',
    })
  })

  it.each(['a.ts/*', './a.ts/**', 'a.ts/x/*.ts', 'a.ts/x/y', '/workspace/a.ts/*.js', 'none/*, a.ts/*'])(
    'gets the hint that a file has nothing below it: %s',
    async (glob) => {
      const { ok, read } = await open({ 'a.ts': 'hit', 'src/b.ts': 'hit' })
      const pattern = glob.split(', ')
      const hint = '"/workspace/a.ts" is a file, not a directory'
      expect(await read('glob', { pattern })).toBe(`[No file matches]\n[${hint}]`)
      expect(await ok('grep', { pattern: 'hit', glob: pattern })).toMatchObject({ matches: [], hint })
      expect(await ok('glob', { pattern: 'src/*.zig' })).not.toHaveProperty('hint')
      expect(await ok('glob', { pattern: '*/b.zig' })).not.toHaveProperty('hint')
    },
  )

  it('error messages escape control characters in names', async () => {
    const { fail } = await open({ 'd/f': '' })
    const bad = 'x\n/workspace/b.ts:1:\u001b[2J'
    const shown = 'x⟨U+000A⟩/workspace/b.ts:1:⟨U+001B⟩[2J'
    for (const [tool, input] of [
      ['grep', { pattern: 'hit', path: bad }],
      ['grep', { pattern: bad }],
      ['grep', { pattern: 'hit', cursor: bad }],
      ['grep', { pattern: 'hit', path: `../../${bad}` }],
      ['glob', { pattern: '*', path: bad }],
      ['list_files', { path: bad }],
    ] as const) {
      const { error } = await fail(tool, input)
      expect(error).toContain(shown)
      expect(error).not.toMatch(/\p{Cc}/u)
    }
  })

  it('listing a file fails with a hint', async () => {
    const { fail } = await open({ 'd/f': '' })
    const error = 'ENOTDIR: Cannot list "/workspace/d/f": it is a file. Name the directory that holds it, or read the file'
    for (const [tool, input] of [
      ['glob', { pattern: '*', path: 'd/f' }],
      ['list_files', { path: 'd/f' }],
    ] as const) {
      expect((await fail(tool, input)).error).toBe(error)
      const slash = (await fail(tool, { ...input, path: 'd/f/' })).error
      expect(slash).toMatch(/"\/workspace\/d\/f": it is a file\. Write the path without a slash at the end$/)
    }
  })

  it('list_files adds times and permissions if asked', async () => {
    const { ok, read, runtime } = await open({ 'd/f': 'abc' })
    const { mtimeMs, mode } = await runtime.workspace.stat('d/f')
    const { entries } = await ok('list_files', { details: true, recursive: true })
    const octal = mode === undefined ? undefined : `0${mode.toString(8)}`
    const modified = mtimeMs === 0 ? undefined : new Date(mtimeMs).toISOString()
    expect(entries).toEqual([
      expect.objectContaining({ path: '/workspace/d', kind: 'dir' }),
      { path: '/workspace/d/f', kind: 'file', size: 3, ...(modified && { modified }), ...(octal && { mode: octal }) },
    ])
    const last = modified || octal ? `\t${modified ?? '-'}\t${octal ?? '-'}` : ''
    expect(await read('list_files', { path: 'd', details: true })).toBe(`/workspace/d/f\t3${last}`)
    expect(await read('list_files', { path: 'd' })).toBe('/workspace/d/f\t3')
  })

  it('results escape control characters in names', async () => {
    const { ok, read } = await open({ 'a\n/workspace/b.ts': 'hit\u001b[2J', 'c\u202e.ts': 'hit' })
    const shown = '/workspace/a⟨U+000A⟩/workspace/b.ts\n/workspace/c⟨U+202E⟩.ts'
    expect(await read('glob', { pattern: '**/*.ts' })).toBe(shown)
    expect(await read('grep', { pattern: 'hit', output: 'files' })).toBe(shown)
    expect(await read('grep', { pattern: 'hit' })).toContain('/workspace/a⟨U+000A⟩/workspace/b.ts\n1:hit')
    expect(await read('grep', { pattern: 'hit', output: 'count' })).toBe(shown.replaceAll(/\.ts$/gm, '.ts: 1'))
    expect(await read('list_files')).toBe('/workspace/a⟨U+000A⟩/\n/workspace/c⟨U+202E⟩.ts\t3')
    expect(await read('glob', { pattern: '**/*.ts', limit: 1 })).toBe(
      '/workspace/a⟨U+000A⟩/workspace/b.ts\n[1 paths shown, more follow: continue with cursor "a\\n/workspace/b.ts"]',
    )
    expect((await ok('glob', { pattern: '*.ts' })).paths).toEqual(['/workspace/c\u202e.ts'])
  })

  it('multiline patterns match any line break, also where another match starts', async () => {
    const { ok } = await open({ 'a.txt': 'foo bar\nbaz\n', 'b.txt': 'foo bar\r\nbaz\r\n' })
    const lines = async (pattern: string): Promise<unknown> =>
      (await ok('grep', { pattern, multiline: true })).matches.map(({ line, text }: { line: number; text: string }) => [line, text])
    expect(await lines('foo|bar\\nbaz')).toEqual([1, 1].map((line) => [line, 'foo bar\nbaz']))
    expect(await lines('bar\\nbaz')).toEqual([1, 1].map((line) => [line, 'foo bar\nbaz']))
  })
}
