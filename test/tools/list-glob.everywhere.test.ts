// @module-tag list-glob
import { describe, expect, it } from 'vitest'
import { bench } from './harness.js'
import { globCases } from './search-cases.js'

const TREE = {
  'src/a.ts': 'a',
  'src/deep/b.ts': 'bb',
  'src/deep/c.md': '',
  '.env': 'secret',
  '.github/ci.yml': '',
  'dist/out.js': '',
  'notes.md': '',
  '.gitignore': 'dist/\n',
  'src/.gitignore': '*.md\n',
}

describe('list_files', () => {
  it('lists one level, sorted, with kinds and sizes', async () => {
    const { ok } = bench(TREE)
    expect(await ok('list_files')).toEqual({
      entries: [
        { path: '/workspace/.env', kind: 'file', size: 6 },
        { path: '/workspace/.github', kind: 'dir' },
        { path: '/workspace/.gitignore', kind: 'file', size: 6 },
        { path: '/workspace/notes.md', kind: 'file', size: 0 },
        { path: '/workspace/src', kind: 'dir' },
      ],
      total: 5,
      truncated: false,
    })
  })

  const paths = async (input: unknown): Promise<string[]> => {
    const { entries } = await bench(TREE).ok('list_files', input)
    return entries.map(({ path }: { path: string }) => path.replace('/workspace/', ''))
  }

  it('lists recursively and leaves out what .gitignore files ignore', async () => {
    expect(await paths({ recursive: true, hidden: false })).toEqual(['notes.md', 'src', 'src/a.ts', 'src/deep', 'src/deep/b.ts'])
    expect(await paths({ recursive: true, hidden: false, ignore: false })).toEqual([
      'dist',
      'dist/out.js',
      'notes.md',
      'src',
      'src/a.ts',
      'src/deep',
      'src/deep/b.ts',
      'src/deep/c.md',
    ])
  })

  it('stops at max_depth', async () => {
    expect(await paths({ recursive: true, max_depth: 2, hidden: false })).toEqual(['notes.md', 'src', 'src/a.ts', 'src/deep'])
  })

  it('lists an ignored directory that is named', async () => {
    expect(await paths({ path: 'dist' })).toEqual(['dist/out.js'])
  })

  it('leaves out .git and saved outputs', async () => {
    const { ok } = bench({ '.git/config': '', '.toolport/outputs/call_1.txt': '', a: '' })
    expect((await ok('list_files', { recursive: true })).entries.map(({ path }: { path: string }) => path)).toEqual([
      '/workspace/.toolport',
      '/workspace/a',
    ])
  })

  it('returns every entry exactly once across pages', async () => {
    const all = await paths({ recursive: true, ignore: false })
    for (const limit of [1, 2, 3, 7]) {
      const { ok } = bench(TREE)
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await ok('list_files', { recursive: true, ignore: false, limit, ...(cursor && { cursor }) })
        expect(page.truncated).toBe(page.next !== undefined)
        seen.push(...page.entries.map(({ path }: { path: string }) => path.replace('/workspace/', '')))
        cursor = page.next
      } while (cursor)
      expect(seen).toEqual(all)
    }
  })

  it('shows empty directories, links, and how to continue', async () => {
    const { read, runtime } = bench({ 'd/a': 'xyz', 'd/b': '' })
    await runtime.workspace.mkdir('empty')
    await runtime.workspace.symlink('d', 'link')
    expect(await read('list_files', { path: 'empty' })).toBe('[Empty]')
    expect(await read('list_files')).toBe('/workspace/d/\n/workspace/empty/\n/workspace/link@')
    expect(await read('list_files', { path: 'd', limit: 1 })).toBe(
      '/workspace/d/a\t3\n[1 entries shown, more follow: continue with cursor "d/a"]',
    )
  })

  it.each([
    ['a file', { path: 'notes.md' }, 'ENOTDIR'],
    ['a missing directory', { path: 'nope' }, 'ENOENT'],
    ['a limit of 0', { limit: 0 }, 'invalid_input'],
    ['a limit too large', { limit: 10_001 }, 'invalid_input'],
    ['a foreign cursor', { path: 'src', cursor: 'notes.md' }, 'invalid_path'],
    ['a cursor outside the workspace', { cursor: '../../x' }, 'invalid_path'],
    ['an absolute cursor', { cursor: '/x' }, 'invalid_input'],
  ])('rejects %s', async (_, input, code) => {
    expect((await bench(TREE).fail('list_files', input)).output.code).toBe(code)
  })
})

