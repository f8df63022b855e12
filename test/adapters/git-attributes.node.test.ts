// @module-tag git
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gitCommand } from 'toolport/adapters/git'
import { createNodeFs } from 'toolport/adapters/node'
import { describe, expect, it } from 'vitest'
import { Attributes } from '../../adapters/git/attributes.js'
import fc from '../fast-check.js'
import { gitIn, init, lineEndCases, write } from './git-line-ends.js'
import { nativeGit } from './git-native-support.js'
import { setup } from './just-bash-support.js'

const { folder, native } = nativeGit()

lineEndCases(['', 'core.autocrlf=YES core.eol=lf'])

describe('git attributes', () => {
  const FILES: Readonly<Record<string, string>> = {
    '.gitattributes': [
      '\ufeff* text=auto a',
      '  *.txt  text -b c=1 ',
      '# comment',
      '"#quoted" hash',
      '"with\\040blank" blank',
      '!*.txt never',
      '\\!plain not',
      'dir/ onlydir',
      'dir deep',
      '/top top',
      'sub/*.c middle',
      'sub/** all',
      '**/deep/x anydeep',
      '[attr]both -a b=2 !c',
      '*.mac both',
      '*.mac2 both text',
      '*.bin binary',
      `long ${'x'.repeat(2100)}`,
      '[ab].cls class',
      'crlf.line end\r',
      '',
    ].join('\n'),
    'sub/.gitattributes': '*.txt !text sub\n*.c -middle\n[attr]ignored x\n*.mac ignored\n',
    'sub/deep/.gitattributes': '/x here\n*.txt text=auto\n',
    '.git/info/attributes': '*.info info -a\nsub/info.txt text=auto\n[attr]own y=1\n*.own own\n',
  }
  const PATHS =
    `a.txt sub/a.txt sub/deep/a.txt #quoted,with blank,!plain,never.txt,dir/x,dir,top,sub/top,sub/x.c,sub/y/x.c,deep/x,sub/deep/x,q/deep/x,
    a.mac,a.mac2,a.bin,sub/a.mac,long,a.cls,c.cls,x.info,sub/info.txt,x.own,sub/x.own,crlf.line`
      .split(/,\s*|(?<=txt) /)
      .map((path) => path.trim())

  const shown = (value: unknown): string => (value === true ? 'set' : value === false ? 'unset' : String(value))

  async function expectSame(root: string, paths: readonly string[]): Promise<void> {
    const found = new Attributes(async (path) => {
      try {
        return readFileSync(join(root, path))
      } catch {
        return undefined
      }
    })
    const words = native(root, ['check-attr', '-z', '-a', '--stdin'], paths.join('\n').replaceAll('\n', '\0')).split('\0')
    const theirs: string[] = []
    for (let at = 0; at + 2 < words.length; at += 3) theirs.push(words.slice(at, at + 3).join(' '))
    const ours = await Promise.all(
      paths.map(async (path) => [...(await found.of(path))].map(([name, value]) => `${path} ${name} ${shown(value)}`)),
    )
    expect(ours.flat().sort()).toEqual(theirs.sort())
  }

  it('match those of native git', async () => {
    const root = folder()
    init(native, root, '')
    write(root, FILES)
    await expectSame(root, PATHS)
  })

  it('match those of native git for random .gitattributes files', async () => {
    const name = fc.constantFrom('a', 'b', 'dir', 'x.c', 'x.txt', 'ab')
    const pattern = fc.oneof(
      name,
      fc.constantFrom(
        '*',
        '*.c',
        'a*',
        '/a',
        '/*',
        'dir/*',
        'dir/**',
        '**/b',
        'dir/a',
        '[ab]',
        '?',
        '!a',
        '**',
        'a/**/b',
        '"a"',
        '\\a',
        'dir/',
      ),
    )
    const assigned = fc.constantFrom('p', '-p', '!p', 'p=1', 'q', '-q', '!q', 'q=x', 'm', '-m', 'n', 'binary', 'text', '-binary')
    const line = fc.tuple(pattern, fc.array(assigned, { maxLength: 3 })).map(([what, list]) => `${what} ${list.join(' ')}`)
    const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n'))
    const macros = fc.constantFrom('', '[attr]m p -q\n', '[attr]m n\n[attr]n q=2 !p\n')
    const paths = fc.array(fc.array(name, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 })
    const root = folder()
    init(native, root, '')
    await fc.assert(
      fc.asyncProperty(macros, text, text, text, paths, async (macro, top, below, own, asked) => {
        rmSync(join(root, 'dir'), { recursive: true, force: true })
        write(root, { '.gitattributes': macro + top, 'dir/.gitattributes': below, '.git/info/attributes': own })
        await expectSame(root, [...new Set(asked.map((parts) => parts.join('/')))])
      }),
      { numRuns: 60 },
    )
  })
})

