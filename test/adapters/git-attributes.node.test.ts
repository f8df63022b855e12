// @module-tag git
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createWorkspace } from 'toolport'
import { createGit, type GitOptions, gitCommand } from 'toolport/adapters/git'
import { createNodeFs } from 'toolport/adapters/node'
import { afterAll, describe, expect, it } from 'vitest'
import { Attributes } from '../../adapters/git/attributes.js'
import fc from '../fast-check.js'
import { nativeGit } from './git-native-support.js'
import { author } from './git-support.js'
import { setup } from './just-bash-support.js'

const { folder, native, fsck } = nativeGit()
const scratch = mkdtempSync(join(tmpdir(), 'git-attributes-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const gitIn = (root: string, options: Partial<GitOptions> = {}) =>
  createGit({ workspace: createWorkspace({ fs: createNodeFs({ root }) }), author, ...options })

function write(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

const ASKED = [
  '',
  'text',
  '-text',
  'text=auto',
  'text=input',
  'text=other',
  'eol=crlf',
  'eol=lf',
  'text=auto eol=crlf',
  'text=auto eol=lf',
  '-text eol=crlf',
  'crlf',
  '-crlf',
  'crlf=input',
  'binary',
  'text ident',
  'text=auto eol=crlf ident',
]
const CONTENTS: readonly (string | Uint8Array)[] = [
  'one\ntwo\n',
  'one\r\ntwo\r\n',
  'one\r\ntwo\nthree\r\n',
  'one\rtwo\r\n',
  'one\ntwo\rthree\n',
  'no end\r\nhere',
  '',
  '\r\n',
  '\n',
  'a NUL\0\r\n',
  'end of file\r\n\u001a',
  `${'x'.repeat(127)}\u0001\r\n\n`,
  `${'x'.repeat(128)}\u0001\r\n`,
  'naïve\r\n',
  Uint8Array.of(0xff, 0xfe, 13, 10, 65, 10),
  '$Id$ $Id: 1234 $ $Id: of another $ $Id:x$ $Id: open\n$\r\n',
]
const CONFIGS = ['', 'core.autocrlf=YES core.eol=lf', 'core.autocrlf=input', 'core.autocrlf=false core.eol=crlf']

const attributes = ASKED.map((asked, at) => `/${at}/** ${asked}\n`).join('')
const tree = Object.fromEntries(ASKED.flatMap((_, a) => CONTENTS.map((content, c) => [`${a}/${c}.txt`, content])))

function init(root: string, config: string): void {
  native(root, ['init', '-q', '-b', 'main'])
  for (const setting of config.split(' ').filter(Boolean)) native(root, ['config', ...setting.split('=')])
}

/** All contents in the index just as they are, with the attributes, in a commit. */
function commitRaw(root: string): void {
  const store = (content: string | Uint8Array): string => {
    writeFileSync(join(scratch, 'content'), content)
    return native(root, ['hash-object', '-w', '--no-filters', join(scratch, 'content')]).trim()
  }
  const ids = CONTENTS.map(store)
  const rows = ASKED.flatMap((_, a) => ids.map((id, c) => `100644 ${id} 0\t${a}/${c}.txt`))
  native(root, ['update-index', '--index-info'], [...rows, `100644 ${store(attributes)} 0\t.gitattributes`, ''].join('\n'))
  native(root, ['commit', '-qm', 'raw'])
}

const staged = (root: string): string => native(root, ['ls-files', '-s'])

describe.each(CONFIGS)('line endings and ids, with the settings "%s"', (config) => {
  it('are stored as git stores them', async () => {
    const [ours, theirs] = [folder(), folder()]
    for (const root of [ours, theirs]) {
      init(root, config)
      write(root, { ...tree, '.gitattributes': attributes })
    }
    native(theirs, ['add', '.'])
    await gitIn(ours).add({ paths: ['.'] })
    expect(staged(ours)).toBe(staged(theirs))
    expect(await gitIn(ours).diff()).toMatchObject({ files: [] })
  })

  it('are checked out as git does it, and nothing is changed after that', async () => {
    const [ours, theirs] = [folder(), folder()]
    init(theirs, config)
    commitRaw(theirs)
    cpSync(theirs, ours, { recursive: true })
    native(ours, ['read-tree', '--empty'])
    native(theirs, ['checkout-index', '-a'])
    await gitIn(ours).checkout({ ref: 'main', force: true })
    for (const path of Object.keys(tree)) expect(readFileSync(join(ours, path)), path).toEqual(readFileSync(join(theirs, path)))
    expect(staged(ours)).toBe(staged(theirs))
    // In a state of its own, which git reads anew.
    for (const root of [ours, theirs]) rmSync(join(root, '.git/index'))
    for (const root of [ours, theirs]) native(root, ['read-tree', 'HEAD'])
    const status = native(theirs, ['status', '--porcelain'])
    expect(native(ours, ['status', '--porcelain'])).toBe(status)
    const changed = (await gitIn(ours).status()).map(({ path }) => ` M ${path}\n`).join('')
    expect(changed).toBe(status)
    expect(fsck(ours)).toBe('')
  })
})

describe('attributes', () => {
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

  it('are those that git finds', async () => {
    const root = folder()
    init(root, '')
    write(root, FILES)
    await expectSame(root, PATHS)
  })

  it('are those that git finds, whatever the files say', async () => {
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
    init(root, '')
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

describe('what cannot be converted', () => {
  const BAD = [
    ['*.bin filter=lfs', /the filter "lfs".*filters: "ignore"/],
    ['*.bin working-tree-encoding=UTF-16', /the encoding "UTF-16"/],
  ] as const

  function repositoryOf(line: string): string {
    const root = folder()
    init(root, '')
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

  it.each(BAD)('is refused before anything is written: %s', async (line, words) => {
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

  it.each(BAD)('is refused though nothing that is there has changed: %s', async (line, words) => {
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

  it('is what it is where the host says so, as in git without such a program', async () => {
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
