import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createWorkspace } from 'toolport'
import { createGit, type GitOptions } from 'toolport/adapters/git'
import { createNodeFs } from 'toolport/adapters/node'
import { afterAll, describe, expect, it } from 'vitest'
import { nativeGit } from './git-native-support.js'
import { author } from './git-support.js'

type Native = ReturnType<typeof nativeGit>['native']

export const gitIn = (root: string, options: Partial<GitOptions> = {}) =>
  createGit({ workspace: createWorkspace({ fs: createNodeFs({ root }) }), author, ...options })

export function write(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
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

const attributes = ASKED.map((asked, at) => `/${at}/** ${asked}\n`).join('')
const tree = Object.fromEntries(ASKED.flatMap((_, a) => CONTENTS.map((content, c) => [`${a}/${c}.txt`, content])))

export function init(native: Native, root: string, config: string): void {
  native(root, ['init', '-q', '-b', 'main'])
  for (const setting of config.split(' ').filter(Boolean)) native(root, ['config', ...setting.split('=')])
}

/** Compares line endings and object ids with native git for each of these settings. */
export function lineEndCases(configs: readonly string[]): void {
  const { folder, native, fsck } = nativeGit()
  const scratch = mkdtempSync(join(tmpdir(), 'git-attributes-'))
  afterAll(() => rmSync(scratch, { recursive: true, force: true }))

  /** Commits all contents unconverted, with the attributes. */
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

  describe.each(configs)('line endings and ids, with the settings "%s"', (config) => {
    it('are stored like in native git', async () => {
      const [ours, theirs] = [folder(), folder()]
      for (const root of [ours, theirs]) {
        init(native, root, config)
        write(root, { ...tree, '.gitattributes': attributes })
      }
      native(theirs, ['add', '.'])
      await gitIn(ours).add({ paths: ['.'] })
      expect(staged(ours)).toBe(staged(theirs))
      expect(await gitIn(ours).diff()).toMatchObject({ files: [] })
    })

    it('are checked out like in native git, without changes afterwards', async () => {
      const [ours, theirs] = [folder(), folder()]
      init(native, theirs, config)
      commitRaw(theirs)
      cpSync(theirs, ours, { recursive: true })
      native(ours, ['read-tree', '--empty'])
      native(theirs, ['checkout-index', '-a'])
      await gitIn(ours).checkout({ ref: 'main', force: true })
      for (const path of Object.keys(tree)) expect(readFileSync(join(ours, path)), path).toEqual(readFileSync(join(theirs, path)))
      expect(staged(ours)).toBe(staged(theirs))
      // Without an index, git reads all files again.
      for (const root of [ours, theirs]) rmSync(join(root, '.git/index'))
      for (const root of [ours, theirs]) native(root, ['read-tree', 'HEAD'])
      const status = native(theirs, ['status', '--porcelain'])
      expect(native(ours, ['status', '--porcelain'])).toBe(status)
      const changed = (await gitIn(ours).status()).map(({ path }) => ` M ${path}\n`).join('')
      expect(changed).toBe(status)
      expect(fsck(ours)).toBe('')
    })
  })
}