describe('files whose attributes require an unsupported conversion', () => {
  const BAD = [
    ['*.bin filter=lfs', /the filter "lfs", a program that is not run here\s*$/],
    ['*.bin working-tree-encoding=UTF-16', /the encoding "UTF-16"/],
  ] as const

  function repositoryOf(line: string): string {
    const root = folder()
    init(native, root, '')
    write(root, { 'a.bin': 'stored\n', 'b.txt': 'text\n' })
    native(root, ['add', '.'])
    native(root, ['commit', '-qm', 'one'])
    native(root, ['checkout', '-qb', 'next'])
    write(root, { 'a.bin': 'other\n' })
    native(root, ['add', 'a.bin'])
    write(root, { '.gitattributes': `${line}\n` })
    native(root, ['add', '.gitattributes'])
    native(root, ['commit', '-qm', 'two'])
    return root
  }

  it.each(BAD)('are rejected before anything is written: %s', async (line, words) => {
    const root = repositoryOf(line)
    const git = gitIn(root)
    write(root, { 'a.bin': 'changed\n', 'new.bin': 'new\n', 'b.txt': 'changed\n' })
    const before = [native(root, ['ls-files', '-s']), native(root, ['rev-parse', 'HEAD'])]
    const refusal = { code: 'ENOTSUP', message: expect.stringMatching(words) }
    await expect(git.add({ paths: ['.'] })).rejects.toMatchObject(refusal)
    await expect(git.add({ paths: ['new.bin'] })).rejects.toMatchObject(refusal)
    await expect(git.status()).rejects.toMatchObject(refusal)
    await expect(git.checkout({ ref: 'main', force: true })).rejects.toMatchObject(refusal)
    expect([native(root, ['ls-files', '-s']), native(root, ['rev-parse', 'HEAD'])]).toEqual(before)
    expect(['a.bin', 'new.bin', 'b.txt'].map((name) => readFileSync(join(root, name), 'utf8'))).toEqual(['changed\n', 'new\n', 'changed\n'])
  })

  it.each(BAD)('are rejected even if the files on disk have not changed: %s', async (line, words) => {
    const root = repositoryOf(line)
    const git = gitIn(root)
    native(root, ['checkout', '-q', '-B', 'main', 'main'])
    write(root, { '.git/info/attributes': line, a: 'x\n' })
    native(root, ['add', 'a'])
    native(root, ['commit', '-qm', 'on main'])
    const refusal = { code: 'ENOTSUP', message: expect.stringMatching(words) }
    await expect(git.checkout({ ref: 'next' })).rejects.toMatchObject(refusal)
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('x\n')
    expect(native(root, ['status', '--porcelain'])).toBe('')
    write(root, { 'new.bin': 'new\n', 'a.txt': 'new\n' })
    await expect(git.add({ paths: ['a.txt', 'new.bin'] })).rejects.toMatchObject(refusal)
    expect(native(root, ['ls-files']).trim().split('\n')).toEqual(['a', 'a.bin', 'b.txt'])
    const { shell } = setup({ workspace: { fs: createNodeFs({ root }) }, shell: { commands: [gitCommand()] } })
    rmSync(join(root, 'a.bin'))
    rmSync(join(root, 'a'))
    expect((await shell.exec('git checkout -- a a.bin')).stderr).toMatch(words)
    expect(existsSync(join(root, 'a'))).toBe(false)
  })

  it("stay unconverted with `filters: 'ignore'`, as in git without the filter program", async () => {
    const root = repositoryOf('*.bin filter=lfs')
    const git = gitIn(root, { filters: 'ignore' })
    write(root, { 'new.bin': 'new\r\n' })
    await git.add({ paths: ['.'] })
    expect(native(root, ['cat-file', 'blob', ':new.bin'])).toBe('new\r\n')
    await git.commit({ message: 'three' })
    await git.checkout({ ref: 'main' })
    expect(readFileSync(join(root, 'a.bin'), 'utf8')).toBe('stored\n')
    expect(native(root, ['status', '--porcelain'])).toBe('')
  })
})