describe('glob', () => {
  const paths = async (input: unknown): Promise<string[]> =>
    (await bench(TREE).ok('glob', input)).paths.map((path: string) => path.replace('/workspace/', ''))

  it.each([
    ['**/*.ts', ['src/a.ts', 'src/deep/b.ts']],
    ['*.md', ['notes.md']],
    ['**/*.md', ['notes.md']],
    ['src/**', ['src/a.ts', 'src/deep/b.ts']],
    ['src/{a,deep/b}.ts', ['src/a.ts', 'src/deep/b.ts']],
    ['.github/**', ['.github/ci.yml']],
    ['.*', ['.env', '.gitignore']],
    ['**/nothing', []],
    [['**/*.ts', '!**/deep/**'], ['src/a.ts']],
  ])('finds %j', async (pattern, expected) => {
    expect(await paths({ pattern })).toEqual(expected)
  })

  it('finds paths below a directory, other kinds and hidden names', async () => {
    expect(await paths({ pattern: '*', path: 'src/deep' })).toEqual(['src/deep/b.ts'])
    expect(await paths({ pattern: '**', kind: 'dir' })).toEqual(['src', 'src/deep'])
    expect(await paths({ pattern: '*', kind: 'any' })).toEqual(['notes.md', 'src'])
    expect(await paths({ pattern: '**', hidden: true, ignore: false })).toHaveLength(9)
  })

  it('returns 1,000 paths by default', async () => {
    const { ok } = bench(Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`f${i}`, ''])))
    const { paths, truncated } = await ok('glob', { pattern: '*' })
    expect([paths.length, truncated]).toEqual([1000, true])
  })

  it('sorts by newest, also across pages', async () => {
    const { ok, runtime } = bench({ a: '', b: '', c: '', d: '' })
    for (const [name, mtimeMs] of [
      ['a', 3000],
      ['b', 1000],
      ['c', 4000],
      ['d', 3000],
    ] as const) {
      await runtime.workspace.setMeta(name, { mtimeMs })
    }
    const first = await ok('glob', { pattern: '*', sort: 'newest', limit: 3 })
    expect(first).toEqual({ paths: ['/workspace/c', '/workspace/a', '/workspace/d'], total: 4, truncated: true, next: 'newest:3' })
    const second = await ok('glob', { pattern: '*', sort: 'newest', limit: 3, cursor: first.next })
    expect(second).toEqual({ paths: ['/workspace/b'], total: 4, truncated: false })
  })

  it('returns every path exactly once across pages', async () => {
    const all = await paths({ pattern: '**', ignore: false, hidden: true })
    const { ok } = bench(TREE)
    const seen: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: { paths: string[]; next?: string } = await ok('glob', {
        pattern: '**',
        ignore: false,
        hidden: true,
        limit: 2,
        ...(cursor && { cursor }),
      })
      seen.push(...page.paths.map((path) => path.replace('/workspace/', '')))
      cursor = page.next
    }
    expect(seen).toEqual(all)
  })

  it.each([
    ['an empty pattern', { pattern: '' }],
    ['a pattern outside the workspace', { pattern: '../*' }],
    ['no pattern', { pattern: [] }],
    ['a cursor of another sort order', { pattern: '*', sort: 'newest', cursor: 'src/a.ts' }],
  ])('rejects %s', async (_, input) => {
    expect((await bench(TREE).fail('glob', input)).output.code).toBe('invalid_input')
  })

  it('is not slowed down by a hostile pattern', async () => {
    const { ok } = bench({ [`${'a'.repeat(250)}.txt`]: '' })
    expect((await ok('glob', { pattern: `${'*a'.repeat(40)}b` })).paths).toEqual([])
  })
})

describe('search', () => globCases(async (files) => bench(files)))
